#pragma once
// The steps of a schedule's thread blocks, with what they wait for.
//
// Steps of one GPU that MSCCL would let add to one chunk at the same time are kept apart: the later
// one receives into scratch and adds from there, after the one before it. A step waits for one
// other at most; nops before it wait for the rest.

#include <cstdint>
#include <map>
#include <vector>

#include "sim/schedule/msccl/blocks.h"
#include "sim/schedule/msccl/cells.h"

namespace syncsim::msccl {

// Joins, and signals of a participant to itself: they only wait.
inline bool only_waits(const Op& op) {
  const bool is_signal = op.kind == OpKind::copy && op.chunk_count == 0;
  return op.kind == OpKind::join || (is_signal && op.source == op.destination);
}

// What each op waits for, those that only wait dissolved. Throws InputError where that is too much.
std::vector<std::vector<OpId>> waits_without_joins(const Schedule& schedule);

// Ops that must not add at once: each with the one whose addition comes before.
struct Turns {
  std::vector<bool> apart;                // by op: receives into scratch first
  std::vector<bool> first;                // by op: what it adds to holds nothing, so it copies
  std::vector<std::vector<OpId>> before;  // by op: additions to wait for
};
Turns take_turns(const Schedule& schedule, const std::vector<std::vector<OpId>>& waits,
                 const Units& units);

// The GPUs' thread blocks. Takes more scratch of `units`.
std::vector<std::vector<ThreadBlock>> steps_of(const Schedule& schedule, bool merging,
                                               Units& units);

}  // namespace syncsim::msccl
