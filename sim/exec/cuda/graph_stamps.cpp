// Graphs that take the times of their ops.

#include "sim/exec/cuda/graph_plan.h"

namespace syncsim {
namespace {

class Stamped {
 public:
  explicit Stamped(const GraphPlan& plan) : plan_(plan) {
    result_.ops.resize(plan.ops.size());
    result_.bytes = plan.bytes;
    result_.ready = plan.ready;
    result_.mapped = plan.mapped;
    result_.staged = plan.staged;
    number_.resize(plan.nodes.size());
  }

  GraphPlan build() {
    for (GraphNodeId node = 0; node < plan_.nodes.size(); ++node) add(node);
    return std::move(result_);
  }

 private:
  bool is_idle(const GraphPlan::OpNodes& nodes) const {
    return nodes.first == nodes.last && plan_.nodes[nodes.first].action == NodeAction::none;
  }

  void add(GraphNodeId id) {
    GraphNode node = plan_.nodes[id];
    const GraphPlan::OpNodes& own = plan_.ops[node.op];
    const std::uint32_t begin = 2 * node.op;
    std::vector<GraphNodeId> waits;
    for (const GraphNodeId before : plan_.waits_of(id)) waits.push_back(number_[before]);
    if (is_idle(own)) {
      result_.ops[node.op].first = append(stamp(node, begin + 1), waits);
    } else {
      if (id == own.first) {
        result_.ops[node.op].first = append(stamp(node, begin), waits);
        waits = {result_.ops[node.op].first};
      }
      const GraphNodeId work = append(node, waits);
      number_[id] = work;
      if (id != own.last) return;
      append(stamp(node, begin + 1), {work});
    }
    number_[id] = result_.ops[node.op].last = static_cast<GraphNodeId>(result_.nodes.size() - 1);
  }

  static GraphNode stamp(const GraphNode& beside, std::uint32_t number) {
    GraphNode node;
    node.action = NodeAction::stamp;
    node.runs_at = beside.runs_at;
    node.op = beside.op;
    node.stamp = number;
    return node;
  }

  GraphNodeId append(GraphNode node, const std::vector<GraphNodeId>& waits) {
    node.waits = static_cast<std::uint32_t>(result_.waits.size());
    result_.waits.insert(result_.waits.end(), waits.begin(), waits.end());
    result_.nodes.push_back(node);
    return static_cast<GraphNodeId>(result_.nodes.size() - 1);
  }

  const GraphPlan& plan_;
  GraphPlan result_;
  std::vector<GraphNodeId> number_;  // by node of the plan: what follows it waits for
};

}  // namespace

GraphPlan with_stamps(const GraphPlan& plan) { return Stamped(plan).build(); }

}  // namespace syncsim
