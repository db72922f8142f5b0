#pragma once
// What to say of a run that can never end, because its events leave links at 0.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/engine/outcome.h"
#include "sim/topology/link_events.h"
#include "sim/topology/resources.h"

namespace syncsim {

// Names the links, what stalls on each (at most 3, each "op" or "flow" as `name` tells it) and how
// many wait behind. At the place of the event that stopped the first of the links. `deadlock` has
// to name stalls.
InputError stalled_run(const engine::Deadlock& deadlock, const Resources& resources,
                       std::span<const LinkChange> changes, std::string_view thing,
                       const std::function<std::string(std::uint32_t op)>& name);

}  // namespace syncsim
