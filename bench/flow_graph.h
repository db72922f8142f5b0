#pragma once
// Flows and what they wait for: the description of a work that our engine and a peer both read, so
// that both run the same one. A flow starts when all its predecessors have finished and `start` has
// come; it pays its route's latency, then its bytes share the links max-min fairly.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/fabric.h"
#include "sim/schedule/schedule.h"

namespace syncsim::bench {

struct Flow {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::int64_t bytes = 0;     // 0: no transfer, but a wait of `duration`; a join when that is 0
  std::int64_t start = 0;     // ps, at the earliest
  std::int64_t duration = 0;  // ps
};

class FlowGraph {
 public:
  explicit FlowGraph(const Fabric& fabric) : fabric_(fabric) {}
  // A schedule on a star, rank r on host r. The edges must imply the order of every lane: lanes
  // are the engine's own rule, of which a graph of flows knows nothing.
  explicit FlowGraph(const Schedule& schedule);

  std::uint32_t add(const Flow& flow);
  void edge(std::uint32_t from, std::uint32_t to) { edges_.push_back({from, to}); }
  void finish();  // after the last edge, before successors()

  const Fabric& fabric() const { return fabric_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(flows_.size()); }
  const Flow& operator[](std::uint32_t flow) const { return flows_[flow]; }
  std::span<const std::uint32_t> successors(std::uint32_t flow) const {
    return std::span(successors_).subspan(begin_[flow], begin_[flow + 1] - begin_[flow]);
  }
  std::uint64_t transfers() const;  // flows with bytes

 private:
  struct Edge {
    std::uint32_t from;
    std::uint32_t to;
  };

  Fabric fabric_;
  std::vector<Flow> flows_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> successors_;
};

}  // namespace syncsim::bench
