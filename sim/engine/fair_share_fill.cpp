// Progressive filling of the flows and resources that a solve reached. Limits wait under
// levels that were right when they were computed. While flows below it are fixed, the level of a
// resource only rises; so it is enough to recompute a limit when it comes first. A recomputed
// level that came out lower can only be rounding, and the old one holds: levels never fall.

#include "sim/base/error.h"
#include "sim/engine/fair_share.h"

namespace syncsim::engine {
namespace {

// Open weights shrink by subtraction; below this part of the last full sum they are summed anew.
constexpr double kResumBelow = 1.0 / 16;

}  // namespace

void FairShare::fill() {
  for (const ResourceIndex r : reached_) {
    Port& port = ports_[r];
    if (port.open == 0) continue;
    port.summed_weight = port.open_weight;
    limits_.add(fill_level(port), r);
  }
  limits_.build();
  while (open_ > 0) {
    const double level = collect_bottlenecks();
    for (const std::uint32_t id : bottlenecks_) fix_flows_of(id, level);
  }
  limits_.clear();
}

double FairShare::fill_level(Port& port) const {
  if (port.open_weight < port.summed_weight * kResumBelow) sum_open_weight(port);
  return (port.capacity - port.load) / port.open_weight;
}

void FairShare::sum_open_weight(Port& port) const {
  port.open_weight = 0;
  for (const Member& member : members(port)) {
    const Flow& flow = flows_[member.slot];
    if (flow.open) port.open_weight += places_[member.place].coefficient * flow.weight;
  }
  port.summed_weight = port.open_weight;
}

// All limits of the lowest level, before any of their flows is fixed: so flows that are alike get
// the same bits, though their resources fill up in one instant.
double FairShare::collect_bottlenecks() {
  bottlenecks_.clear();
  double level = 0;
  while (!limits_.empty() && (bottlenecks_.empty() || limits_.first().level == level)) {
    const std::uint32_t id = limits_.first().id;
    if (!first_binds()) continue;
    level = limits_.first().level;
    bottlenecks_.push_back(id);
    limits_.drop_first();
  }
  require(!bottlenecks_.empty(), "filling has flows left and nothing that stops them");
  return level;
}

// A first limit that proves too low is raised, one with nobody left to stop is dropped.
bool FairShare::first_binds() {
  const LowestLevel::Limit limit = limits_.first();
  const bool is_flow = limit.id >= ports_.size();
  const bool idle = is_flow ? !flows_[limit.id - ports_.size()].open : ports_[limit.id].open == 0;
  if (idle) {
    limits_.drop_first();
    return false;
  }
  const double level = is_flow ? limit.level : fill_level(ports_[limit.id]);
  if (!(level > limit.level)) return true;
  limits_.raise_first(level);
  return false;
}

void FairShare::fix_flows_of(std::uint32_t id, double level) {
  if (id >= ports_.size()) {
    const Slot slot = id - static_cast<std::uint32_t>(ports_.size());
    if (flows_[slot].open) fix(slot, flows_[slot].line_rate, level);
    return;
  }
  for (const Member& member : members(ports_[id])) {
    const Flow& flow = flows_[member.slot];
    if (flow.open) fix(member.slot, level * flow.weight, level);
  }
}

void FairShare::fix(Slot slot, double rate, double level) {
  Flow& flow = flows_[slot];
  flow.open = false;
  --open_;
  flow.level = level;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    if (!port.contended) continue;
    port.load += place.coefficient * rate;
    port.open_weight -= place.coefficient * flow.weight;
    --port.open;
  }
  set_rate(slot, rate);
}

void FairShare::set_rate(Slot slot, double rate) {
  Flow& flow = flows_[slot];
  if (rate == flow.rate && !flow.renewed) return;
  flow.renewed = false;
  changed_.push_back(slot);
  for (const Place& place : places(flow)) {
    touch(place.resource);
    Port& port = ports_[place.resource];
    if (!port.contended) port.load += place.coefficient * (rate - flow.rate);
  }
  flow.rate = rate;
}

}  // namespace syncsim::engine
