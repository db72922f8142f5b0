#include "sim/exec/nccl/nccl_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "sim/base/error.h"
#include "sim/exec/nccl/nccl_node.h"
#include "sim/topology/ring_packing.h"

namespace syncsim {
namespace {

constexpr int kMostRings = 32;
constexpr double kEndOfSearch = 0.49;
constexpr double kDoubledFrom = 25;  // GB/s a channel
constexpr double kSlack = 1e-6;

bool is_direct(const Route& way) { return way.route_class == 0 && way.hops == 1; }

// Ranks of a single node whose links of class 0 join them without switches.
bool is_mesh(NcclNode& node) {
  const std::vector<NodeId>& ranks = node.ranks();
  if (node.nodes() > 1 || ranks.size() < 3 || ranks.size() > kMostMatrixRanks) return false;
  return std::any_of(ranks.begin() + 1, ranks.end(),
                     [&](NodeId rank) { return is_direct(node.route(ranks[0], rank)); });
}

// Rings both ways round; of equal links between all pairs one a rank but one, a way through each.
int rings_of_mesh(NcclNode& node, double speed) {
  const std::vector<NodeId>& ranks = node.ranks();
  const auto count = static_cast<int>(ranks.size());
  CableMatrix cables(count);
  int least = std::numeric_limits<int>::max();
  int most = 0;
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const NodeId from = ranks[static_cast<std::size_t>(a)];
      const NodeId to = ranks[static_cast<std::size_t>(b)];
      const bool direct = is_direct(node.route(from, to));
      const int units = direct ? static_cast<int>((node.rate(from, to) + kSlack) / speed) : 0;
      cables.set(a, b, units);
      least = std::min(least, units);
      most = std::max(most, units);
    }
  if (least == most) return least * (count - 1);
  int rings = 0;
  for (const Ring& ring : pack_rings(cables)) rings += 2 * ring.multiplicity;
  return rings;
}

void find_channels(NcclNode& node, const std::vector<double>& speeds, NcclGraph& graph) {
  const bool mesh = is_mesh(node);
  for (const double speed : speeds) {
    if (graph.channels > 0 && speed <= kEndOfSearch * graph.speed) break;
    int channels = mesh ? std::min(rings_of_mesh(node, speed), kMostRings) : 0;
    if (channels == 0) channels = node.lay_rings(speed, kMostRings);
    if (channels * speed <= graph.channels * graph.speed) continue;
    graph.channels = channels;
    graph.speed = speed;
  }
  if (graph.channels > 0) return;
  graph.channels = 1;  // slower than all that it tries
  graph.speed = speeds.back();
}

void double_channels(NcclGraph& graph) {
  const bool kept =
      graph.architecture.sm > 80 && graph.speed < 2 * kDoubledFrom && graph.channels > 4;
  if (graph.speed < kDoubledFrom || kept || 2 * graph.channels > kMostRings) return;
  graph.channels *= 2;
  graph.speed /= 2;
}

// Of the first rank, which stands for all. Through switches all links lead to each peer.
void count_links(const Topology& topology, NcclNode& node, NcclGraph& graph) {
  std::map<NodeId, int> links;
  int all = 0;
  for (const Link& link : topology.links()) {
    const bool of_gpus = link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi;
    if (!of_gpus || link.from != node.ranks().front()) continue;
    links[link.to] += link.count;
    all += link.count;
  }
  graph.links = graph.peer_links = all;
  if (graph.switched || node.ranks().size() < 2) return;
  graph.links = 0;
  for (std::size_t i = 1; i < node.ranks().size(); ++i) {
    const int to_peer = links[node.ranks()[i]];
    graph.links += to_peer;
    graph.peer_links = std::min(graph.peer_links, to_peer);
  }
}

bool multicasts(const Topology& topology, const NcclNode& node) {
  for (NodeId id = 0; id < topology.nodes().size(); ++id) {
    const Node& each = topology.nodes()[id];
    if (each.abilities.reduce && each.abilities.multicast && node.holds(id)) return true;
  }
  return false;
}

// A head costs its gpu twice what it costs the others.
void find_nvls(NcclNode& node, const std::vector<double>& speeds, double gpu, NcclGraph& graph) {
  const int heads = std::min(static_cast<int>(node.ranks().size()), kMostRings);
  const auto fits = [&](double most) {
    const auto found = std::find_if(speeds.begin(), speeds.end(),
                                    [&](double speed) { return speed <= most + kSlack; });
    return found == speeds.end() ? 0.0 : *found;
  };
  graph.nvls_speed = fits(gpu / (heads + 1));
  if (graph.nvls_speed == 0 || heads < 2) return;
  graph.nvls_channels = heads;
  graph.nvls_net_speed = fits(std::min(2 * graph.nvls_speed, node.network_rate() / heads));
}

// Only Intel's host bridges cost peers more; C2C joins ARM's.
CpuMaker maker_of(const Topology& topology) {
  for (const Node& node : topology.nodes())
    if (node.peer_cost > 1) return CpuMaker::intel;
  const std::vector<Link>& links = topology.links();
  const bool arm = std::any_of(links.begin(), links.end(),
                               [](const Link& link) { return link.kind == LinkKind::c2c; });
  return arm ? CpuMaker::other : CpuMaker::amd;
}

}  // namespace

