#include "sim/engine/usage_meter.h"

namespace syncsim::engine {
UsageMeter::UsageMeter(const Network& network)
    : network_(network), watches_(network.resource_count()), bytes_(network.route_count(), 0.0) {}

void UsageMeter::update(const FairShare& flows, std::int64_t now) {
  if (flows.resting() && !resting_) rests_since_ = now;
  if (!flows.resting() && resting_) rested_ += now - rests_since_;
  resting_ = flows.resting();
  if (resting_) return;
  for (const ResourceIndex r : flows.touched())
    watches_[r].turn(now - rested_, flows.flows_on(r) > 0, flows.saturated(r));
}

void UsageMeter::Watch::turn(std::int64_t now, bool is_busy, bool is_saturated) {
  if (is_busy == busy && is_saturated == saturated) return;
  if (busy) usage.busy += now - since;
  if (saturated) usage.saturated += now - since;
  since = now;
  busy = is_busy;
  saturated = is_saturated;
}

std::vector<ResourceUsage> UsageMeter::totals() const {
  std::vector<ResourceUsage> result;
  result.reserve(watches_.size());
  for (Watch watch : watches_) {
    watch.turn(rests_since_ - rested_, false, false);
    result.push_back(watch.usage);
  }
  for (RouteIndex route = 0; route < bytes_.size(); ++route)
    for (const Use& use : network_.route(route))
      result[use.resource].bytes += use.coefficient * bytes_[route];
  return result;
}

}  // namespace syncsim::engine
