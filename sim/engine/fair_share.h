#pragma once
// Max-min fair rates of flows that share resources (Bertsekas and Gallager, Data Networks, 6.5.2),
// by progressive filling: all flows grow with the same level l = rate / weight until
//   - a resource is full: sum over its flows of coefficient x rate = capacity; or
//   - a flow reaches its maximum rate;
// those flows are fixed and the rest grow on. A flow without resources and maximum has infinite
// rate.
//
// A solve visits only what the flows added and removed since the last one can reach; others keep
// their rates to the bit. Three exact rules bound the reach:
//  1. A flow's line rate is min(maximum, capacity / coefficient of its resources). A resource that
//     holds all its flows at their line rates is slack: it binds nobody and passes nothing on. (A
//     flow alone on its resources has its line rate, without a solve.)
//  2. Filling runs as before up to the lowest level at which a removed flow was fixed or a resource
//     with new flows can fill up; flows fixed below that level stay.
//  3. A flow removed and added again alike before the next solve changes nothing but its bytes.
//
// Slots are dense indices chosen by the caller (lanes); at most one flow a slot. Storage is
// reserved at construction: add, remove and solve do not allocate. Same calls, same bits.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/fair_share_state.h"
#include "sim/engine/lowest_level.h"
#include "sim/engine/network.h"

namespace syncsim::engine {

class FairShare {
 public:
  using Slot = std::uint32_t;

  // `most_uses[s]` is the longest route that slot s will ever take, `most_flows[r]` the number of
  // slots that may be on resource r at once. The network must outlive this, and not change.
  FairShare(const Network& network, std::span<const std::uint32_t> most_uses,
            std::span<const std::uint32_t> most_flows);

  // maximum_rate 0 means none.
  void add(Slot slot, RouteIndex route, double weight, double maximum_rate);
  void remove(Slot slot);

  // Brings all rates up to date and returns the slots that are new or whose rate changed (bit for
  // bit), in a fixed order. The span is valid until the next call.
  std::span<const Slot> solve();
  bool pending() const { return !pending_.empty(); }  // something was added or removed since

  bool active(Slot slot) const { return flows_[slot].active; }
  std::size_t active_count() const { return active_count_; }

  // All as of the last solve. Load of a resource: sum of coefficient x rate of its flows.
  double rate(Slot slot) const { return flows_[slot].rate; }
  double load(ResourceIndex resource) const { return ports_[resource].load; }
  std::size_t flows_on(ResourceIndex resource) const { return ports_[resource].size; }
  // Resources whose flows or rates the last solve changed; for accounting.
  std::span<const ResourceIndex> touched() const { return touched_; }

  // Throws InternalError unless, to 1e-9 relative: no resource is over capacity, and every flow is
  // at its maximum or has a saturated resource on which no flow has a larger rate / weight.
  void audit() const;

 private:
  using Flow = fair_share::Flow;
  using Place = fair_share::Place;
  using Member = fair_share::Member;
  using Port = fair_share::Port;

  void note(Slot slot);
  void link(Slot slot);
  void unlink(Slot slot);
  void mark_dirty(ResourceIndex resource);
  void touch(ResourceIndex resource);
  std::span<const Place> places(const Flow& flow) const;
  std::span<const Member> members(const Port& port) const;

  void begin_round();
  void apply_pending();
  void classify_dirty();
  void lower_floor();
  double least_fill_level(const Port& port) const;
  void gather();
  void visit_flow(Slot slot);
  void visit_port(ResourceIndex resource);
  void expand(ResourceIndex resource);
  void end_round();

  void fill();
  double fill_level(Port& port) const;
  void sum_open_weight(Port& port) const;
  double collect_bottlenecks();
  bool first_binds();
  void fix_flows_of(std::uint32_t id, double level);
  void fix(Slot slot, double rate, double level);
  void set_rate(Slot slot, double rate);

  const Network& network_;
  std::vector<Flow> flows_;
  std::vector<Port> ports_;
  std::vector<Place> places_;    // of each flow, one range each
  std::vector<Member> members_;  // of each port, one range each
  std::size_t active_count_ = 0;

  std::vector<Slot> pending_;
  std::vector<ResourceIndex> dirty_;       // resources that flows were added to or removed from
  double floor_ = fair_share::kUnlimited;  // flows fixed below this level stay
  std::vector<ResourceIndex> reached_;
  std::size_t open_ = 0;  // flows left to fix
  LowestLevel limits_;
  std::vector<std::uint32_t> bottlenecks_;
  std::vector<Slot> changed_;
  std::vector<ResourceIndex> touched_;
};

}  // namespace syncsim::engine
