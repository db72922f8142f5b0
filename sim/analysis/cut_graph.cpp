#include "sim/analysis/cut_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/analysis/cut_graph_merging.h"

namespace syncsim {
namespace {

// Capacities times terminals, and as much again for what the bounds add, stay below 2^62.
constexpr double kMostCapacity = 1.0e18;

class Builder {
 public:
  explicit Builder(const BoundQuery& query)
      : topology_(query.topology), gates_(topology_.nodes().size()) {
    for (const NodeId rank : query.ranks) add_terminal(rank);
    loose_.ranks = loose_.terminals.size();
    for (const NodeId helper : query.helpers) add_terminal(helper);
    for (NodeId node = 0; node < topology_.nodes().size(); ++node) add_free(node);
  }

  void add_links(const std::vector<double>& rates) {
    for (LinkId link = 0; link < topology_.links().size(); ++link)
      add(gates_[topology_.links()[link].from].out, gates_[topology_.links()[link].to].in,
          rates[link]);
  }

  LooseGraph take_graph() { return std::move(loose_); }
  std::vector<CutGate> take_gates() { return std::move(gates_); }

 private:
  void add_terminal(NodeId node) {
    if (gates_[node].in != kNoCutNode) return;
    const auto terminal = static_cast<std::uint32_t>(loose_.terminals.size());
    loose_.terminals.push_back(node);
    gates_[node] = {terminal, terminal};
    loose_.rates.emplace_back();
  }

  bool hands_on(const Node& node) const {
    const RoutingPolicy& policy = topology_.routing();
    return node.forwards || (node.kind == NodeKind::gpu && (policy.nvb || policy.pxn));
  }

  void add_free(NodeId node) {
    if (gates_[node].in != kNoCutNode || !hands_on(topology_.nodes()[node])) return;
    const auto in = static_cast<std::uint32_t>(loose_.rates.size());
    loose_.rates.emplace_back();
    gates_[node] = {in, in};
    if (const auto& transit = topology_.nodes()[node].transit_bandwidth) {
      gates_[node].out = in + 1;
      loose_.rates.emplace_back();
      add(in, in + 1, transit->bytes_per_second);
    }
  }

  void add(std::uint32_t from, std::uint32_t to, double rate) {
    if (from != kNoCutNode && to != kNoCutNode && rate > 0) loose_.rates[from][to] += rate;
  }

  const Topology& topology_;
  std::vector<CutGate> gates_;
  LooseGraph loose_;
};

bool is_whole(double figure) { return std::abs(figure - std::round(figure)) <= figure * 1e-12; }

// The largest unit that divides all rates, if they are whole bytes per second and it leaves
// capacities small enough; otherwise one that does.
double unit_of(const LooseGraph& graph) {
  std::int64_t divisor = 0;
  double sum = 0;
  bool whole = true;
  for (const auto& row : graph.rates)
    for (const auto& [to, rate] : row) {
      sum += rate;
      whole = whole && rate < 0x1p53 && is_whole(rate);
      if (whole) divisor = std::gcd(divisor, std::llround(rate));
    }
  const double room = kMostCapacity / static_cast<double>(graph.terminals.size() + 1);
  const double unit = whole && divisor > 0 ? static_cast<double>(divisor) : 1.0;
  return std::max(unit, std::exp2(std::ceil(std::log2(std::max(sum / room, 0x1p-40)))));
}

std::int64_t units(double rate, double unit) {
  const double quotient = rate / unit;
  return is_whole(quotient) ? std::llround(quotient) : std::llround(std::ceil(quotient));
}

}  // namespace

std::vector<double> highest_rates(const BoundQuery& query) {
  std::vector<double> highest;
  for (const Link& link : query.topology.links())
    highest.push_back(link.rate(query.rates).bytes_per_second);
  for (const LinkChange& change : query.changes)
    highest[change.link] =
        std::max(highest[change.link], change.rate(query.rates).bytes_per_second);
  return highest;
}

CutGraph cut_graph(const BoundQuery& query, Merge merge) {
  Builder builder(query);
  builder.add_links(highest_rates(query));
  LooseGraph loose = builder.take_graph();
  if (merge == Merge::yes) loose = merged(std::move(loose));
  CutGraph graph{loose.terminals, loose.ranks, loose.rates.size(), {}, unit_of(loose), {}};
  if (merge == Merge::no) graph.gates = builder.take_gates();
  for (std::uint32_t from = 0; from < loose.rates.size(); ++from)
    for (const auto& [to, rate] : loose.rates[from])
      graph.arcs.push_back({from, to, units(rate, graph.unit)});
  return graph;
}

}  // namespace syncsim
