#include "sim/topology/bisection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sim/topology/flow_network.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRanksOfAllHalves = 16;
constexpr std::size_t kMostLinksOfAllHalves = 2'000;

constexpr double kMostSum = 5e17;  // of the links; nodes and ranks add less than thrice as much

using Half = std::vector<bool>;  // by rank: whether it sends

// Or gpus and their switches.
bool joins_gpus(const Topology& topology, const Link& link) {
  const auto is_cpu = [&](NodeId node) { return topology.nodes()[node].kind == NodeKind::cpu; };
  return link.kind <= LinkKind::c2c && !is_cpu(link.from) && !is_cpu(link.to);
}

// Each node as one vertex for what comes in and one for what goes out. Capacities are in units of a
// byte per second, or more where their sum would be too much for FlowNetwork.
class CutMachine {
 public:
  template <class Keep>
  CutMachine(const Topology& topology, Rates rates, const Keep& keep)
      : source_(2 * topology.nodes().size()), sink_(source_ + 1), network_(source_ + 2) {
    std::vector<double> leave(topology.nodes().size());
    std::vector<double> enter(topology.nodes().size());
    double sum = 0;
    for (const Link& link : topology.links()) {
      if (!keep(link)) continue;
      const double rate = link.rate(rates).bytes_per_second;
      sum += rate;
      leave[link.from] += rate;
      enter[link.to] += rate;
    }
    unit_ = std::max(1.0, sum / kMostSum);
    for (const Link& link : topology.links())
      if (keep(link)) add(out(link.from), in(link.to), link.rate(rates).bytes_per_second);
    for (NodeId id = 0; id < leave.size(); ++id)
      if (const Node& node = topology.nodes()[id]; node.forwards)
        add(in(id), out(id), std::min(leave[id], transit_of(node)));
    for (const NodeId rank : topology.ranks()) {
      sends_.push_back(switched(add(source_, out(rank), leave[rank]), leave[rank]));
      receives_.push_back(switched(add(in(rank), sink_, enter[rank]), enter[rank]));
    }
  }

  double flow_from(const Half& half) {
    for (std::size_t rank = 0; rank < half.size(); ++rank) {
      network_.set_capacity(sends_[rank].arc, half[rank] ? sends_[rank].capacity : 0);
      network_.set_capacity(receives_[rank].arc, half[rank] ? 0 : receives_[rank].capacity);
    }
    return static_cast<double>(network_.max_flow(source_, sink_)) * unit_;
  }

 private:
  // An arc that is open to some halves only.
  struct Switched {
    std::size_t arc = 0;
    std::int64_t capacity = 0;
  };

  static std::size_t in(NodeId node) { return 2 * std::size_t{node}; }
  static std::size_t out(NodeId node) { return in(node) + 1; }

  static double transit_of(const Node& node) {
    return node.transit_bandwidth ? node.transit_bandwidth->bytes_per_second
                                  : std::numeric_limits<double>::infinity();
  }

  std::int64_t in_units(double rate) const {
    return static_cast<std::int64_t>(std::round(rate / unit_));
  }
  std::size_t add(std::size_t from, std::size_t to, double rate) {
    return network_.add_arc(from, to, in_units(rate));
  }
  Switched switched(std::size_t arc, double rate) const { return {arc, in_units(rate)}; }

  std::size_t source_;
  std::size_t sink_;
  FlowNetwork network_;
  double unit_ = 1;
  std::vector<Switched> sends_;  // by rank
  std::vector<Switched> receives_;
};

Half first_half(std::size_t ranks) {
  Half half(ranks);
  std::fill_n(half.begin(), ranks / 2, true);
  return half;
}

bool is_symmetric(const Topology& topology, Rates rates) {
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    if (topology.links()[link].rate(rates) != topology.links()[link + 1].rate(rates)) return false;
  return true;
}

template <class Keep>
Bisection bisection_over(const Topology& topology, Rates rates, const Keep& keep) {
  CutMachine machine(topology, rates, keep);
  const std::size_t ranks = topology.ranks().size();
  Half half = first_half(ranks);
  Half worst = half;
  Bisection result;
  result.rate = machine.flow_from(half);
  result.is_least =
      ranks <= kMostRanksOfAllHalves && topology.links().size() <= kMostLinksOfAllHalves;
  const bool mirrored = ranks % 2 == 0 && is_symmetric(topology, rates);
  while (result.is_least && std::prev_permutation(half.begin(), half.end())) {
    if (mirrored && !half[0]) break;  // from here on those of before the other way
    const double flow = machine.flow_from(half);
    if (flow >= result.rate) continue;
    result.rate = flow;
    worst = half;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank)
    (worst[rank] ? result.senders : result.receivers).push_back(topology.ranks()[rank]);
  return result;
}

}  // namespace

std::vector<Bisection> bisections(const Topology& topology, Rates rates) {
  std::vector<Bisection> result;
  if (topology.ranks().size() < 2) return result;
  std::set<LinkKind> direct;
  bool has_others = false;
  for (const Link& link : topology.links())
    if (joins_gpus(topology, link))
      direct.insert(link.kind);
    else
      has_others = true;
  if (!direct.empty()) {
    std::vector<std::string_view> names;
    for (const LinkKind kind : direct) names.push_back(to_string(kind));
    result.push_back(bisection_over(topology, rates,
                                    [&](const Link& link) { return joins_gpus(topology, link); }));
    result.back().over = fmt::format("{}", fmt::join(names, " and "));
    if (result.back().rate == 0) result.clear();
  }
  if (!has_others) return result;
  result.push_back(bisection_over(topology, rates, [](const Link&) { return true; }));
  result.back().over = "all links";
  return result;
}

}  // namespace syncsim
