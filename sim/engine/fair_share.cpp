#include "sim/engine/fair_share.h"

#include <algorithm>
#include <limits>

#include "sim/base/error.h"
#include "sim/engine/certificate.h"

namespace syncsim::engine {

using fair_share::kUnlimited;

namespace {

// Sums of line rates are kept by adding and subtracting; this covers their rounding. A resource
// that is called slack by mistake is over capacity by no more than this.
constexpr double kSlackTolerance = 1 + 1e-12;
// Levels of one bottleneck, computed in two ways, differ by less than this.
constexpr double kFloorMargin = 1 - 1e-9;
// Refining the floor pays only while few flows change.
constexpr std::size_t kFewChanges = 8;
constexpr int kFloorRefinements = 4;

}  // namespace

FairShare::FairShare(const Network& network, std::span<const std::uint32_t> most_uses,
                     std::span<const std::uint32_t> most_flows)
    : network_(network),
      flows_(most_uses.size()),
      ports_(network.resource_count()),
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
  for (std::vector<Slot>* slots : {&pending_, &changed_}) slots->reserve(flows_.size());
  for (std::vector<ResourceIndex>* resources : {&dirty_, &reached_, &touched_})
    resources->reserve(ports_.size());
  bottlenecks_.reserve(ports_.size() + flows_.size());
}

void FairShare::add(Slot slot, RouteIndex route, double weight, double maximum_rate) {
  Flow& flow = flows_[slot];
  const double maximum = maximum_rate > 0 ? maximum_rate : kUnlimited;
  const bool alike = flow.route == route && flow.weight == weight && flow.maximum == maximum;
  if (flow.linked && !alike) unlink(slot);
  flow.active = true;
  flow.renewed = true;
  ++active_count_;
  note(slot);
  if (flow.linked) return;
  flow.route = route;
  flow.weight = weight;
  flow.maximum = maximum;
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
  lower_floor();
  gather();
  fill();
  end_round();
  return changed_;
}

void FairShare::begin_round() {
  changed_.clear();
  for (const ResourceIndex r : touched_) ports_[r].touched = false;
  touched_.clear();
}

// Flows that came back alike and were not reached keep their rates, but are news to the caller.
void FairShare::end_round() {
  for (const Slot slot : pending_) {
    if (flows_[slot].renewed) changed_.push_back(slot);
    flows_[slot].renewed = flows_[slot].pending = false;
  }
  pending_.clear();
  dirty_.clear();
  for (const ResourceIndex r : reached_) ports_[r].reached = false;
  reached_.clear();
  floor_ = kUnlimited;
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
  flow.rate = 0;
  flow.level = kUnlimited;
  flow.line_rate = flow.maximum;
  for (const Use& use : uses)
    flow.line_rate = std::min(flow.line_rate, ports_[use.resource].capacity / use.coefficient);
  std::uint32_t place = flow.begin;
  for (const Use& use : uses) {
    Port& port = ports_[use.resource];
    members_[port.begin + port.size] = {slot, place};
    places_[place++] = {use.resource, port.size++, use.coefficient};
    port.potential += use.coefficient * flow.line_rate;
    port.joined = true;
    mark_dirty(use.resource);
  }
}

void FairShare::unlink(Slot slot) {
  Flow& flow = flows_[slot];
  flow.linked = false;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    const Member last = members_[port.begin + --port.size];
    members_[port.begin + place.position] = last;
    places_[last.place].position = place.position;
    const bool empty = port.size == 0;
    port.potential = empty ? 0 : port.potential - place.coefficient * flow.line_rate;
    port.load = empty ? 0 : port.load - place.coefficient * flow.rate;
    if (port.contended) floor_ = std::min(floor_, flow.level);
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

// Keeps in dirty_ the resources that bound somebody before or may do so now.
void FairShare::classify_dirty() {
  std::size_t kept = 0;
  for (const ResourceIndex r : dirty_) {
    Port& port = ports_[r];
    touch(r);
    port.dirty = false;
    const bool was_contended = port.contended;
    port.contended = port.potential > port.capacity * kSlackTolerance;
    if (was_contended || port.contended) dirty_[kept++] = r;
    if (!port.contended) port.joined = false;
  }
  dirty_.resize(kept);
}

void FairShare::lower_floor() {
  const bool few = pending_.size() * kFewChanges < active_count_;
  if (!few) floor_ = 0;
  for (const ResourceIndex r : dirty_) {
    if (few && ports_[r].joined) floor_ = std::min(floor_, least_fill_level(ports_[r]));
    ports_[r].joined = false;
  }
  floor_ *= kFloorMargin;
}

// A level below which the port cannot fill up: by Newton from below on
// sum of coefficient x weight x min(level, the flow's own level) = capacity.
double FairShare::least_fill_level(const Port& port) const {
  double level = 0;
  for (int step = 0; step < kFloorRefinements; ++step) {
    double fixed = 0;
    double growing = 0;
    for (const Member& member : members(port)) {
      const Flow& flow = flows_[member.slot];
      const double coefficient = places_[member.place].coefficient;
      if (flow.level < level) {
        fixed += coefficient * flow.rate;
      } else {
        growing += coefficient * flow.weight;
      }
    }
    const double next = (port.capacity - fixed) / growing;
    if (!(next > level)) break;
    level = next;
  }
  return level;
}

void FairShare::gather() {
  for (const Slot slot : pending_)
    if (flows_[slot].active && flows_[slot].level == kUnlimited) visit_flow(slot);
  for (const ResourceIndex r : dirty_) {
    if (ports_[r].contended) {
      visit_port(r);
      continue;
    }
    for (const Member& member : members(ports_[r]))
      if (flows_[member.slot].level >= floor_) visit_flow(member.slot);
  }
  for (std::size_t next = 0; next < reached_.size(); ++next) expand(reached_[next]);
}

void FairShare::visit_port(ResourceIndex resource) {
  Port& port = ports_[resource];
  if (port.reached) return;
  port.reached = true;
  port.load = port.open_weight = 0;
  port.open = 0;
  reached_.push_back(resource);
}

void FairShare::expand(ResourceIndex resource) {
  double staying = 0;
  for (const Member& member : members(ports_[resource])) {
    const Flow& flow = flows_[member.slot];
    if (flow.level < floor_) {
      staying += places_[member.place].coefficient * flow.rate;
    } else if (!flow.open) {
      visit_flow(member.slot);
    }
  }
  ports_[resource].load = staying;
}

// Joins the flow to its contended resources; without any it has its line rate. Where a contended
// resource implies the line rate, filling need not watch for it.
void FairShare::visit_flow(Slot slot) {
  Flow& flow = flows_[slot];
  if (flow.open) return;
  bool implied = false;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    if (!port.contended) continue;
    visit_port(place.resource);
    port.open_weight += place.coefficient * flow.weight;
    ++port.open;
    flow.open = true;
    implied |= port.capacity <= place.coefficient * flow.line_rate * kSlackTolerance;
  }
  if (!flow.open) {
    flow.level = flow.line_rate / flow.weight;
    set_rate(slot, flow.line_rate);
    return;
  }
  ++open_;
  if (!implied)
    limits_.add(flow.line_rate / flow.weight, static_cast<std::uint32_t>(ports_.size()) + slot);
}

void FairShare::audit() const {
  std::vector<Share> shares;
  for (Slot slot = 0; slot < flows_.size(); ++slot) {
    const Flow& flow = flows_[slot];
    if (flow.linked) shares.push_back({slot, flow.route, flow.weight, flow.maximum, flow.rate});
  }
  require_max_min(network_, shares);
}

}  // namespace syncsim::engine
