#include "sim/engine/usage_meter.h"

namespace syncsim::engine {
UsageMeter::UsageMeter(const Network& network)
    : network_(network), watches_(network.resource_count()), bytes_(network.route_count(), 0.0) {}

void UsageMeter::update(const FairShare& flows, std::int64_t now) {
  for (const ResourceIndex r : flows.touched()) {
    Watch& watch = watches_[r];
    const bool busy = flows.flows_on(r) > 0;
    const bool saturated = flows.saturated(r);
    if (busy == watch.busy && saturated == watch.saturated) continue;
    if (watch.busy) watch.usage.busy += now - watch.since;
    if (watch.saturated) watch.usage.saturated += now - watch.since;
    watch.since = now;
    watch.busy = busy;
    watch.saturated = saturated;
  }
}

std::vector<ResourceUsage> UsageMeter::totals() const {
  std::vector<ResourceUsage> result;
  result.reserve(watches_.size());
  for (const Watch& watch : watches_) result.push_back(watch.usage);
  for (RouteIndex route = 0; route < bytes_.size(); ++route)
    for (const Use& use : network_.route(route))
      result[use.resource].bytes += use.coefficient * bytes_[route];
  return result;
}

}  // namespace syncsim::engine
