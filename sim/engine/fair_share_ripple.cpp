// Carries a small change through the max-min solution, from low levels to high ones. Filling up to
// level w ("water") runs as before where nothing that changed lies below w. So:
//  - A resource waits for the lower of its old level and its new one, as far as that is known
//    (the estimate, which counts flows stopped elsewhere at the levels that they have now).
//  - At its old level, when it is not full: its flows are released, they rise beyond what they had.
//    Only now the other resources on their routes may fill up earlier.
//  - At its new level it is settled: it stops every flow on it that would rise further. The other
//    resources of flows that are slowed fill up later; they wait for their old levels.
// A level that comes out as it was, to rounding, is left as it was, and ends the ripple there.

#include <algorithm>
#include <limits>

#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kNowhere;
using fair_share::kUnlimited;

namespace {

constexpr double kSame = 1e-13;  // levels that differ by less are the same, computed in two ways
constexpr double kAbove = 1 + kSame;
constexpr double kBelow = 1 - kSame;

// A ripple that has looked at as many members as there are, and these, goes on as a fill.
constexpr std::size_t kFreeVisits = 64;

}  // namespace

void FairShare::start_ripple() {
  water_ = 0;
  visits_ = 0;
  for (const ResourceIndex r : dirty_) {
    enter(r);
    may_fall(r);
  }
}

// Ends when nothing waits any more, or when it has spread too far.
void FairShare::ripple() {
  const std::size_t most =
      method_ == Method::ripple ? std::numeric_limits<std::size_t>::max() : kFreeVisits + used_;
  while (visits_ <= most) {
    estimate_falling();
    if (waiting_.empty()) break;
    step(waiting_.first());
  }
}

void FairShare::step(ResourceIndex resource) {
  Port& port = ports_[resource];
  Wave& wave = waves_[resource];
  water_ = std::max(water_, waiting_.first_level());
  if (wave.stale) {
    wait(resource);
  } else if (!wave.released && wave.estimate > port.level * kAbove) {
    release(resource);
  } else {
    const bool same = !wave.released && wave.estimate >= port.level * kBelow;
    settle(resource, same ? port.level : wave.estimate);
  }
}

void FairShare::estimate_falling() {
  while (!falling_.empty()) {
    const ResourceIndex resource = falling_.back();
    falling_.pop_back();
    waves_[resource].falling = false;
    wait(resource);
  }
}

// For the lower of the old level and the new one; for nothing when it stops nobody.
void FairShare::wait(ResourceIndex resource) {
  Wave& wave = waves_[resource];
  if (wave.stale) wave.estimate = estimated(resource);
  wave.stale = false;
  const double level = std::min(ports_[resource].level, wave.estimate);
  if (level < kUnlimited) {
    waiting_.set(resource, level);
  } else {
    waiting_.remove(resource);
  }
}

// The level at which the resource is full if flows stopped elsewhere stay so: Newton from below on
// sum of coefficient x weight x min(level, the flow's own) = capacity, which ends exactly.
double FairShare::estimated(ResourceIndex resource) {
  const Port& port = ports_[resource];
  if (!port.contended) return kUnlimited;
  for (double level = water_;;) {
    double stopped = 0;
    double rising = 0;
    double next_stop = kUnlimited;
    for (const Member& member : members(port)) {
      const Flow& flow = flows_[member.slot];
      const double own = flow.bottleneck == resource ? flow.line_level : flow.level;
      const bool rises = own > level;  // selected, not branched on: no one can predict it
      stopped += rises ? 0 : member.share * own;
      rising += rises ? member.share : 0;
      next_stop = std::min(next_stop, rises ? own : kUnlimited);
    }
    visits_ += port.size;
    if (rising == 0) return kUnlimited;
    const double full = (port.capacity - stopped) / rising;
    if (!(full > level)) return level;
    if (full <= next_stop) return full;
    level = full;
  }
}

void FairShare::release(ResourceIndex resource) {
  Port& port = ports_[resource];
  const double level = port.level;
  waves_[resource].released = true;
  port.level = kUnlimited;
  visits_ += port.size;
  for (const Member& member : members(port)) {
    Flow& flow = flows_[member.slot];
    if (flow.bottleneck != resource) continue;
    flow.bottleneck = kNowhere;
    flow.level = flow.line_level;
    move(member.slot);
    for (const Place& place : places(flow)) {
      if (place.resource == resource) continue;
      if (waves_[place.resource].settled) {  // at this very level: the flow rises no further
        flow.bottleneck = place.resource;
        flow.level = level;
        waves_[resource].stale = true;
      } else {
        may_fall(place.resource);
      }
    }
  }
  wait(resource);
}

void FairShare::settle(ResourceIndex resource, double level) {
  Port& port = ports_[resource];
  waves_[resource].settled = true;
  waiting_.remove(resource);
  port.level = level;
  visits_ += port.size;
  for (const Member& member : members(port)) {
    Flow& flow = flows_[member.slot];
    const bool own = flow.bottleneck == resource;
    if (own ? flow.level == level : flow.level <= level * kAbove) continue;
    flow.level = level;
    flow.bottleneck = resource;
    move(member.slot);
    for (const Place& place : places(flow))
      if (place.resource != resource) may_rise(place.resource);
  }
}

void FairShare::enter(ResourceIndex resource) {
  Wave& wave = waves_[resource];
  if (wave.entered) return;
  wave = {};
  wave.entered = true;
  entered_.push_back(resource);
}

// A flow on it has been released: it may be full from here on.
void FairShare::may_fall(ResourceIndex resource) {
  if (!passes_on(ports_[resource])) return;
  enter(resource);
  Wave& wave = waves_[resource];
  wave.stale = true;
  if (wave.falling) return;
  wave.falling = true;
  falling_.push_back(resource);
}

// A flow on it has been slowed. Nothing is different below its old level.
void FairShare::may_rise(ResourceIndex resource) {
  Wave& wave = waves_[resource];
  if (wave.settled) return;
  if (!wave.entered) {
    if (!(ports_[resource].level < kUnlimited)) return;
    enter(resource);
    waiting_.set(resource, ports_[resource].level);
  }
  wave.stale = true;
}

void FairShare::move(Slot slot) {
  Flow& flow = flows_[slot];
  if (flow.moved) return;
  flow.moved = true;
  moved_.push_back(slot);
}

}  // namespace syncsim::engine
