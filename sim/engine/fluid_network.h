#pragma once
// Runs a DAG of transfers on a network of max-min fair fluid flows. Rules:
//  1. Time is integer picoseconds; rates and remaining bytes are doubles.
//  2. A flow ends when its completion event fires, never by comparing a remainder with an epsilon.
//  3. Completion: with t = remaining x 1e12 / rate, now + ceil(t - t x 2^-48). (Plain ceil is 1 ps
//     high for 1 MB at 25/11 GB/s, and such picoseconds would split symmetric batches.)
//  4. All events of one timestamp are drained, then rates are solved once.
//  5. Only flows whose rate changed get a new completion; those that one resource stops get it by
//     the resource's clock (completions.h), which is exact to a few roundings of the flow's bytes.
//  6. Equal times run in sequence order, the flows of a clock in the order of their marks.
//  7. Lanes: the ops of a lane carry bytes one at a time, in op order, and never overtake. With
//     ready = latest finish of the dependencies, o = overhead, L = latency:
//       start = max(ready + o + L, end of the lane's previous op + o), finish = end of the flow.
//  8. No event left and ops unfinished is a Deadlock that names the blocked ops, and of flows that
//     stall the resources that stall them.
//  9. A work may name a number of essential ops, its first: the run ends with the instant at which
//     they are done. What other flows have carried until then counts, to the nearest byte.
// 10. A capacity may change at given times, to 0 too; one of that very capacity changes nothing.
//     Changes count with the other events of their instant, before the one solve; what is carried
//     stays carried. A flow over a resource of capacity 0 stalls: its rate is 0, it has no
//     completion, and it goes on with its bytes when capacity comes back. Latencies do not change.
//     Changes after the last op's finish are passed over.
// 11. A watch that says stop ends the run between two instants. What flows have carried until then
//     counts as in rule 9, and the totals' finish is the instant reached.
// Ops of no bytes, and flows that nothing limits, finish when they start. An op with a duration
// (compute) finishes `duration` after its start. An op without a lane (join) takes no time.
//
// `Work` is any type with these members (flat arrays behind them; called in the hot path, so
// inline):
//   std::uint32_t size() const;                          number of ops
//   std::span<const std::uint32_t> successors(op) const; edges; lanes need none
//   std::uint32_t lane_count() const;
//   const Lane& lane(lane) const;
//   std::uint32_t lane_of(op) const;                     kNoLane: a join
//   RouteIndex route_of(op) const;                       of ops with bytes
//   std::int64_t bytes_of(op) const;
//   std::int64_t duration_of(op) const;                  picoseconds, of ops without bytes
//   std::int64_t release_of(op) const;                   not ready before this time (0: none)
//   std::uint32_t essential() const;                     optional: of rule 9; without it all
// `Recorder` gets record(op, ready, start, finish) for every op, in order of finish; the times are
// picoseconds, std::int64_t. One that also has solved(const FairShare&, now) is told of the new rates
// after every solve.

#include <span>

#include "sim/engine/capacity_changes.h"
#include "sim/engine/fluid_network_run.h"
#include "sim/engine/lane.h"
#include "sim/engine/network.h"
#include "sim/engine/outcome.h"

namespace syncsim::engine {

// Audit::on checks, after every solve, capacities and the max-min certificate, and at every
// completion that exactly the op's bytes were carried (to rate x 1 ps + 1e-9 of them); it throws
// InternalError. `changes` ascend by time and resource, and must outlive the run. Throws InputError
// when a time would pass int64 picoseconds.
//
// Cost: an op takes O(edges + log lanes) and its share of a solve (fair_share.h) an instant; an
// audit O(lanes + resources + uses) a solve. Memory: 12 bytes an op, 16 a join, up to 250 a lane
// and 50 for each use of its longest route, up to 400 a resource. Between setting up and returning
// nothing is allocated.
template <class Work, class Recorder>
Totals run(const Network& network, const Work& work, Recorder& recorder, Audit audit,
           std::span<const CapacityChange> changes = {}, Watch* watch = nullptr) {
  return Run<Work, Recorder>(network, work, recorder, audit, changes, watch).finish();
}

}  // namespace syncsim::engine
