#pragma once
// Who acts on a node in a schedule under construction.

#include <algorithm>
#include <span>

#include "sim/schedule/builder.h"
#include "sim/topology/topology.h"

namespace syncsim {

// The rank on that node (`ranks`: the nodes of ranks 0..n-1), or a helper there.
inline ParticipantId participant_on(NodeId node, const Topology& topology,
                                    std::span<const NodeId> ranks, ScheduleBuilder& builder) {
  const auto rank = std::find(ranks.begin(), ranks.end(), node);
  if (rank != ranks.end()) return static_cast<ParticipantId>(rank - ranks.begin());
  return builder.helper(topology.nodes()[node].id);
}

}  // namespace syncsim
