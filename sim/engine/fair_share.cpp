#include "sim/engine/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.h"
#include "sim/engine/certificate.h"

namespace syncsim::engine {

using fair_share::kNobody;
using fair_share::kSaturated;
using fair_share::kUnlimited;

namespace {

// Sums of line rates are kept by adding and subtracting; this covers their rounding. A resource
// that is called slack by mistake is over capacity by no more than this.
constexpr double kSlackTolerance = 1 + 1e-12;
// Within this of the capacity they are summed anew, so that rounding never adds up.
constexpr double kNearCapacity = 1e-6;
constexpr std::uint32_t kMostLineChanges = 256;
// Ripples pay while few flows change.
constexpr std::size_t kFewChanges = 8;

}  // namespace

FairShare::FairShare(const Network& network, std::span<const std::uint32_t> most_uses,
                     std::span<const std::uint32_t> most_flows, Method method)
    : network_(network),
      method_(method),
      flows_(most_uses.size()),
      ports_(network.resource_count()),
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
  pending_.reserve(flows_.size());
  moved_.reserve(flows_.size());
  for (std::vector<ResourceIndex>* resources : {&dirty_, &contended_, &touched_, &changed_})
    resources->reserve(ports_.size());
  bottlenecks_.reserve(ports_.size() + flows_.size());
}

void FairShare::solve() {
  begin_round();
  noted_ = false;
  rested_ = resting();
  if (resting() && new_capacities_.empty()) return;
  apply_pending();
  report_pending();
  classify_dirty();
  if (ripple_pays()) ripple();
  if (!waiting_.empty()) fill();
}

void FairShare::forget_news() {
  for (const Slot slot : moved_) flows_[slot].moved = false;
  moved_.clear();
  for (const ResourceIndex r : changed_) ports_[r].changed = false;
  changed_.clear();
  if (rested_) return;
  for (const ResourceIndex r : touched_) ports_[r].touched = false;
  touched_.clear();
}

bool FairShare::ripple_pays() const {
  if (method_ != Method::best) return method_ == Method::ripple;
  return moved_.size() * kFewChanges < active_count_;
}

void FairShare::apply_pending() {
  for (const Slot slot : pending_)
    if (flows_[slot].linked && !flows_[slot].active) unlink(slot);
  if (!new_capacities_.empty()) apply_capacities();
  for (const Slot slot : pending_)
    if (flows_[slot].active && !flows_[slot].linked) link(slot);
}

// Flows that came back alike keep their rates, but are news to the caller, as new ones are.
void FairShare::report_pending() {
  for (const Slot slot : pending_) {
    Flow& flow = flows_[slot];
    flow.pending = false;
    if (flow.active) report(slot);
  }
  pending_.clear();
}

void FairShare::mark_full(ResourceIndex resource) {
  Port& port = ports_[resource];
  const double load = port.contended ? port.foreign : port.potential;
  const bool full = port.size > 0 && port.own == 0 && load >= port.capacity * kSaturated;
  if (full == port.full) return;
  port.full = full;
  touch(resource);
}

void FairShare::touch(ResourceIndex resource) {
  if (ports_[resource].touched) return;
  ports_[resource].touched = true;
  touched_.push_back(resource);
}

std::span<const FairShare::Member> FairShare::members(const Port& port) const {
  return std::span(members_).subspan(port.begin, port.size);
}

// Those that may have to stop somebody, or somebody else, are called for review.
void FairShare::classify_dirty() {
  for (const ResourceIndex r : dirty_) {
    Port& port = ports_[r];
    touch(r);
    port.dirty = false;
    const bool contended = port.size > 1 && over_capacity(port);
    if (contended != port.contended) set_contended(r, contended);
    mark_full(r);
    if (contended && !port.waiting) call(r);
  }
  dirty_.clear();
}

bool FairShare::over_capacity(Port& port) const {
  const bool near = std::abs(port.potential - port.capacity) < port.capacity * kNearCapacity;
  if (near && (!port.near || port.line_changes > kMostLineChanges)) {
    port.potential = line_load(port);
    port.line_changes = 0;
  }
  port.near = near;
  return port.potential > port.capacity * kSlackTolerance;
}

void FairShare::set_contended(ResourceIndex resource, bool contended) {
  Port& port = ports_[resource];
  if (contended) {
    port.contended = true;
    port.position = static_cast<std::uint32_t>(contended_.size());
    contended_.push_back(resource);
    sum(port);
  } else {
    release_own(resource);
    port.contended = false;
    ports_[contended_.back()].position = port.position;
    contended_[port.position] = contended_.back();
    contended_.pop_back();
  }
  port.full = false;
  calm(port);
}

double FairShare::line_load(const Port& port) const {
  double load = 0;
  for (const Member& member : members(port)) load += member.share * flows_[member.slot].line_level;
  return load;
}

void FairShare::swap_members(const Port& port, std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  Member& first = members_[port.begin + a];
  Member& second = members_[port.begin + b];
  std::swap(first, second);
  places_[first.place].position = a;
  places_[second.place].position = b;
}

void FairShare::claim(Port& port, const Place& place) {
  swap_members(port, place.position, port.own++);
  port.own_weight += place.share;
  port.summed_weight = std::max(port.summed_weight, port.own_weight);
  if (port.own > 1) return;
  port.full = false;
  calm(port);
}

void FairShare::disown(Port& port, const Place& place) {
  swap_members(port, place.position, --port.own);
  port.own_weight -= place.share;
  if (port.own > 0) return;
  port.own_weight = 0;
  set_level(place.resource, kUnlimited);
  calm(port);
}

void FairShare::set_level(ResourceIndex resource, double level) {
  Port& port = ports_[resource];
  if ((level < kUnlimited) != (port.level < kUnlimited)) touch(resource);
  port.level = level;
  if (port.changed) return;
  port.changed = true;
  changed_.push_back(resource);
}

void FairShare::move(Slot slot, ResourceIndex bottleneck) {
  Flow& flow = flows_[slot];
  if ((flow.bottleneck == kNowhere) != (bottleneck == kNowhere))
    count_stopped(flow, bottleneck != kNowhere);
  flow.bottleneck = bottleneck;
  report(slot);
}

// One flow more is stopped on its resources, or one less.
void FairShare::count_stopped(const Flow& flow, bool more) {
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    more ? ++port.stopped : --port.stopped;
    if (port.full) touch(place.resource);
  }
}

void FairShare::report(Slot slot) {
  Flow& flow = flows_[slot];
  if (flow.moved) return;
  flow.moved = true;
  moved_.push_back(slot);
}

double FairShare::load(ResourceIndex resource) const {
  if (resting()) return 0;
  const Port& port = ports_[resource];
  double load = 0;
  if (port.lone != kNobody)
    for (const Use& use : network_.route(flows_[port.lone].route))
      if (use.resource == resource) load = use.coefficient * flows_[port.lone].line_rate;
  for (const Member& member : members(port)) load += member.share * level_of(flows_[member.slot]);
  return load;
}

void FairShare::audit() const {
  std::vector<Share> shares;
  for (Slot slot = 0; slot < flows_.size(); ++slot) {
    const Flow& flow = flows_[slot];
    if (flow.active) shares.push_back({slot, flow.route, flow.weight, flow.maximum, rate(slot)});
  }
  std::vector<double> capacities;
  for (const Port& port : ports_) capacities.push_back(port.capacity);
  require_max_min(network_, capacities, shares);
}

}  // namespace syncsim::engine
