#include "bench/flow_graph.h"

#include <algorithm>

namespace syncsim::bench {

FlowGraph::FlowGraph(const Schedule& schedule)
    : fabric_(Fabric::star(schedule.ranks)),
      successors_(schedule.edges.begin(), schedule.edges.end()) {
  flows_.reserve(schedule.ops.size());
  for (const Op& op : schedule.ops) {
    Flow flow{op.source, op.destination, schedule.bytes(op).count, 0, 0};
    if (op.kind == OpKind::compute) flow.duration = schedule.durations[op.source_chunk].ps;
    flows_.push_back(flow);
    begin_.push_back(op.successors);
  }
  begin_.push_back(static_cast<std::uint32_t>(schedule.edges.size()));
}

std::uint32_t FlowGraph::add(const Flow& flow) {
  flows_.push_back(flow);
  return size() - 1;
}

void FlowGraph::finish() {
  begin_.assign(flows_.size() + 1, 0);
  for (const Edge& edge : edges_) ++begin_[edge.from + 1];
  for (std::size_t flow = 0; flow < flows_.size(); ++flow) begin_[flow + 1] += begin_[flow];
  successors_.resize(edges_.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges_) successors_[next[edge.from]++] = edge.to;
  edges_.clear();
  edges_.shrink_to_fit();
}

std::uint64_t FlowGraph::transfers() const {
  return static_cast<std::uint64_t>(
      std::count_if(flows_.begin(), flows_.end(), [](const Flow& flow) { return flow.bytes > 0; }));
}

}  // namespace syncsim::bench
