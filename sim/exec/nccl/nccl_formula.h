#pragma once
// NCCL's own model of time (src/graph/tuning.cc): latency + bytes / bandwidth for each algorithm
// and protocol, the least of them. Nothing in it is fitted here; launch, the network's stack and
// copies through host memory are not in it.
//
// Point to point (send-recv, all-to-all, gather, scatter), which it has no model for, takes the
// ring's latency of one step, and the bytes between two ranks at the rate of their way.

#include <optional>
#include <span>
#include <string>

#include "sim/exec/nccl/nccl_graph.h"
#include "sim/exec/nccl/nccl_tuning.h"
#include "sim/schedule/collective.h"

namespace syncsim {

// What a run pinned by environment variables.
struct NcclPins {
  int channels = 0;                      // at most (NCCL_MAX_NCHANNELS); 0: not pinned
  std::optional<NcclProtocol> protocol;  // NCCL_PROTO
};

// From or to a root by a ring left open: broadcast, reduce.
bool is_chained(CollectiveKind kind);
// Without an algorithm: send-recv, all-to-all, gather, scatter.
bool is_point_to_point(CollectiveKind kind);

class NcclFormula {
 public:
  // Of a collective among these ranks. `directory`: topologies/rates. Throws InputError as
  // find_nccl_graph.
  NcclFormula(const Topology& topology, std::span<const NodeId> ranks, CollectiveKind kind,
              const std::string& directory, const NcclPins& pins = {});

  const NcclGraph& graph() const { return graph_; }
  const NcclTuning& tuning() const { return tuning_; }
  // GB/s, bytes of the collective a second; 0 where the machine or the collective does without.
  double bandwidth(NcclAlgorithm algorithm, NcclProtocol protocol) const;
  double latency(NcclAlgorithm algorithm, NcclProtocol protocol) const;  // us

  struct Choice {
    NcclAlgorithm algorithm = NcclAlgorithm::ring;
    NcclProtocol protocol = NcclProtocol::simple;
    double microseconds = 0;
  };
  // Of all algorithms, or of one; infinity where that does not apply.
  Choice best(Bytes bytes, std::optional<NcclAlgorithm> only = std::nullopt) const;

 private:
  double bus_bandwidth(NcclAlgorithm algorithm, NcclProtocol protocol) const;
  double ring_bandwidth(NcclProtocol protocol) const;
  double tree_bandwidth(NcclProtocol protocol) const;
  double nvls_bandwidth(bool tree) const;
  bool allowed(NcclAlgorithm algorithm, NcclProtocol protocol) const;
  double time(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes) const;
  double pairwise(double bytes) const;
  double cap(const ByNodes& row) const;  // infinity where there is none
  double ll_cap() const;

  double ring_latency(NcclProtocol protocol) const;
  double hop(NcclHop crossed, NcclAlgorithm algorithm, NcclProtocol protocol) const;
  double step(NcclAlgorithm algorithm, NcclProtocol protocol) const;  // us within a node
  double far_step(NcclAlgorithm algorithm, NcclProtocol protocol) const;

  CollectiveKind kind_;
  NcclPins pins_;
  NcclTuning tuning_;
  NcclGraph graph_;
  double peer_rate_ = 0;  // GB/s, of what goes point to point
};

}  // namespace syncsim
