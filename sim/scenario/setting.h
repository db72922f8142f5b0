#pragma once
// What a point takes place on: its machine after the edits, with the bandwidths of time 0, what
// changes later, the nodes of its ranks, the collective, and the traffic beside it.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
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
  std::optional<Model> model = {};  // of a training step; the collective sums its gradients
};

// Throw InputError, with the place of the point's field, for what does not fit.
Topology machine_of(const Point& point, const RunSettings& settings);  // after the edits
Setting setting_of(const Point& point, const RunSettings& settings);

// Gives errors without a place that of a field of the point.
template <class Do>
decltype(auto) at_field(const Point& point, std::string_view field, Do&& act) {
  return placed([&] { return point.place(field); }, act);
}

// Reads a file that a field of the point names: that it is not there, or is none, is told at the
// field, all else where it stands in the file.
template <class Read>
decltype(auto) at_file(const Point& point, std::string_view field, const std::string& path,
                       Read&& read) {
  try {
    return read();
  } catch (const InputError& failure) {
    std::error_code ignored;
    const bool is_file =
        std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
    if (is_file || failure.place() != path || point.place(field).empty()) throw;
    throw InputError(path + ": " + failure.wrong(), failure.right(), point.place(field));
  }
}

}  // namespace syncsim