Architecture nccl_architecture(const Topology& topology, std::span<const NodeId> ranks) {
  Architecture least;
  for (const NodeId rank : ranks) {
    const Node& node = topology.nodes()[rank];
    if (!node.architecture)
      throw InputError(
          fmt::format("NCCL's formula goes by the gpus' architecture, which {} has not", node.id),
          R"(give it one in the file, or with --edit "node:gpu* architecture=sm_80")");
    if (!least || node.architecture.sm < least.sm) least = node.architecture;
  }
  return least;
}

NcclGraph find_nccl_graph(const Topology& topology, std::span<const NodeId> ranks,
                          const NcclTuning& tuning) {
  NcclGraph graph;
  graph.architecture = nccl_architecture(topology, ranks);
  graph.cpu = maker_of(topology);
  NcclNode node(topology, ranks);
  graph.ranks = static_cast<int>(ranks.size());
  graph.nodes = node.nodes();
  graph.ranks_per_node = static_cast<double>(graph.ranks) / graph.nodes;
  const NodeId first = node.ranks().front();
  graph.nvlink = node.joined_by_nvlink();
  const bool several = node.ranks().size() > 1;
  graph.nics_near = node.ends_are_near();
  graph.switched = several && graph.nvlink && !is_direct(node.route(first, node.ranks()[1]));
  count_links(topology, node, graph);
  const NcclGeneration& generation = tuning.generation(graph.architecture);
  const std::vector<double>& speeds = graph.nodes > 1 ? generation.inter : generation.intra;
  find_channels(node, speeds, graph);
  double_channels(graph);
  const double gpu = several ? node.gpu_rate(first) : graph.speed;
  graph.tree_speed = graph.nodes == 1
                         ? graph.speed
                         : std::max(graph.speed, std::min(2 * graph.speed, gpu / graph.channels));
  if (generation.nvls_efficiency > 0 && graph.switched && multicasts(topology, node))
    find_nvls(node, speeds, gpu, graph);
  return graph;
}

double nccl_peer_rate(const Topology& topology, std::span<const NodeId> ranks, NcclPeers peers) {
  NcclNode node(topology, ranks);
  const auto here = static_cast<double>(node.ranks().size());
  const double away = static_cast<double>(ranks.size()) - here;
  const double net = node.network_rate();
  if (peers == NcclPeers::all)
    return away > 0 ? std::min(node.all_pairs_rate(), net / (here * away)) : node.all_pairs_rate();
  double rate = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const NodeId next = ranks[(i + 1) % ranks.size()];
    if (!node.holds(ranks[i]) || next == ranks[i]) continue;
    rate = std::min(rate, node.holds(next) ? node.rate(ranks[i], next) : node.ends().front().rate);
  }
  return rate;
}

}  // namespace syncsim
