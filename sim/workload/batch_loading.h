#pragma once
// How ranks get their batches: before its forward of step t a rank needs a batch, which comes over
// the machine's links, sharing them with all else, and begins to when the rank begins the forward
// of step t - ahead. A rank has room for one batch more than that: each takes the place of one that
// the rank is through with, which the checker proves.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/schedule/builder.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LoadingOptions {
  Bytes bytes = {};               // a rank and step
  int ahead = 1;                  // 0: when forward is about to begin
  std::vector<NodeId> from = {};  // by rank: where its batches are
};

class BatchLoading {
 public:
  // `channel` is the batches' own. Keeps references. Made outside of scopes.
  BatchLoading(const LoadingOptions& options, const Topology& topology,
               std::span<const NodeId> ranks, std::uint16_t channel, ScheduleBuilder& builder);

  int ahead() const { return options_.ahead; }
  // Where a rank finds it.
  Slice batch(int step) const;
  // Brings it, not before that op of the rank (kNone: from the start on).
  void bring(int step, ParticipantId rank, OpId after);

 private:
  const LoadingOptions& options_;
  std::vector<ParticipantId> sources_;  // by rank
  std::uint16_t channel_;
  ScheduleBuilder& builder_;
  std::uint8_t buffer_;
};

}  // namespace syncsim
