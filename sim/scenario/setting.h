#pragma once
// What a point takes place on: its machine after the edits, with the bandwidths of time 0, what
// changes later, the nodes of its ranks, the collective, and the traffic beside it.

#include <optional>
#include <vector>

#include "sim/exec/traffic.h"
#include "sim/scenario/point.h"
#include "sim/scenario/run.h"

namespace syncsim {

struct Setting {
  Topology machine;
  std::vector<LinkChange> changes;
  std::vector<NodeId> ranks;
  Collective collective;
  std::optional<Traffic> background;
};

// Throws InputError, with the place of the point's field, for what does not fit.
Setting setting_of(const Point& point, const RunSettings& settings);

// Gives errors without a place that of a field of the point.
template <class Do>
decltype(auto) at_field(const Point& point, std::string_view field, Do&& act) {
  return placed([&] { return point.place(field); }, act);
}

}  // namespace syncsim
