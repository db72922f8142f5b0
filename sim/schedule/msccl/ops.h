#pragma once
// The ops of an MSCCL plan, and what each waits for.
//
// A send and its receive become one op, which starts when the sender comes to its step and ends
// when the receiver has the data; rrs and a sum out of place first copy the local summand. An op
// waits, as its thread blocks say, for
//   1. what its sender did before in the block: all but its sends, which nobody waits for;
//   2. what its steps depend on;
//   3. what it overwrites or reads, where the plan orders the two (msccl/accesses.h).
// Where that makes ops wait for each other though the steps do not (two GPUs that exchange one
// chunk in place), the transfers in question are cut in two: into memory of their own, as MSCCL's
// channels have it, and from there to their place.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/schedule/msccl/accesses.h"
#include "sim/schedule/msccl/layout.h"
#include "sim/schedule/msccl/order.h"

namespace syncsim::msccl {

struct PlannedOps {
  std::vector<Op> ops;                       // Op::successors is of no account
  std::vector<std::pair<Node, Node>> edges;  // sorted, each once
  std::vector<std::uint32_t> message;        // by op: the receiving step, kNone for local ones
  std::vector<std::uint32_t> in_flight;      // chunks, by GPU
  std::uint32_t channels = 0;                // with those of local ops, one a thread block
  std::optional<Violation> violation;        // adds to what holds nothing, or without an order
};

// `cut`: which receiving steps get their data by way of other memory.
PlannedOps planned_ops(const Algorithm& algorithm, const StepOrder& order, const Layout& layout,
                       const std::vector<bool>& cut);

}  // namespace syncsim::msccl
