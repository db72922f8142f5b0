// Carries a small change through the max-min solution. Between changes every contended resource
// keeps
//   level = (capacity - load of its foreign flows) / weight of its own ones,
// and no foreign flow has a higher level than it. Who changes calls, through the flows that he
// stops, the resources where these are foreign; who is called is reviewed:
//  - While its own and foreign flows stay what they are, a review is the line above: O(1). Its new
//    level is then felt by the other resources of its own flows.
//  - When a foreign flow comes to be above its level, it stops that flow from now on; when its
//    level rises over the line rate of an own one, it lets that flow go. Only then it looks at all
//    its flows. `top` and `least_line_level` are bounds that tell when.
// A resource depends on those of lower level only, hence reviews run from low levels to high ones,
// and each is mostly reviewed once; later calls repeat a review. When nobody is called any more the
// bottleneck condition holds, and the solution is unique: so the way there does not matter. A level
// that comes out as it was, to rounding, is left as it was, and ends the ripple there.

#include <algorithm>
#include <limits>

#include "sim/engine/fair_share.h"

namespace syncsim::engine {

using fair_share::kLeastWeight;
using fair_share::kOverfull;
using fair_share::kSaturated;
using fair_share::kUnlimited;
using fair_share::kWornOut;

namespace {

constexpr double kSame = 4e-15;  // levels that differ by less are the same, computed in two ways
constexpr double kAbove = 1 + kSame;
constexpr double kBelow = 1 - kSame;

// Running sums are summed anew when they may have lost digits: after so many updates a flow, when
// little is left of the weight, or when this part of the capacity is left to own flows.
constexpr std::uint32_t kMostUpdates = 4;
constexpr double kLeastRoom = 1.0 / 64;

// A ripple that has looked at as many places and members as there are, times this, and these, does
// not come to rest.
constexpr std::size_t kMostVisits = 2;
constexpr std::size_t kFreeVisits = 64;
// Of a ripple that may not give up.
constexpr std::size_t kPatience = 1'000;

bool same(double a, double b) { return a <= b * kAbove && a >= b * kBelow; }

}  // namespace

void FairShare::ripple() {
  const std::size_t patience = method_ == Method::ripple ? kPatience : 1;
  const std::size_t most = (kFreeVisits + kMostVisits * used_) * patience;
  visits_ = 0;
  while (!waiting_.empty() && visits_ <= most) review(waiting_.pop());
}

void FairShare::call(ResourceIndex resource) {
  Port& port = ports_[resource];
  port.waiting = true;
  calm(port);
  waiting_.push(resource, port.own > 0 ? port.level : port.top);
}

// A resource with own flows feels every change; one without only what makes it full, or no longer.
void FairShare::calm(Port& port) {
  port.least_calm = -kUnlimited;
  port.most_calm = kUnlimited;
  if (!port.contended || port.waiting) return;
  if (port.own > 0) {
    port.most_calm = -kUnlimited;
  } else if (port.full) {
    port.least_calm = port.capacity * kSaturated;
    port.most_calm = port.capacity;
  } else {
    port.most_calm = port.capacity * kSaturated;
  }
}

void FairShare::review(ResourceIndex resource) {
  Port& port = ports_[resource];
  port.waiting = false;
  if (!port.contended) return;
  if (worn(port)) sum(port);
  const bool overfull = port.foreign > port.capacity * kOverfull;
  if (port.own > 0) {
    review_level(resource);
  } else {
    if (port.foreign > port.capacity * kAbove) review_members(resource);
    mark_full(resource);
  }
  calm(port);
  if (!overfull) return;
  port.updates = kWornOut;
  if (!port.waiting) call(resource);
}

void FairShare::review_level(ResourceIndex resource) {
  const Port& port = ports_[resource];
  const double level = (port.capacity - port.foreign) / port.own_weight;
  if (port.top > level * kAbove || level > port.least_line_level * kAbove) {
    review_members(resource);
  } else if (!same(level, port.level)) {
    change_level(resource, level);
  }
}

bool FairShare::worn(const Port& port) const {
  if (port.updates > kMostUpdates * (port.size + 1)) return true;
  if (port.own == 0) return false;
  return port.own_weight < port.summed_weight * kLeastWeight ||
         (port.updates > 0 && port.capacity - port.foreign < port.capacity * kLeastRoom);
}

void FairShare::sum(Port& port) {
  const std::span<const Member> all = members(port);
  visits_ += all.size();
  port.updates = 0;
  port.own_weight = 0;
  port.least_line_level = kUnlimited;
  for (const Member& member : all.first(port.own)) {
    port.own_weight += member.share;
    port.least_line_level = std::min(port.least_line_level, flows_[member.slot].line_level);
  }
  port.summed_weight = port.own_weight;
  port.foreign = 0;
  port.top = 0;
  for (const Member& member : all.subspan(port.own)) {
    const double level = level_of(flows_[member.slot]);
    port.foreign += member.share * level;
    port.top = std::max(port.top, level);
  }
}

void FairShare::change_level(ResourceIndex resource, double level) {
  const Port& port = ports_[resource];
  const double change = level - port.level;
  for (const Member& member : members(port).first(port.own)) {
    const Flow& flow = flows_[member.slot];
    visits_ += flow.uses;
    for (const Place& place : places(flow))
      if (place.resource != resource) feel(place.resource, place.share * change, level);
  }
  set_level(resource, level);
}

void FairShare::review_members(ResourceIndex resource) {
  Port& port = ports_[resource];
  double level = level_when_full(resource);
  if (level == kUnlimited) return release_own(resource);
  if (port.own > 0 && same(level, port.level)) level = port.level;
  // First, so that others never feel them at a level that they do not reach.
  let_own_go(resource, level);
  if (port.own > 0 && level != port.level) change_level(resource, level);
  stop_foreign(resource, level);
  if (port.own > 0 && level != port.level) set_level(resource, level);
}

// The level at which it is full, if flows stopped elsewhere stay so: Newton from below on
// sum of share x min(level, the flow's own) = capacity, which ends exactly.
double FairShare::level_when_full(ResourceIndex resource) {
  const Port& port = ports_[resource];
  const std::span<const Member> all = members(port);
  double level = port.own > 0 ? (port.capacity - port.foreign) / port.own_weight : 0;
  for (level = std::max(level, 0.0);;) {
    double stopped = 0;
    double rising = 0;
    double next_stop = kUnlimited;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const Flow& flow = flows_[all[i].slot];
      const double own = i < port.own ? flow.line_level : level_of(flow);
      const bool rises = own > level;  // selected, not branched on: no one can predict it
      stopped += rises ? 0 : all[i].share * own;
      rising += rises ? all[i].share : 0;
      next_stop = std::min(next_stop, rises ? own : kUnlimited);
    }
    visits_ += all.size();
    if (rising == 0) return kUnlimited;
    const double full = (port.capacity - stopped) / rising;
    if (!(full > level)) return level;
    if (full <= next_stop) return full;
    level = full;
  }
}

