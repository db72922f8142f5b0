// Progressive filling of all contended resources. Limits wait under levels that were right when
// they were computed. While flows below it are fixed, the level of a resource only rises; so it is
// enough to recompute a limit when it comes first. A recomputed level that came out lower can only
// be rounding, and the old one holds: levels never fall.

#include <algorithm>

#include "sim/base/error.h"
#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kLeastWeight;
using fair_share::kUnlimited;

namespace {

// A flow's line rate may be implied by a resource, to rounding.
constexpr double kImplied = 1 + 1e-12;

}  // namespace

void FairShare::fill() {
  ++fills_;
  while (!waiting_.empty()) ports_[waiting_.pop()].waiting = false;
  for (const ResourceIndex r : contended_) open_port(r);
  for (const ResourceIndex r : contended_)
    if (ports_[r].narrow > 0) watch_line_rates(r);
  limits_.build();
  for (;;) {
    const double level = collect_bottlenecks();
    if (bottlenecks_.empty()) break;
    for (const std::uint32_t id : bottlenecks_) set_binding(id, true);
    for (const std::uint32_t id : bottlenecks_) fix_flows_of(id, level);
    for (const std::uint32_t id : bottlenecks_) set_binding(id, false);
  }
  limits_.clear();
  for (const ResourceIndex r : contended_) close_port(r);
}

void FairShare::open_port(ResourceIndex resource) {
  Port& port = ports_[resource];
  set_level(resource, kUnlimited);
  touch(resource);
  port.own = 0;
  port.open = port.size;
  port.foreign = 0;
  port.top = 0;
  port.updates = 0;
  port.least_line_level = kUnlimited;
  port.own_weight = 0;
  for (const Member& member : members(port)) port.own_weight += member.share;
  port.summed_weight = port.own_weight;
  limits_.add(fill_level(resource), resource);
}

void FairShare::close_port(ResourceIndex resource) {
  if (ports_[resource].own == 0) ports_[resource].own_weight = 0;
  mark_full(resource);
  calm(ports_[resource]);
}

// Where no contended resource implies a flow's line rate, filling has to watch for it; the flow is
// watched once, from its first contended resource.
void FairShare::watch_line_rates(ResourceIndex resource) {
  for (const Member& member : members(ports_[resource])) {
    const Flow& flow = flows_[member.slot];
    const std::span<const Place> all = places(flow);
    const auto contended = [&](const Place& p) { return ports_[p.resource].contended; };
    const auto implies = [&](const Place& p) {
      return contended(p) && ports_[p.resource].capacity <= p.share * flow.line_level * kImplied;
    };
    const bool first = std::find_if(all.begin(), all.end(), contended)->resource == resource;
    if (first && std::none_of(all.begin(), all.end(), implies))
      limits_.add(flow.line_level, static_cast<std::uint32_t>(ports_.size()) + member.slot);
  }
}

double FairShare::fill_level(ResourceIndex resource) {
  Port& port = ports_[resource];
  if (port.own_weight < port.summed_weight * kLeastWeight) sum_open(port);
  return (port.capacity - port.foreign) / port.own_weight;
}

void FairShare::sum_open(Port& port) {
  port.own_weight = 0;
  for (const Member& member : members(port))
    if (open(flows_[member.slot])) port.own_weight += member.share;
  port.summed_weight = port.own_weight;
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
  return id >= ports_.size() ? !open(flows_[id - ports_.size()]) : ports_[id].open == 0;
}

void FairShare::set_binding(std::uint32_t id, bool binding) {
  if (id < ports_.size()) ports_[id].binding = binding;
}

void FairShare::fix_flows_of(std::uint32_t id, double level) {
  if (id >= ports_.size()) {
    const Slot slot = id - static_cast<std::uint32_t>(ports_.size());
    if (open(flows_[slot])) fix(slot, flows_[slot].line_level, kNowhere);
    return;
  }
  const Port& port = ports_[id];
  for (std::uint32_t i = 0; i < port.size; ++i) {
    const Slot slot = members_[port.begin + i].slot;
    if (open(flows_[slot]) && first_binding(flows_[slot]) == id) fix(slot, level, id);
  }
}

// Where several resources stop a flow at once, the first on its route has it: so flows of one
// source share a clock, and memory is walked in order.
ResourceIndex FairShare::first_binding(const Flow& flow) const {
  const Place* place = places_.data() + flow.begin;
  while (!ports_[place->resource].binding) ++place;
  return place->resource;
}

void FairShare::fix(Slot slot, double level, ResourceIndex bottleneck) {
  Flow& flow = flows_[slot];
  flow.filled_in = fills_;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    if (!port.contended) continue;
    --port.open;
    if (place.resource == bottleneck) {
      swap_members(port, place.position, port.own++);
      if (port.own == 1) set_level(bottleneck, level);
      port.least_line_level = std::min(port.least_line_level, flow.line_level);
    } else {
      port.foreign += place.share * level;
      port.own_weight -= place.share;
      port.top = std::max(port.top, level);
    }
  }
  if (flow.bottleneck != bottleneck) move(slot, bottleneck);
}

}  // namespace syncsim::engine
