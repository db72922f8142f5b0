#include "sim/exec/rate_follower.h"

#include <algorithm>
#include <utility>

namespace syncsim {

void PeakRates::carries(std::uint32_t resource, double rate, Time from) {
  if (resource >= peaks_.size()) peaks_.resize(resource + std::size_t{1}, 0.0);
  peaks_[resource] = std::max(peaks_[resource], rate);
  if (next_ != nullptr) next_->carries(resource, rate, from);
}

void PeakRates::put_into(Timeline& timeline) const {
  for (std::size_t resource = 0; resource < peaks_.size(); ++resource)
    timeline.resources[resource].peak = peaks_[resource];
}

RateFollower::RateFollower(const engine::Network& network, std::uint32_t lanes, RateWatch& watch)
    : network_(network),
      watch_(watch),
      known_(lanes, 0),
      is_marked_(network.resource_count(), 0),
      rates_(network.resource_count(), 0.0) {}

void RateFollower::solved(const engine::FairShare& flows, std::int64_t now) {
  for (const Slot slot : flows.moved())
    if (std::exchange(known_[slot], std::uint8_t{1}) == 0)
      flows_.push_back({slot, flows.route(slot), 0});
  std::size_t kept = 0;
  for (Flow& flow : flows_) {
    if (has_changed(flows, flow)) mark(flow.route);
    if (flows.active(flow.slot))
      flows_[kept++] = flow;
    else
      known_[flow.slot] = 0;
  }
  flows_.resize(kept);
  for (const engine::ResourceIndex resource : marked_) {
    is_marked_[resource] = 0;
    const double rate = flows.load(resource);
    if (rate != std::exchange(rates_[resource], rate)) watch_.carries(resource, rate, Time{now});
  }
  marked_.clear();
}

// Of another route its old one is marked here, the new one by the caller.
bool RateFollower::has_changed(const engine::FairShare& flows, Flow& flow) {
  const bool active = flows.active(flow.slot);
  const double rate = active ? flows.rate(flow.slot) : 0;
  const engine::RouteIndex before = flow.route;
  if (active) flow.route = flows.route(flow.slot);
  if (flow.route != before) mark(before);
  return rate != std::exchange(flow.rate, rate) || flow.route != before;
}

void RateFollower::mark(engine::RouteIndex route) {
  for (const engine::Use& use : network_.route(route)) {
    if (is_marked_[use.resource]) continue;
    is_marked_[use.resource] = 1;
    marked_.push_back(use.resource);
  }
}

}  // namespace syncsim
