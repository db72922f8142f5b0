#pragma once
// Max-min fair rates of flows that share resources (Bertsekas and Gallager, Data Networks, 6.5.2),
// by progressive filling: all flows grow with the same level l = rate / weight until
//   - a resource is full: sum over its flows of coefficient x rate = capacity; or
//   - a flow reaches its maximum rate;
// those flows are fixed and the rest grow on. A flow without resources and maximum has infinite
// rate.
//
// A solve visits only what the flows added and removed since the last one change. Three exact
// rules:
//  1. A flow's line rate is min(maximum, capacity / coefficient of its resources). A resource that
//     holds all its flows at their line rates is slack: it stops nobody and passes nothing on. (A
//     flow alone on its resources has its line rate, without a solve.)
//  2. A flow removed and added again alike before the next solve changes nothing but its bytes.
//  3. Where few flows change, a ripple runs through the levels from below and enters a resource
//  only
//     when a flow on it is about to rise or has been slowed (fair_share_ripple.cpp). Where many do,
//     or the ripple spreads too far, all that is connected is filled anew (fair_share_fill.cpp).
// Cost: a fill takes O(uses x log resources) of the connected flows, a ripple a few walks over the
// flows of the resources whose level changes. Memory: 72 bytes a slot, 120 a resource, 32 a use.
//
// Slots are dense indices chosen by the caller (lanes); at most one flow a slot. Storage is
// reserved at construction: add, remove and solve do not allocate. Same calls, same bits.

#include <cstdint>
#include <span>
#include <vector>

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
  using Wave = fair_share::Wave;
  using Account = fair_share::Account;

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

  // Brings all rates up to date and returns the slots that are new or whose rate changed (bit for
  // bit), in a fixed order. The span is valid until the next call.
  std::span<const Slot> solve();
  bool pending() const { return !pending_.empty(); }  // something was added or removed since

  bool active(Slot slot) const { return flows_[slot].active; }
  std::size_t active_count() const { return active_count_; }

  // All as of the last solve. Load of a resource: sum of coefficient x rate of its flows, summed on
  // demand.
  double rate(Slot slot) const { return flows_[slot].rate; }
  double load(ResourceIndex resource) const;
  bool saturated(ResourceIndex resource) const {  // its capacity is used up (to 1e-9)
    const Port& port = ports_[resource];
    return port.level < fair_share::kUnlimited ||
           (port.full && (port.lone != fair_share::kNobody || all_at_line_rate(port)));
  }
  std::size_t flows_on(ResourceIndex resource) const {
    return ports_[resource].size + (ports_[resource].lone != fair_share::kNobody);
  }
  // Resources whose flows or level the last solve changed; for accounting.
  std::span<const ResourceIndex> touched() const { return touched_; }

  // Throws InternalError unless, to 1e-9 relative: no resource is over capacity, and every flow is
  // at its maximum or has a saturated resource on which no flow has a larger rate / weight.
  void audit() const;

 private:
  void note(Slot slot);
  void link(Slot slot);
  void unlink(Slot slot);
  void occupy(Slot slot);
  void leave(Slot slot);
  void give_places(Slot slot);
  void mark_changed(ResourceIndex resource);
  void set_full(Port& port);
  void touch(ResourceIndex resource);
  bool passes_on(const Port& port) const;
  std::span<const Place> places(const Flow& flow) const;
  std::span<const Member> members(const Port& port) const;

  void begin_round();
  void apply_pending();
  void classify_dirty();
  void set_contended(ResourceIndex resource, bool contended);
  bool over_capacity(Port& port) const;
  double line_load(const Port& port) const;
  bool all_at_line_rate(const Port& port) const;
  bool ripple_pays() const;
  void end_round();
  double settled_rate(const Flow& flow) const;
  void report_pending();
  void set_rate(Slot slot, double rate);

  // Rippling.
  void start_ripple();
  void ripple();
  bool rippling() const { return !falling_.empty() || !waiting_.empty(); }
  void estimate_falling();
  void step(ResourceIndex resource);
  double estimated(ResourceIndex resource);
  void release(ResourceIndex resource);
  void settle(ResourceIndex resource, double level);
  void enter(ResourceIndex resource);
  void may_fall(ResourceIndex resource);
  void may_rise(ResourceIndex resource);
  void move(Slot slot);
  void wait(ResourceIndex resource);

  // Filling.
  void fill_from_water();
  void free_flows_of(ResourceIndex resource);
  void open_port(ResourceIndex resource);
  void sum_open(ResourceIndex resource);
  void watch_line_rates(ResourceIndex resource);
  void fill();
  double fill_level(ResourceIndex resource);
  void sum_open_weight(ResourceIndex resource);
  double collect_bottlenecks();
  bool first_binds();
  bool idle(std::uint32_t id) const;
  void fix_flows_of(std::uint32_t id, double level);
  bool open(const Flow& flow) const { return flow.stopped_in != fills_ && flow.level >= floor_; }
  void fix(Slot slot, double rate, double level, ResourceIndex bottleneck);

  const Network& network_;
  const Method method_;
  std::vector<Flow> flows_;
  std::vector<double> maxima_;  // of the flows
  std::vector<Port> ports_;
  std::vector<Place> places_;    // of each flow, one range each
  std::vector<Member> members_;  // of each port, one range each
  std::size_t active_count_ = 0;
  std::size_t full_ = 0;  // slack resources that may be full
  std::size_t used_ = 0;  // places of linked flows

  std::vector<Slot> pending_;
  std::vector<ResourceIndex> dirty_;  // resources that flows were added to or removed from
  std::vector<Slot> changed_;
  std::vector<ResourceIndex> touched_;

  std::vector<Wave> waves_;
  LevelQueue waiting_;
  std::vector<ResourceIndex> entered_;
  std::vector<ResourceIndex> falling_;  // whose estimate may be too high
  std::vector<Slot> moved_;
  double water_ = 0;        // all levels below it stand
  std::size_t visits_ = 0;  // of members, in the running ripple

  std::vector<ResourceIndex> contended_;
  std::vector<Account> accounts_;  // of contended resources, while filling
  std::uint32_t fills_ = 0;
  double floor_ = 0;  // of the running fill: flows below it stay
  LowestLevel limits_;
  std::vector<std::uint32_t> bottlenecks_;
};

inline void FairShare::add(Slot slot, RouteIndex route, double weight, double maximum_rate) {
  Flow& flow = flows_[slot];
  const double maximum = maximum_rate > 0 ? maximum_rate : fair_share::kUnlimited;
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
inline void FairShare::remove(Slot slot) {
  Flow& flow = flows_[slot];
  flow.active = false;
  flow.renewed = false;
  --active_count_;
  note(slot);
}

inline void FairShare::note(Slot slot) {
  if (flows_[slot].pending) return;
  flows_[slot].pending = true;
  pending_.push_back(slot);
}

}  // namespace syncsim::engine
