#include "bench/traffic.h"

#include <cmath>

namespace syncsim::bench {
namespace {

constexpr double kLeast = 1e4;  // bytes of a random flow
constexpr double kMost = 1e8;

template <class Visit>
void each_pair(std::uint32_t ranks, Visit&& visit) {
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to) visit(from, to);
}

// How long `flows` of the mean size must start over for the hosts' links to carry `load`.
double span_of(const RandomTraffic& traffic, std::uint32_t hosts) {
  if (traffic.burst_ps > 0) return static_cast<double>(traffic.burst_ps);
  const double mean = (kMost - kLeast) / std::log(kMost / kLeast);
  return traffic.flows * mean / (hosts * kBandwidth * traffic.load) * 1e12;
}

}  // namespace

FlowGraph jittered_all_to_all(std::uint32_t ranks, double jitter) {
  FlowGraph graph(Fabric::star(ranks));
  Random random(1);
  const auto send = [&](std::uint32_t from, std::uint32_t to) {
    const double part = static_cast<double>(kAllreduceBytes) / ranks;
    const double factor = 1 + jitter * (2 * random.uniform() - 1);
    return graph.add({from, to, std::llround(part * factor), 0, 0});
  };
  std::vector<std::uint32_t> sums;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    sums.push_back(graph.add({rank, rank, 0, 0, 0}));
  each_pair(ranks,
            [&](std::uint32_t from, std::uint32_t to) { graph.edge(send(from, to), sums[to]); });
  each_pair(ranks,
            [&](std::uint32_t from, std::uint32_t to) { graph.edge(sums[from], send(from, to)); });
  graph.finish();
  return graph;
}

FlowGraph random_traffic(const RandomTraffic& traffic) {
  FlowGraph graph(Fabric::fat_tree());
  const std::uint32_t hosts = graph.fabric().hosts();
  const double span = span_of(traffic, hosts);
  Random random(1);
  for (std::uint32_t flow = 0; flow < traffic.flows; ++flow) {
    const std::uint32_t from = random.below(hosts);
    const std::uint32_t other = random.below(hosts - 1);
    const std::int64_t bytes = std::llround(kLeast * std::pow(kMost / kLeast, random.uniform()));
    const auto start = static_cast<std::int64_t>(random.uniform() * span);
    graph.add({from, other < from ? other : other + 1, bytes, start, 0});
  }
  graph.finish();
  return graph;
}

}  // namespace syncsim::bench
