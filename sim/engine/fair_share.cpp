#include "sim/engine/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.h"
#include "sim/engine/certificate.h"

namespace syncsim::engine {

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

void FairShare::add(Slot slot, RouteIndex route, double weight, double maximum_rate) {
  Flow& flow = flows_[slot];
  const double maximum = maximum_rate > 0 ? maximum_rate : kUnlimited;
  const bool alike = flow.route == route && flow.weight == weight && maxima_[slot] == maximum;
  if (flow.linked && !alike) unlink(slot);
  flow.active = true;
  flow.renewed = true;
  ++active_count_;
  note(slot);
  if (flow.linked) return;
  flow.route = route;
  flow.weight = weight;
  maxima_[slot] = maximum;
}

// Only noted: the same flow may be added again before the next solve.
void FairShare::remove(Slot slot) {
  Flow& flow = flows_[slot];
  flow.active = false;
  flow.renewed = false;
  --active_count_;
  note(slot);
}

void FairShare::note(Slot slot) {
  if (flows_[slot].pending) return;
  flows_[slot].pending = true;
  pending_.push_back(slot);
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

// Flows that came back alike and were not reached keep their rates, but are news to the caller.
void FairShare::end_round() {
  for (const Slot slot : moved_) {
    Flow& flow = flows_[slot];
    flow.moved = false;
    set_rate(slot, flow.bottleneck == kNowhere ? flow.line_rate : flow.level * flow.weight);
  }
  moved_.clear();
  for (const ResourceIndex r : entered_) {
    waves_[r] = {};
    touch(r);
  }
  entered_.clear();
  for (const Slot slot : pending_) {
    if (flows_[slot].renewed) changed_.push_back(slot);
    flows_[slot].renewed = flows_[slot].pending = false;
  }
  pending_.clear();
  dirty_.clear();
}

void FairShare::apply_pending() {
  for (const Slot slot : pending_)
    if (flows_[slot].linked && !flows_[slot].active) unlink(slot);
  for (const Slot slot : pending_)
    if (flows_[slot].active && !flows_[slot].linked) link(slot);
}

void FairShare::link(Slot slot) {
  Flow& flow = flows_[slot];
  const std::span<const Use> uses = network_.route(flow.route);
  flow.linked = true;
  flow.uses = static_cast<std::uint32_t>(uses.size());
  flow.line_rate = maxima_[slot];
  for (const Use& use : uses)
    flow.line_rate = std::min(flow.line_rate, ports_[use.resource].capacity / use.coefficient);
  flow.line_level = flow.level = flow.line_rate / flow.weight;
  flow.bottleneck = kNowhere;
  flow.rate = 0;
  used_ += flow.uses;
  std::uint32_t place = flow.begin;
  for (const Use& use : uses) {
    Port& port = ports_[use.resource];
    members_[port.begin + port.size] = {slot, place, use.coefficient * flow.weight};
    places_[place++] = {use.resource, port.size++, use.coefficient};
    const double line_load = use.coefficient * flow.line_rate;
    port.potential = port.size == 1 ? line_load : port.potential + line_load;
    port.narrow += is_narrow(port, line_load);
    mark_dirty(use.resource);
  }
}

void FairShare::unlink(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = false;
  used_ -= flow.uses;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    const Member last = members_[port.begin + --port.size];
    members_[port.begin + place.position] = last;
    places_[last.place].position = place.position;
    port.potential = port.size == 0 ? 0 : port.potential - place.coefficient * flow.line_rate;
    port.narrow -= is_narrow(port, place.coefficient * flow.line_rate);
    mark_dirty(place.resource);
  }
}

void FairShare::mark_dirty(ResourceIndex resource) {
  if (ports_[resource].dirty) return;
  ports_[resource].dirty = true;
  dirty_.push_back(resource);
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
    if (port.size > 1 && std::abs(port.potential - port.capacity) < port.capacity * kNearCapacity)
      port.potential = line_load(port);
    set_contended(r, port.potential > port.capacity * kSlackTolerance);
    full_ -= port.full;
    port.full = !port.contended && port.potential >= port.capacity * kSaturated;
    full_ += port.full;
    if (passes_on(port)) dirty_[kept++] = r;
  }
  dirty_.resize(kept);
}

void FairShare::set_contended(ResourceIndex resource, bool contended) {
  Port& port = ports_[resource];
  if (port.contended == contended) return;
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
  double load = 0;
  for (const Member& member : members(ports_[resource]))
    load += places_[member.place].coefficient * flows_[member.slot].rate;
  return load;
}

bool FairShare::saturated(ResourceIndex resource) const {
  const Port& port = ports_[resource];
  if (!port.full) return port.level < kUnlimited;
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