void FairShare::stop_foreign(ResourceIndex resource, double level) {
  Port& port = ports_[resource];
  port.top = 0;
  for (std::uint32_t i = port.own; i < port.size; ++i) {
    const Slot slot = members_[port.begin + i].slot;
    const double others = level_of(flows_[slot]);
    if (others > level * kAbove) {
      hand_over(slot, resource, level);
      port.least_line_level = std::min(port.least_line_level, flows_[slot].line_level);
    } else {
      port.top = std::max(port.top, others);
    }
  }
}

void FairShare::let_own_go(ResourceIndex resource, double level) {
  Port& port = ports_[resource];
  port.least_line_level = kUnlimited;
  for (std::uint32_t i = port.own; i-- > 0;) {
    const Slot slot = members_[port.begin + i].slot;
    const double line_level = flows_[slot].line_level;
    if (line_level < level * kBelow) {
      hand_over(slot, kNowhere, line_level);
    } else {
      port.least_line_level = std::min(port.least_line_level, line_level);
    }
  }
}

void FairShare::release_own(ResourceIndex resource) {
  const Port& port = ports_[resource];
  for (std::uint32_t i = port.own; i-- > 0;) {
    const Slot slot = members_[port.begin + i].slot;
    hand_over(slot, kNowhere, flows_[slot].line_level);
  }
}

// From what stopped it to what stops it now.
void FairShare::hand_over(Slot slot, ResourceIndex to, double level) {
  const Flow& flow = flows_[slot];
  const ResourceIndex from = flow.bottleneck;
  const double before = level_of(flow);
  visits_ += flow.uses;
  for (const Place& place : places(flow)) {
    Port& port = ports_[place.resource];
    if (place.resource == from) disown(port, place);
    if (place.resource == to) {
      claim(port, place);
      port.foreign -= place.share * before;
      ++port.updates;
    } else {
      feel(place.resource, place.share * (place.resource == from ? level : level - before), level);
    }
  }
  move(slot, to);
}

}  // namespace syncsim::engine
