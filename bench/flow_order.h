#pragma once
// Which flows may begin: counts the predecessors that are left.

#include <cstdint>
#include <vector>

#include "bench/flow_graph.h"

namespace syncsim::bench {

class FlowOrder {
 public:
  explicit FlowOrder(const FlowGraph& flows) : flows_(flows), left_(flows.size(), 0) {
    for (std::uint32_t flow = 0; flow < flows.size(); ++flow)
      for (const std::uint32_t next : flows.successors(flow)) ++left_[next];
  }

  // Calls begin(flow) for every flow without predecessors.
  template <class Begin>
  void start(Begin&& begin) const {
    std::vector<std::uint32_t> first;
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow)
      if (left_[flow] == 0) first.push_back(flow);
    for (const std::uint32_t flow : first) begin(flow);
  }
  // Calls begin(flow) for every flow that waited for this one alone.
  template <class Begin>
  void finish(std::uint32_t flow, Begin&& begin) {
    for (const std::uint32_t next : flows_.successors(flow))
      if (--left_[next] == 0) begin(next);
  }

 private:
  const FlowGraph& flows_;
  std::vector<std::uint32_t> left_;
};

}  // namespace syncsim::bench
