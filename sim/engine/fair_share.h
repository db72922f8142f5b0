#pragma once
// Max-min fair rates of flows that share resources (Bertsekas and Gallager, Data Networks, 6.5.2):
// what progressive filling gives. All flows grow with the same level l = rate / weight until
//   - a resource is full: sum over its flows of coefficient x rate = capacity; or
//   - a flow reaches its maximum rate;
// those flows are stopped and the rest grow on. A flow without resources and maximum has infinite
// rate.
//
// Rates are stated by level: all flows that a resource stops have its level, so that a change of
// level is one number, not one a flow. A solve visits only what the changes since the last one
// reach. Four exact rules:
//  1. A flow's line rate is min(maximum, capacity / coefficient of its resources). A resource that
//     holds all its flows at their line rates is slack: it stops nobody and passes nothing on. (A
//     flow alone on its resources has its line rate, without a solve.)
//  2. A flow removed and added again alike before the next solve changes nothing but its bytes.
//     While nobody is active nothing is solved: flows that come back alike find all as it was.
//  3. A state is the max-min solution if and only if every flow is at its line rate, or stopped by
//     a resource that is full and carries no flow of higher level (the bottleneck condition,
//     ibid.).
//  4. Where few flows change, who stops whom hardly changes; a ripple moves the levels and mends
//     rule 3 where it is broken (fair_share_ripple.cpp). Where many do, or the ripple does not come
//     to rest, all contended resources are filled anew (fair_share_fill.cpp).
// Cost: add and remove O(1), and O(route) in the solve (in add for a slot whose flow changes); a
// ripple O(uses of the flows whose rate changes + log resources for each whose level does), with a
// walk over a resource's flows only where one of them changes its bottleneck; a fill O(uses + log
// resources for each bottleneck); load O(flows on the resource). Memory, with all lists: 100 bytes
// a slot, 196 a resource, 32 a use.
//
// Slots are dense indices chosen by the caller (lanes); at most one flow a slot. Storage is
// reserved at construction: add, remove and solve do not allocate. Same calls, same bits.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/engine/capacity_changes.h"
#include "sim/engine/fair_share_state.h"
#include "sim/engine/level_queue.h"
#include "sim/engine/lowest_level.h"
#include "sim/engine/network.h"

namespace syncsim::engine {

class FairShare {
  using Flow = fair_share::Flow;
  using Place = fair_share::Place;
  using Member = fair_share::Member;
  using Port = fair_share::Port;

 public:
  using Slot = std::uint32_t;

  // How solve() works: as it sees fit, or always in one way, for tests and comparisons.
  enum class Method { best, fill, ripple };

  // `most_uses[s]` is the longest route that slot s will ever take, `most_flows[r]` the number of
  // slots that may be on resource r at once. The network must outlive this, and not change.
  FairShare(const Network& network, std::span<const std::uint32_t> most_uses,
            std::span<const std::uint32_t> most_flows, Method method = Method::best);

  // maximum_rate 0 means none.
  void add(Slot slot, RouteIndex route, double weight, double maximum_rate);
  void remove(Slot slot);

  // Capacities from the next solve on, each resource once; at most one call before that solve,
  // until which the changes must live. A capacity of 0 gives its flows the rate 0.
  void set_capacities(std::span<const CapacityChange> changes);
  double capacity(ResourceIndex resource) const { return ports_[resource].capacity; }

  // Brings all rates up to date. What is new then, each in a fixed order, until something is added,
  // removed or solved again:
  void solve();
  // Something was added, removed or given another capacity since.
  bool pending() const { return noted_; }
  // Slots that were added, or have another bottleneck or another line rate.
  std::span<const Slot> moved() const { return moved_; }
  // Resources whose level changed (bit for bit), and with it the rates of all that they stop.
  std::span<const ResourceIndex> changed() const { return changed_; }
  // Resources whose flows came or went, or that became or ceased to be saturated; for accounting.
  // While resting none has a flow; what is touched then is held back for the next solve with flows.
  std::span<const ResourceIndex> touched() const { return touched_; }

  std::size_t slot_count() const { return flows_.size(); }
  bool active(Slot slot) const { return flows_[slot].active; }
  std::size_t active_count() const { return active_count_; }
  bool resting() const { return active_count_ == 0; }

  // All as of the last solve.
  static constexpr ResourceIndex kNowhere = fair_share::kNowhere;
  ResourceIndex bottleneck(Slot slot) const { return flows_[slot].bottleneck; }  // or kNowhere
  double weight(Slot slot) const { return flows_[slot].weight; }
  RouteIndex route(Slot slot) const { return flows_[slot].route; }
  double level(ResourceIndex resource) const { return ports_[resource].level; }
  double rate(Slot slot) const {
    const Flow& flow = flows_[slot];
    return flow.bottleneck == kNowhere ? flow.line_rate
                                       : ports_[flow.bottleneck].level * flow.weight;
  }
  // Sum of coefficient x rate of its flows, summed on demand.
  double load(ResourceIndex resource) const;
  bool saturated(ResourceIndex resource) const {  // its capacity is used up (to 1e-9)
    if (resting()) return false;
    const Port& port = ports_[resource];
    if (port.contended) return port.own > 0 || port.full;
    return port.full && port.stopped == 0;
  }
  std::size_t flows_on(ResourceIndex resource) const {
    if (resting()) return 0;
    return ports_[resource].size + (ports_[resource].lone != fair_share::kNobody);
  }

  // Throws InternalError unless, to 1e-9 relative: no resource is over capacity, and every flow is
  // at its maximum or has a saturated resource on which no flow has a larger rate / weight.
  void audit() const;

