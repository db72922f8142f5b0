#include "sim/engine/completions.h"

#include <algorithm>

#include "sim/engine/clock.h"
#include "sim/engine/quaternary_heap.h"

namespace syncsim::engine {
namespace {

// A mark is rounded to the clock's last digit. Up to this many times what a flow wants, that costs
// it no more than the bits that the completion rule forgives (engine rule 3).
constexpr double kFarPast = 8;

void set_or_stall(EventQueue& events, EventQueue::Entity entity, std::int64_t end) {
  end == kNeverEnds ? events.cancel(entity) : events.set(entity, end);
}

}  // namespace

Completions::Completions(std::size_t lanes, std::span<const std::uint32_t> most_flows,
                         EventQueue::Entity first_entity)
    : flows_(lanes), clocks_(most_flows.size()), first_entity_(first_entity) {
  std::size_t entries = 0;
  for (std::size_t r = 0; r < clocks_.size(); ++r) {
    clocks_[r].begin = static_cast<std::uint32_t>(entries);
    entries += most_flows[r];
  }
  heaps_.resize(entries);
  stale_.reserve(clocks_.size());
}

double Completions::left(Lane lane, std::int64_t now) const {
  const Flow& flow = flows_[lane];
  if (flow.clock == FairShare::kNowhere) return flow.amount - carried(flow.rate, now - flow.since);
  return (flow.amount - service(clocks_[flow.clock], now)) * flow.rate;
}

double Completions::end(Lane lane, std::int64_t now) {
  const double bytes = left(lane, now);
  if (flows_[lane].clock != FairShare::kNowhere) leave(lane);
  return bytes;
}

Completions::Lane Completions::due(EventQueue::Entity entity, std::int64_t now) const {
  const Clock& clock = clocks_[entity - first_entity_];
  return clock.size > 0 && next(clock) <= now ? heaps_[clock.begin].lane : kNobody;
}

void Completions::update(const FairShare& share, std::int64_t now, EventQueue& events) {
  for (const Lane lane : share.moved()) follow(share, lane, now, events);
  for (const ResourceIndex r : share.changed()) {
    advance(clocks_[r], now);
    clocks_[r].level = clocks_[r].size > 0 ? share.level(r) : 0;
    mark_stale(r);
  }
  for (const ResourceIndex r : stale_) set_event(r, now, events);
  stale_.clear();
}

// To the clock of what stops it, or to an event of its own.
void Completions::follow(const FairShare& share, Lane lane, std::int64_t now, EventQueue& events) {
  Flow& flow = flows_[lane];
  const ResourceIndex clock = share.bottleneck(lane);
  if (clock == flow.clock && clock != FairShare::kNowhere) return;
  const double bytes = std::max(0.0, left(lane, now));
  if (flow.clock != FairShare::kNowhere) leave(lane);
  if (clock == FairShare::kNowhere) {
    const double rate = share.rate(lane);
    flow = {bytes, rate, now};
    set_or_stall(events, lane, completion_or_never(now, bytes, rate));
  } else {
    events.cancel(lane);
    flow.rate = share.weight(lane);
    enter(lane, clock, bytes, now);
  }
}

void Completions::enter(Lane lane, ResourceIndex resource, double bytes, std::int64_t now) {
  Clock& clock = clocks_[resource];
  Flow& flow = flows_[lane];
  const double wanted = bytes / flow.rate;
  advance(clock, now);
  if (clock.service > wanted * kFarPast) set_back(clock);
  flow.clock = resource;
  flow.amount = clock.service + wanted;
  mark_stale(resource);
  sift(clock, clock.size++, {flow.amount, lane});
}

// The heap's last entry takes its place.
void Completions::leave(Lane lane) {
  Flow& flow = flows_[lane];
  Clock& clock = clocks_[flow.clock];
  mark_stale(flow.clock);
  flow.clock = FairShare::kNowhere;
  const Entry last = heaps_[clock.begin + --clock.size];
  if (flow.position < clock.size) sift(clock, flow.position, last);
}

double Completions::service(const Clock& clock, std::int64_t now) const {
  return clock.service + carried(clock.level, now - clock.since);
}

void Completions::advance(Clock& clock, std::int64_t now) {
  clock.service = clock.size > 0 ? service(clock, now) : 0;
  clock.since = now;
}

void Completions::set_back(Clock& clock) {
  for (std::uint32_t i = 0; i < clock.size; ++i) {
    Entry& entry = heaps_[clock.begin + i];
    entry.mark -= clock.service;
    flows_[entry.lane].amount = entry.mark;
  }
  clock.service = 0;
}

void Completions::mark_stale(ResourceIndex resource) {
  if (clocks_[resource].stale) return;
  clocks_[resource].stale = true;
  stale_.push_back(resource);
}

void Completions::set_event(ResourceIndex resource, std::int64_t now, EventQueue& events) {
  Clock& clock = clocks_[resource];
  const EventQueue::Entity entity = first_entity_ + resource;
  clock.stale = false;
  advance(clock, now);
  if (clock.size == 0) return events.cancel(entity);
  set_or_stall(events, entity, next(clock));
}

std::int64_t Completions::next(const Clock& clock) const {
  const double wanted = std::max(0.0, heaps_[clock.begin].mark - clock.service);
  return completion_or_never(clock.since, wanted, clock.level);
}

void Completions::place(const Clock& clock, std::size_t position, const Entry& entry) {
  heaps_[clock.begin + position] = entry;
  flows_[entry.lane].position = static_cast<std::uint32_t>(position);
}

// Puts `entry` where it belongs, at `position`, above it or below it.
void Completions::sift(const Clock& clock, std::size_t position, const Entry& entry) {
  const std::span<const Entry> heap = std::span(heaps_).subspan(clock.begin, clock.size);
  engine::sift(
      heap, position, entry, [](const Entry& a, const Entry& b) { return a.mark < b.mark; },
      [&](std::size_t at, const Entry& moved) { place(clock, at, moved); });
}

}  // namespace syncsim::engine
