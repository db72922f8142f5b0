// Capacities that change between two solves. The flows on such a resource are unlinked from all
// their resources under the old capacities and linked again under the new ones; what the solver
// then has to do is what it does for flows that come and go.

#include <algorithm>

#include "sim/base/error.h"
#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kNobody;

void FairShare::set_capacities(std::span<const CapacityChange> changes) {
  require(new_capacities_.empty(), "capacities change twice before a solve");
  const auto differs = [&](const CapacityChange& change) {
    return change.capacity != capacity(change.resource);
  };
  if (std::none_of(changes.begin(), changes.end(), differs)) return;
  begin_round();
  new_capacities_ = changes;
}

void FairShare::apply_capacities() {
  for (const CapacityChange& change : new_capacities_)
    if (change.capacity != capacity(change.resource)) report_flows_of(change.resource);
  for (const Slot slot : moved_) unlink(slot);
  for (const CapacityChange& change : new_capacities_)
    ports_[change.resource].capacity = change.capacity;
  capacities_changed_ = true;
  for (const Slot slot : moved_) link(slot);
  new_capacities_ = {};
}

void FairShare::report_flows_of(ResourceIndex resource) {
  const Port& port = ports_[resource];
  if (port.lone != kNobody) report(port.lone);
  for (const Member& member : members(port)) report(member.slot);
}

double FairShare::present_line_rate(RouteIndex route) const {
  double rate = fair_share::kUnlimited;
  for (const Use& use : network_.route(route))
    rate = std::min(rate, capacity(use.resource) / use.coefficient);
  return rate;
}

}  // namespace syncsim::engine
