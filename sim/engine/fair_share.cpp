#include "sim/engine/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.h"
#include "sim/engine/certificate.h"

namespace syncsim::engine {

using fair_share::kNobody;
using fair_share::kNowhere;
using fair_share::kUnlimited;

namespace {

// Sums of line rates are kept by adding and subtracting; this covers their rounding. A resource
// that is called slack by mistake is over capacity by no more than this.
constexpr double kSlackTolerance = 1 + 1e-12;
// Within this of the capacity they are summed anew, so that rounding never adds up.
constexpr double kNearCapacity = 1e-6;
constexpr double kSaturated = 1 - 1e-9;
// A line rate that is less of the capacity than this is set elsewhere.
constexpr double kNarrow = 1 - 1e-12;
// Ripples pay while few flows change.
constexpr std::size_t kFewChanges = 8;

bool is_narrow(const fair_share::Port& port, double line_rate) {
  return line_rate < port.capacity * kNarrow;
}

}  // namespace

FairShare::FairShare(const Network& network, std::span<const std::uint32_t> most_uses,
                     std::span<const std::uint32_t> most_flows, Method method)
    : network_(network),
      method_(method),
      flows_(most_uses.size()),
      maxima_(most_uses.size(), kUnlimited),
      ports_(network.resource_count()),
      waves_(network.resource_count()),
      waiting_(network.resource_count()),
      accounts_(network.resource_count()),
      limits_(most_uses.size() + network.resource_count()) {
  require(most_flows.size() == ports_.size(), "most_flows has to name every resource");
  std::size_t places = 0;
  for (std::size_t s = 0; s < flows_.size(); ++s) {
    flows_[s].begin = static_cast<std::uint32_t>(places);
    places += most_uses[s];
  }
  std::size_t members = 0;
  for (std::size_t r = 0; r < ports_.size(); ++r) {
    ports_[r].capacity = network.capacity(static_cast<ResourceIndex>(r));
    ports_[r].begin = static_cast<std::uint32_t>(members);
    members += most_flows[r];
  }
  require(std::max(places, members) <= std::numeric_limits<std::uint32_t>::max(),
          "the lanes' routes have more than 2^32 uses in all");
  places_.resize(places);
  members_.resize(members);
  for (std::vector<Slot>* slots : {&pending_, &changed_, &moved_}) slots->reserve(flows_.size());
  for (std::vector<ResourceIndex>* resources :
       {&dirty_, &contended_, &touched_, &entered_, &falling_})
    resources->reserve(ports_.size());
  bottlenecks_.reserve(ports_.size() + flows_.size());
}

std::span<const FairShare::Slot> FairShare::solve() {
  begin_round();
  apply_pending();
  classify_dirty();
  start_ripple();
  if (ripple_pays()) ripple();
  if (rippling()) fill_from_water();
  end_round();
  return changed_;
}

void FairShare::begin_round() {
  changed_.clear();
  for (const ResourceIndex r : touched_) ports_[r].touched = false;
  touched_.clear();
}

bool FairShare::ripple_pays() const {
  if (method_ != Method::best) return method_ == Method::ripple;
  return pending_.size() * kFewChanges < active_count_;
}

void FairShare::end_round() {
  for (const Slot slot : moved_) {
    Flow& flow = flows_[slot];
    flow.moved = false;
    set_rate(slot, settled_rate(flow));
  }
  moved_.clear();
  for (const ResourceIndex r : entered_) {
    waves_[r] = {};
    touch(r);
  }
  entered_.clear();
  report_pending();
  dirty_.clear();
}

double FairShare::settled_rate(const Flow& flow) const {
  return flow.bottleneck == kNowhere ? flow.line_rate : flow.level * flow.weight;
}

// Flows that came back alike keep their rates, but are news to the caller, as new ones are.
void FairShare::report_pending() {
  for (const Slot slot : pending_) {
    Flow& flow = flows_[slot];
    flow.pending = false;
    if (!flow.renewed) continue;
    flow.renewed = false;
    flow.rate = settled_rate(flow);
    changed_.push_back(slot);
  }
  pending_.clear();
}

void FairShare::apply_pending() {
  for (const Slot slot : pending_)
    if (flows_[slot].linked && !flows_[slot].active) unlink(slot);
  for (const Slot slot : pending_)
    if (flows_[slot].active && !flows_[slot].linked) link(slot);
}

void FairShare::link(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = true;
  flow.line_rate = std::min(maxima_[slot], network_.line_rate(flow.route));
  flow.line_level = flow.level = flow.line_rate / flow.weight;
  flow.bottleneck = kNowhere;
  flow.rate = 0;
  const std::span<const Use> uses = network_.route(flow.route);
  flow.lone = std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    const Port& port = ports_[use.resource];
    return port.size == 0 && port.lone == kNobody && !port.dirty && !passes_on(port);
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
    full_ += port.full;
    touch(use.resource);
  }
}