 private:
  // Capacities that change.
  void apply_capacities();
  void report_flows_of(ResourceIndex resource);
  double present_line_rate(RouteIndex route) const;

  void note(Slot slot);
  void link(Slot slot);
  void unlink(Slot slot);
  void occupy(Slot slot);
  void leave(Slot slot);
  void give_places(Slot slot);
  void mark_changed(ResourceIndex resource);
  void mark_full(ResourceIndex resource);
  void touch(ResourceIndex resource);
  double level_of(const Flow& flow) const;
  std::span<const Place> places(const Flow& flow) const;
  std::span<const Member> members(const Port& port) const;

  void begin_round() {  // with the first change after a solve
    if (!noted_) forget_news();
    noted_ = true;
  }
  void forget_news();
  void apply_pending();
  void report_pending();
  void classify_dirty();
  void set_contended(ResourceIndex resource, bool contended);
  bool over_capacity(Port& port) const;
  double line_load(const Port& port) const;
  bool ripple_pays() const;

  // Own and foreign flows.
  void swap_members(const Port& port, std::uint32_t a, std::uint32_t b);
  void claim(Port& port, const Place& place);
  void disown(Port& port, const Place& place);
  void set_level(ResourceIndex resource, double level);
  void move(Slot slot, ResourceIndex bottleneck);
  void count_stopped(const Flow& flow, bool more);
  void report(Slot slot);

  // Rippling.
  void ripple();
  void review(ResourceIndex resource);
  void review_level(ResourceIndex resource);
  bool worn(const Port& port) const;
  void sum(Port& port);
  double level_when_full(ResourceIndex resource);
  void change_level(ResourceIndex resource, double level);
  void review_members(ResourceIndex resource);
  void stop_foreign(ResourceIndex resource, double level);
  void let_own_go(ResourceIndex resource, double level);
  void release_own(ResourceIndex resource);
  void hand_over(Slot slot, ResourceIndex to, double level);
  void feel(ResourceIndex resource, double change, double level);
  void call(ResourceIndex resource);
  void calm(Port& port);

  // Filling.
  void fill();
  void open_port(ResourceIndex resource);
  void close_port(ResourceIndex resource);
  void watch_line_rates(ResourceIndex resource);
  double fill_level(ResourceIndex resource);
  void sum_open(Port& port);
  double collect_bottlenecks();
  bool first_binds();
  bool idle(std::uint32_t id) const;
  void set_binding(std::uint32_t id, bool binding);
  ResourceIndex first_binding(const Flow& flow) const;
  void fix_flows_of(std::uint32_t id, double level);
  bool open(const Flow& flow) const { return flow.filled_in != fills_; }
  void fix(Slot slot, double level, ResourceIndex bottleneck);

  const Network& network_;
  const Method method_;
  LargeVector<Flow> flows_;
  std::vector<Port> ports_;
  LargeVector<Place> places_;    // of each flow, one range each
  LargeVector<Member> members_;  // of each port, one range each
  std::size_t active_count_ = 0;
  std::size_t used_ = 0;  // places of linked flows

  bool noted_ = false;   // something changed since the last solve
  bool rested_ = false;  // in the last solve nobody was active
  LargeVector<Slot> pending_;
  std::span<const CapacityChange> new_capacities_;  // of the next solve
  bool capacities_changed_ = false;                 // some may differ from the network's
  std::vector<ResourceIndex> dirty_;  // resources that flows were added to or removed from
  LargeVector<Slot> moved_;
  std::vector<ResourceIndex> changed_;
  std::vector<ResourceIndex> touched_;

  LevelQueue waiting_;      // to be reviewed
  std::size_t visits_ = 0;  // of places and members, in the running ripple

  std::vector<ResourceIndex> contended_;
  std::uint32_t fills_ = 0;
  LowestLevel limits_;
  std::vector<std::uint32_t> bottlenecks_;
};

inline void FairShare::add(Slot slot, RouteIndex route, double weight, double maximum_rate) {
  Flow& flow = flows_[slot];
  const double maximum = maximum_rate > 0 ? maximum_rate : fair_share::kUnlimited;
  const bool alike = flow.route == route && flow.weight == weight && flow.maximum == maximum;
  note(slot);
  if (flow.linked && !alike) unlink(slot);
  flow.active = true;
  ++active_count_;
  if (flow.linked) return;
  flow.route = route;
  flow.weight = weight;
  flow.maximum = maximum;
}

// Only noted: the same flow may be added again before the next solve.
inline void FairShare::remove(Slot slot) {
  flows_[slot].active = false;
  --active_count_;
  note(slot);
}

inline void FairShare::note(Slot slot) {
  begin_round();
  if (flows_[slot].pending) return;
  flows_[slot].pending = true;
  pending_.push_back(slot);
}

inline double FairShare::level_of(const Flow& flow) const {
  return flow.bottleneck == kNowhere ? flow.line_level : ports_[flow.bottleneck].level;
}

inline std::span<const FairShare::Place> FairShare::places(const Flow& flow) const {
  return {places_.data() + flow.begin, flow.uses};
}

// Its foreign flows take `change` more than before, one of them now having `level`. Hot: the one
// branch is hardly ever taken.
inline void FairShare::feel(ResourceIndex resource, double change, double level) {
  Port& port = ports_[resource];
  port.foreign += change;
  port.top = std::max(port.top, level);
  ++port.updates;
  if (port.foreign < port.least_calm || port.foreign > port.most_calm) call(resource);
}

}  // namespace syncsim::engine
