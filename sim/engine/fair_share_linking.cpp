// How flows get on their resources and off them. A new flow is foreign everywhere, at its line
// rate, until a ripple or a fill finds what stops it.

#include <algorithm>

#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kNobody;
using fair_share::kOverfull;
using fair_share::kSaturated;
using fair_share::kWornOut;

namespace {

// A line rate that is less of the capacity than this is set elsewhere.
constexpr double kNarrow = 1 - 1e-12;
bool is_narrow(const fair_share::Port& port, double line_load) {
  return line_load < port.capacity * kNarrow;
}

}  // namespace

void FairShare::link(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = true;
  const double line_rate =
      capacities_changed_ ? present_line_rate(flow.route) : network_.line_rate(flow.route);
  flow.line_rate = std::min(flow.maximum, line_rate);
  flow.line_level = flow.line_rate / flow.weight;
  flow.bottleneck = kNowhere;
  const std::span<const Use> uses = network_.route(flow.route);
  flow.lone = std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    const Port& port = ports_[use.resource];
    return port.size == 0 && port.lone == kNobody && !port.dirty && !port.contended;
  });
  if (flow.lone) return occupy(slot);
  for (const Use& use : uses)
    if (ports_[use.resource].lone != kNobody) give_places(ports_[use.resource].lone);
  give_places(slot);
}

// Most flows of a ring meet nobody: their resources just note them.
void FairShare::occupy(Slot slot) {
  Flow& flow = flows_[slot];
  flow.uses = 0;
  for (const Use& use : network_.route(flow.route)) {
    Port& port = ports_[use.resource];
    port.lone = slot;
    port.full = use.coefficient * flow.line_rate >= port.capacity * kSaturated;
    touch(use.resource);
  }
}

void FairShare::leave(Slot slot) {
  for (const Use& use : network_.route(flows_[slot].route)) {
    Port& port = ports_[use.resource];
    port.lone = kNobody;
    port.full = false;
    touch(use.resource);
  }
}

// A foreign flow for now, at its line rate.
void FairShare::give_places(Slot slot) {
  Flow& flow = flows_[slot];
  if (flow.lone) leave(slot);
  flow.lone = false;
  const std::span<const Use> uses = network_.route(flow.route);
  flow.uses = static_cast<std::uint32_t>(uses.size());
  used_ += flow.uses;
  std::uint32_t place = flow.begin;
  for (const Use& use : uses) {
    Port& port = ports_[use.resource];
    const double share = use.coefficient * flow.weight;
    const double line_load = share * flow.line_level;
    members_[port.begin + port.size] = {slot, place, share};
    places_[place++] = {use.resource, port.size++, share};
    port.potential = port.size == 1 ? line_load : port.potential + line_load;
    ++port.line_changes;
    port.narrow += is_narrow(port, line_load);
    feel(use.resource, line_load, flow.line_level);
    if (port.foreign > port.capacity * kOverfull) port.updates = kWornOut;
    mark_changed(use.resource);
  }
}

void FairShare::unlink(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = false;
  if (flow.lone) return leave(slot);
  used_ -= flow.uses;
  const double level = level_of(flow);
  if (flow.bottleneck != kNowhere) count_stopped(flow, false);
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    const double line_load = place.share * flow.line_level;
    if (place.resource == flow.bottleneck) {
      disown(port, place);
    } else {
      feel(place.resource, -place.share * level, 0);
    }
    swap_members(port, place.position, --port.size);
    ++port.line_changes;
    port.potential = port.size == 0 ? 0 : port.potential - line_load;
    if (port.size == 0) port.foreign = 0;  // the rounding of what was there
    port.narrow -= is_narrow(port, line_load);
    mark_changed(place.resource);
  }
}

// What holds one flow or none, and stopped nobody, concerns nobody else.
void FairShare::mark_changed(ResourceIndex resource) {
  Port& port = ports_[resource];
  if (port.dirty) return;
  if (port.size > 1 || port.contended) {
    port.dirty = true;
    dirty_.push_back(resource);
    return;
  }
  touch(resource);
  mark_full(resource);
}

}  // namespace syncsim::engine