void FairShare::leave(Slot slot) {
  for (const Use& use : network_.route(flows_[slot].route)) {
    Port& port = ports_[use.resource];
    port.lone = kNobody;
    full_ -= port.full;
    port.full = false;
    touch(use.resource);
  }
}

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
    const double line_load = use.coefficient * flow.line_rate;
    members_[port.begin + port.size] = {slot, place, use.coefficient * flow.weight};
    places_[place++] = {use.resource, port.size++, use.coefficient};
    port.potential = port.size == 1 ? line_load : port.potential + line_load;
    port.narrow += is_narrow(port, line_load);
    mark_changed(use.resource);
  }
}

void FairShare::unlink(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = false;
  if (flow.lone) return leave(slot);
  used_ -= flow.uses;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    const double line_load = place.coefficient * flow.line_rate;
    const Member last = members_[port.begin + --port.size];
    members_[port.begin + place.position] = last;
    places_[last.place].position = place.position;
    port.potential = port.size == 0 ? 0 : port.potential - line_load;
    port.narrow -= is_narrow(port, line_load);
    mark_changed(place.resource);
  }
}

// What holds one flow or none, and stopped nobody, concerns nobody else.
void FairShare::mark_changed(ResourceIndex resource) {
  Port& port = ports_[resource];
  if (port.dirty) return;
  if (port.size > 1 || passes_on(port)) {
    port.dirty = true;
    dirty_.push_back(resource);
    return;
  }
  touch(resource);
  set_full(port);
}

void FairShare::set_full(Port& port) {
  full_ -= port.full;
  port.full = !port.contended && port.potential >= port.capacity * kSaturated;
  full_ += port.full;
}

void FairShare::touch(ResourceIndex resource) {
  if (ports_[resource].touched) return;
  ports_[resource].touched = true;
  touched_.push_back(resource);
}

std::span<const FairShare::Place> FairShare::places(const Flow& flow) const {
  return std::span(places_).subspan(flow.begin, flow.uses);
}

std::span<const FairShare::Member> FairShare::members(const Port& port) const {
  return std::span(members_).subspan(port.begin, port.size);
}

// Keeps in dirty_ the resources that stopped somebody before or may do so now.
void FairShare::classify_dirty() {
  std::size_t kept = 0;
  for (const ResourceIndex r : dirty_) {
    Port& port = ports_[r];
    touch(r);
    port.dirty = false;
    const bool contended = port.size > 1 && over_capacity(port);
    if (contended != port.contended) set_contended(r, contended);
    set_full(port);
    if (passes_on(port)) dirty_[kept++] = r;
  }
  dirty_.resize(kept);
}

bool FairShare::over_capacity(Port& port) const {
  if (std::abs(port.potential - port.capacity) < port.capacity * kNearCapacity)
    port.potential = line_load(port);
  return port.potential > port.capacity * kSlackTolerance;
}

void FairShare::set_contended(ResourceIndex resource, bool contended) {
  Port& port = ports_[resource];
  port.contended = contended;
  if (contended) {
    port.position = static_cast<std::uint32_t>(contended_.size());
    contended_.push_back(resource);
    return;
  }
  const ResourceIndex last = contended_.back();
  contended_.pop_back();
  contended_[port.position] = last;
  ports_[last].position = port.position;
}

double FairShare::line_load(const Port& port) const {
  double load = 0;
  for (const Member& member : members(port))
    load += places_[member.place].coefficient * flows_[member.slot].line_rate;
  return load;
}

// What happens on it may concern its other flows.
bool FairShare::passes_on(const Port& port) const {
  return port.contended || port.level < kUnlimited;
}

void FairShare::set_rate(Slot slot, double rate) {
  Flow& flow = flows_[slot];
  if (rate == flow.rate && !flow.renewed) return;
  flow.renewed = false;
  flow.rate = rate;
  changed_.push_back(slot);
  if (full_ == 0) return;
  for (const Place& place : places(flow))
    if (ports_[place.resource].full) touch(place.resource);
}

double FairShare::load(ResourceIndex resource) const {
  const Port& port = ports_[resource];
  double load = 0;
  if (port.lone != kNobody)
    for (const Use& use : network_.route(flows_[port.lone].route))
      if (use.resource == resource) load = use.coefficient * flows_[port.lone].rate;
  for (const Member& member : members(port))
    load += places_[member.place].coefficient * flows_[member.slot].rate;
  return load;
}

bool FairShare::all_at_line_rate(const Port& port) const {
  const std::span<const Member> all = members(port);
  return std::all_of(all.begin(), all.end(), [&](const Member& member) {
    return flows_[member.slot].bottleneck == kNowhere;
  });
}

void FairShare::audit() const {
  std::vector<Share> shares;
  for (Slot slot = 0; slot < flows_.size(); ++slot) {
    const Flow& flow = flows_[slot];
    if (flow.linked) shares.push_back({slot, flow.route, flow.weight, maxima_[slot], flow.rate});
  }
  require_max_min(network_, shares);
}

}  // namespace syncsim::engine
