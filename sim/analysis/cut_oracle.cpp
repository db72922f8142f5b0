#include "sim/analysis/cut_oracle.h"

#include <algorithm>
#include <utility>

namespace syncsim {

CutOracle::CutOracle(const CutGraph& graph, Flow flow)
    : network_(graph.nodes + 2),
      source_(graph.nodes),
      sink_(graph.nodes + 1),
      out_(graph.nodes),
      in_(graph.nodes),
      says_(graph.terminals.size()) {
  for (const CutGraph::Arc& arc : graph.arcs) {
    auto [from, to] = std::pair(arc.from, arc.to);
    if (flow == Flow::entering) std::swap(from, to);
    network_.add_arc(from, to, arc.capacity);
    capacities_.push_back(arc.capacity);
    out_[from] += arc.capacity;
    in_[to] += arc.capacity;
  }
  for (std::size_t terminal = 0; terminal < terminals(); ++terminal) {
    from_source_.push_back(network_.add_arc(source_, terminal, 0));
    to_sink_.push_back(network_.add_arc(terminal, sink_, 0));
  }
}

// A terminal that must lie on one side costs more on the other than its own arcs could save.
void CutOracle::apply(std::size_t terminal) {
  const Say& say = says_[terminal];
  std::int64_t source = std::max<std::int64_t>(say.price, 0);
  std::int64_t sink = std::max<std::int64_t>(-say.price, 0);
  if (say.side == Say::inside) source = scale_ * out_[terminal] + 1;
  if (say.side == Say::outside) sink = scale_ * in_[terminal] + 1;
  network_.set_capacity(from_source_[terminal], source);
  network_.set_capacity(to_sink_[terminal], sink);
}

Cut CutOracle::least() {
  if (std::exchange(applied_scale_, scale_) != scale_)
    for (std::size_t arc = 0; arc < capacities_.size(); ++arc)
      network_.set_capacity(arc, scale_ * capacities_[arc]);
  for (std::size_t terminal = 0; terminal < terminals(); ++terminal) apply(terminal);
  Cut cut;
  cut.value = network_.max_flow(source_, sink_);
  cut.nodes = network_.source_side();
  cut.inside.assign(cut.nodes.begin(),
                    cut.nodes.begin() + static_cast<std::ptrdiff_t>(terminals()));
  return cut;
}

std::int64_t CutOracle::of(const TerminalSet& inside) {
  set_scale(1);
  for (std::size_t terminal = 0; terminal < terminals(); ++terminal)
    inside[terminal] ? set_inside(terminal) : set_outside(terminal);
  return least().value;
}

Cut CutOracle::between(std::size_t from, std::size_t to) {
  set_scale(1);
  for (std::size_t terminal = 0; terminal < terminals(); ++terminal) set_price(terminal, 0);
  set_inside(from);
  set_outside(to);
  return least();
}

}  // namespace syncsim
