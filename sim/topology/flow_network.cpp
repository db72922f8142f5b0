#include "sim/topology/flow_network.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

namespace syncsim {
namespace {

using FlowGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_index_t, std::size_t>>;
using Edge = boost::graph_traits<FlowGraph>::edge_descriptor;

}  // namespace

// Edges 2a and 2a + 1 are arc a and its reverse.
class FlowNetwork::Implementation {
 public:
  explicit Implementation(std::size_t nodes) : graph_(nodes) {}

  ArcIndex add_arc(NodeIndex from, NodeIndex to, std::int64_t capacity) {
    const std::size_t index = capacities_.size();
    const Edge forward = boost::add_edge(from, to, index, graph_).first;
    const Edge backward = boost::add_edge(to, from, index + 1, graph_).first;
    capacities_.insert(capacities_.end(), {capacity, 0});
    residuals_.insert(residuals_.end(), {0, 0});
    reverses_.insert(reverses_.end(), {backward, forward});
    return index / 2;
  }

  void set_capacity(ArcIndex arc, std::int64_t capacity) { capacities_[2 * arc] = capacity; }

  std::int64_t max_flow(NodeIndex from, NodeIndex to) {
    source_ = from;
    const auto indices = boost::get(boost::edge_index, graph_);
    return boost::push_relabel_max_flow(
        graph_, from, to, boost::make_iterator_property_map(capacities_.begin(), indices),
        boost::make_iterator_property_map(residuals_.begin(), indices),
        boost::make_iterator_property_map(reverses_.begin(), indices),
        boost::get(boost::vertex_index, graph_));
  }

  std::int64_t flow(ArcIndex arc) const { return capacities_[2 * arc] - residuals_[2 * arc]; }

  std::vector<bool> source_side() const {
    std::vector<bool> inside(boost::num_vertices(graph_), false);
    std::vector<NodeIndex> open{source_};
    inside[source_] = true;
    const auto indices = boost::get(boost::edge_index, graph_);
    while (!open.empty()) {
      const NodeIndex node = open.back();
      open.pop_back();
      for (auto [edge, end] = boost::out_edges(node, graph_); edge != end; ++edge) {
        const NodeIndex next = boost::target(*edge, graph_);
        if (residuals_[indices[*edge]] == 0 || inside[next]) continue;
        inside[next] = true;
        open.push_back(next);
      }
    }
    return inside;
  }

 private:
  FlowGraph graph_;
  std::vector<std::int64_t> capacities_;
  std::vector<std::int64_t> residuals_;
  std::vector<Edge> reverses_;
  NodeIndex source_ = 0;
};

FlowNetwork::FlowNetwork(std::size_t nodes)
    : implementation_(std::make_unique<Implementation>(nodes)) {}
FlowNetwork::~FlowNetwork() = default;
FlowNetwork::FlowNetwork(FlowNetwork&&) noexcept = default;
FlowNetwork& FlowNetwork::operator=(FlowNetwork&&) noexcept = default;

FlowNetwork::ArcIndex FlowNetwork::add_arc(NodeIndex from, NodeIndex to, std::int64_t capacity) {
  return implementation_->add_arc(from, to, capacity);
}
std::int64_t FlowNetwork::flow(ArcIndex arc) const { return implementation_->flow(arc); }
void FlowNetwork::set_capacity(ArcIndex arc, std::int64_t capacity) {
  implementation_->set_capacity(arc, capacity);
}
std::int64_t FlowNetwork::max_flow(NodeIndex from, NodeIndex to) {
  return implementation_->max_flow(from, to);
}
std::vector<bool> FlowNetwork::source_side() const { return implementation_->source_side(); }

}  // namespace syncsim
