#pragma once
// Max-min fair rates of flows that share resources (Bertsekas and Gallager, Data Networks, 6.5.2),
// by progressive filling: all flows grow with the same level l = rate / weight until
//   - a resource is full: sum over its flows of coefficient x rate = capacity; or
//   - a flow reaches its maximum rate;
// those flows are fixed and the rest grow on. A flow without resources and maximum has infinite rate.
//
// Solving touches only the connected component (over shared resources) of what was added or removed
// since the last solve; others keep their rates to the bit. Slots are dense indices chosen by the
// caller (lanes); at most one flow a slot. Storage is reserved at construction: add, remove and
// solve do not allocate. Same calls, same bits.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/network.h"

namespace syncsim::engine {

class FairShare {
 public:
  using Slot = std::uint32_t;

  // `most_uses[s]` is the longest route that slot s will ever take. The network must outlive this.
  FairShare(const Network& network, std::span<const std::uint32_t> most_uses);

  // maximum_rate 0 means none.
  void add(Slot slot, RouteIndex route, double weight, double maximum_rate);
  void remove(Slot slot);

  // Brings all rates up to date and returns the slots whose rate changed (bit for bit), in a fixed
  // order. The span is valid until the next call.
  std::span<const Slot> solve();

  double rate(Slot slot) const { return rate_[slot]; }
  bool active(Slot slot) const;
  std::size_t active_count() const;

  // Load of a resource: sum of coefficient x rate of its flows, as of the last solve.
  double load(ResourceIndex resource) const;
  std::size_t flows_on(ResourceIndex resource) const;
  // Resources whose flows or rates the last solve touched; for accounting.
  std::span<const ResourceIndex> touched() const;

  // Throws InternalError unless, to 1e-9 relative: no resource is over capacity, and every flow is
  // at its maximum or has a saturated resource on which no flow has a larger rate / weight.
  void audit() const;

 private:
  std::vector<double> rate_;
};

}  // namespace syncsim::engine
