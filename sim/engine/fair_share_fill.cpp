// Progressive filling of all contended resources, from a level below which all stands. Limits wait
// under levels that were right when they were computed. While flows below it are fixed, the level
// of a resource only rises; so it is enough to recompute a limit when it comes first. A recomputed
// level that came out lower can only be rounding, and the old one holds: levels never fall.

#include <algorithm>

#include "sim/base/error.h"
#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kNowhere;
using fair_share::kUnlimited;

namespace {

// Open weights shrink by subtraction; below this part of the last full sum they are summed anew.
constexpr double kResumBelow = 1.0 / 16;
// Levels of one bottleneck, computed in two ways, differ by less than this.
constexpr double kFloorMargin = 1 - 1e-9;
// A flow's line rate may be implied by a resource, to rounding.
constexpr double kImplied = 1 + 1e-12;

}  // namespace

// Takes over from a ripple: what it settled below the water stands.
void FairShare::fill_from_water() {
  ++fills_;
  floor_ = water_ * kFloorMargin;
  falling_.clear();
  waiting_.clear();
  for (const ResourceIndex r : dirty_)
    if (!ports_[r].contended && ports_[r].level < kUnlimited) free_flows_of(r);
  for (const ResourceIndex r : contended_)
    if (ports_[r].level >= floor_) open_port(r);
  fill();
}

// It is slack now.
void FairShare::free_flows_of(ResourceIndex resource) {
  ports_[resource].level = kUnlimited;
  for (const Member& member : members(ports_[resource])) {
    Flow& flow = flows_[member.slot];
    if (flow.bottleneck != resource) continue;
    flow.bottleneck = kNowhere;
    flow.level = flow.line_level;
    move(member.slot);
  }
}

void FairShare::open_port(ResourceIndex resource) {
  Port& port = ports_[resource];
  touch(resource);
  port.level = kUnlimited;
  sum_open(resource);
  if (accounts_[resource].open == 0) return;
  limits_.add(fill_level(resource), resource);
  if (port.narrow > 0) watch_line_rates(resource);
}

void FairShare::sum_open(ResourceIndex resource) {
  Account sum;
  for (const Member& member : members(ports_[resource])) {
    const double level = flows_[member.slot].level;
    const bool stays = level < floor_;
    sum.load += stays ? member.share * level : 0;
    sum.open_weight += stays ? 0 : member.share;
    sum.open += !stays;
  }
  sum.summed_weight = sum.open_weight;
  accounts_[resource] = sum;
}

// Where no contended resource implies a flow's line rate, filling has to watch for it; the flow is
// watched once, from its first contended resource.
void FairShare::watch_line_rates(ResourceIndex resource) {
  for (const Member& member : members(ports_[resource])) {
    const Flow& flow = flows_[member.slot];
    const std::span<const Place> all = places(flow);
    const auto contended = [&](const Place& p) { return ports_[p.resource].contended; };
    const auto implies = [&](const Place& p) {
      return contended(p) &&
             ports_[p.resource].capacity <= p.coefficient * flow.line_rate * kImplied;
    };
    const bool first = std::find_if(all.begin(), all.end(), contended)->resource == resource;
    if (first && open(flow) && std::none_of(all.begin(), all.end(), implies))
      limits_.add(flow.line_level, static_cast<std::uint32_t>(ports_.size()) + member.slot);
  }
}

void FairShare::fill() {
  limits_.build();
  for (;;) {
    const double level = collect_bottlenecks();
    if (bottlenecks_.empty()) break;
    for (const std::uint32_t id : bottlenecks_) fix_flows_of(id, level);
  }
  limits_.clear();
}

double FairShare::fill_level(ResourceIndex resource) {
  Account& account = accounts_[resource];
  if (account.open_weight < account.summed_weight * kResumBelow) sum_open_weight(resource);
  return (ports_[resource].capacity - account.load) / account.open_weight;
}

void FairShare::sum_open_weight(ResourceIndex resource) {
  Account& account = accounts_[resource];
  account.open_weight = 0;
  for (const Member& member : members(ports_[resource]))
    if (open(flows_[member.slot])) account.open_weight += member.share;
  account.summed_weight = account.open_weight;
}

// All limits of the lowest level, before any of their flows is fixed: so flows that are alike get
// the same bits, though their resources fill up in one instant. None are left at the end.
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
  return level;
}

// A first limit that proves too low is raised, one with nobody left to stop is dropped.
bool FairShare::first_binds() {
  const LowestLevel::Limit limit = limits_.first();
  if (idle(limit.id)) {
    limits_.drop_first();
    return false;
  }
  const double level = limit.id >= ports_.size() ? limit.level : fill_level(limit.id);
  if (!(level > limit.level)) return true;
  limits_.raise_first(level);
  return false;
}

bool FairShare::idle(std::uint32_t id) const {
  return id >= ports_.size() ? !open(flows_[id - ports_.size()]) : accounts_[id].open == 0;
}

void FairShare::fix_flows_of(std::uint32_t id, double level) {
  if (id >= ports_.size()) {
    const Slot slot = id - static_cast<std::uint32_t>(ports_.size());
    if (open(flows_[slot])) fix(slot, flows_[slot].line_rate, level, kNowhere);
    return;
  }
  ports_[id].level = level;
  for (const Member& member : members(ports_[id])) {
    const Flow& flow = flows_[member.slot];
    if (open(flow)) fix(member.slot, level * flow.weight, level, id);
  }
  accounts_[id].open = 0;
}

void FairShare::fix(Slot slot, double rate, double level, ResourceIndex bottleneck) {
  Flow& flow = flows_[slot];
  flow.stopped_in = fills_;
  flow.level = level;
  flow.bottleneck = bottleneck;
  for (const Place& place : places(flow)) {
    if (place.resource == bottleneck) continue;  // nobody asks for its account any more
    Account& account = accounts_[place.resource];
    account.load += place.coefficient * rate;
    account.open_weight -= place.coefficient * flow.weight;
    --account.open;
  }
  set_rate(slot, rate);
}

}  // namespace syncsim::engine
