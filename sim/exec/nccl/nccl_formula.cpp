#include "sim/exec/nccl/nccl_formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace syncsim {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

constexpr std::size_t index_of(NcclAlgorithm algorithm) {
  return static_cast<std::size_t>(algorithm);
}
constexpr std::size_t index_of(NcclProtocol protocol) { return static_cast<std::size_t>(protocol); }
constexpr std::size_t index_of(NcclHop hop) { return static_cast<std::size_t>(hop); }

bool sums(CollectiveKind kind) { return sums_everywhere(kind); }

// Steps of a ring of n ranks.
double steps_of(CollectiveKind kind, int ranks) {
  if (is_chained(kind)) return ranks;
  return (sums(kind) ? 2.0 : 1.0) * (ranks - 1);
}

}  // namespace

bool is_chained(CollectiveKind kind) { return is_rooted(kind) && !has_blocks(kind); }

bool is_point_to_point(CollectiveKind kind) {
  return is_pairwise(kind) || (is_rooted(kind) && has_blocks(kind));
}

NcclFormula::NcclFormula(const Topology& topology, std::span<const NodeId> ranks,
                         CollectiveKind kind, const std::string& directory, const NcclPins& pins)
    : kind_(kind),
      pins_(pins),
      tuning_(load_nccl_tuning(directory, nccl_architecture(topology, ranks))),
      graph_(find_nccl_graph(topology, ranks, tuning_)) {
  if (pins.channels > 0) graph_.channels = std::min(graph_.channels, pins.channels);
  if (is_point_to_point(kind))
    peer_rate_ = nccl_peer_rate(
        topology, ranks, kind == CollectiveKind::send_recv ? NcclPeers::next : NcclPeers::all);
}

double NcclFormula::cap(const ByNodes& row) const {
  const double most = row[static_cast<std::size_t>(std::min(graph_.nodes, 3) - 1)];
  return most > 0 ? most : kInfinite;
}

// Over several nodes by the CPU: Intel's as Volta, others as Ampere.
double NcclFormula::ll_cap() const {
  if (graph_.nodes == 1) return cap(tuning_.generation(graph_.architecture).ll);
  const std::size_t row = graph_.cpu == CpuMaker::intel ? 0 : 1;
  return cap(tuning_.generations[std::min(row, tuning_.generations.size() - 1)].ll);
}

double NcclFormula::ring_bandwidth(NcclProtocol protocol) const {
  const NcclGeneration& generation = tuning_.generation(graph_.architecture);
  const double whole = graph_.channels * graph_.speed * tuning_.ring_ratio[index_of(protocol)];
  if (protocol == NcclProtocol::ll) return std::min(whole, ll_cap());
  if (protocol == NcclProtocol::simple) return whole;
  return std::min(whole, graph_.channels * cap(generation.ring_ll128));
}

double NcclFormula::tree_bandwidth(NcclProtocol protocol) const {
  const NcclGeneration& generation = tuning_.generation(graph_.architecture);
  const double speed = graph_.nodes <= 2 ? graph_.tree_speed : graph_.speed;
  double whole = std::min(tuning_.tree_ratio * graph_.channels * speed,
                          graph_.channels * cap(generation.tree));
  if (protocol == NcclProtocol::ll128 && graph_.nodes > 1)
    whole *= tuning_.tree_ll128_nodes_ratio;
  else
    whole *= tuning_.tree_protocol_ratio[index_of(protocol)];
  if (protocol == NcclProtocol::ll) whole = std::min(whole, ll_cap());
  if (protocol == NcclProtocol::ll128)
    whole = std::min(whole, graph_.channels * cap(generation.tree_ll128));
  return graph_.ranks_per_node == 1 ? whole * tuning_.tree_one_gpu_ratio : whole;
}

double NcclFormula::nvls_bandwidth(bool tree) const {
  const NcclGeneration& generation = tuning_.generation(graph_.architecture);
  const double heads = graph_.nvls_channels;
  const double both = sums(kind_) ? 2 : (graph_.ranks_per_node - 1) / graph_.ranks_per_node;
  double channel = graph_.nvls_speed * generation.nvls_efficiency * (heads - 1) / heads * both;
  if (graph_.nodes > 1)
    channel = std::min(channel, graph_.nvls_net_speed * (tree && graph_.nodes <= 2 ? 2 : 1));
  if (tree) channel = std::min(channel, cap(generation.nvls_tree));
  return channel * heads;
}

double NcclFormula::bus_bandwidth(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  switch (algorithm) {
    case NcclAlgorithm::ring:
      return ring_bandwidth(protocol);
    case NcclAlgorithm::tree:
      return tree_bandwidth(protocol);
    case NcclAlgorithm::pat:
      return ring_bandwidth(NcclProtocol::simple) * tuning_.pat_ratio;
    case NcclAlgorithm::nvls:
      return nvls_bandwidth(false);
    case NcclAlgorithm::nvls_tree:
      return nvls_bandwidth(true);
  }
  return 0;
}

// NVLS over several nodes needs a reduction in their network, which is not modelled.
bool NcclFormula::allowed(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  if (pins_.protocol && protocol != *pins_.protocol) return false;
  const bool simple = protocol == NcclProtocol::simple;
  const bool volta = graph_.architecture.sm >= 70 || graph_.architecture.gfx != 0;
  if (protocol == NcclProtocol::ll128 && !(volta && graph_.nvlink && graph_.nics_near))
    return false;
  switch (algorithm) {
    case NcclAlgorithm::ring:
      return true;
    case NcclAlgorithm::tree:
      return sums(kind_);
    case NcclAlgorithm::pat:
      return simple && has_blocks(kind_) && graph_.ranks_per_node == 1 && graph_.nodes > 1 &&
             tuning_.pat_ratio > 0;
    case NcclAlgorithm::nvls:
      return simple && !is_chained(kind_) && graph_.nodes == 1 && graph_.nvls_channels > 1;
    case NcclAlgorithm::nvls_tree:
      return simple && sums(kind_) && graph_.nodes > 1 && graph_.nvls_channels > 1;
  }
  return false;
}

double NcclFormula::bandwidth(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  if (!allowed(algorithm, protocol)) return 0;
  const double bus = bus_bandwidth(algorithm, protocol);
  const bool ring = algorithm == NcclAlgorithm::ring;
  if (!ring && !sums(kind_)) return bus;
  if (algorithm == NcclAlgorithm::tree) return bus / 2;
  return bus * graph_.ranks / steps_of(kind_, graph_.ranks);
}

double NcclFormula::hop(NcclHop crossed, NcclAlgorithm algorithm, NcclProtocol protocol) const {
  return tuning_.hop[index_of(crossed)][index_of(algorithm)][index_of(protocol)];
}

// Over several nodes at least what a network request costs, Simple's three.
double NcclFormula::step(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  const double crossed = hop(graph_.nvlink ? NcclHop::nvlink : NcclHop::pci, algorithm, protocol);
  const double post = tuning_.post[static_cast<std::size_t>(graph_.cpu)];
  if (graph_.nodes == 1) return crossed;
  return std::max(crossed, protocol == NcclProtocol::simple ? 3 * post : post);
}

double NcclFormula::far_step(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  const bool one_gpu = graph_.ranks_per_node == 1;
  return hop(NcclHop::net, one_gpu ? NcclAlgorithm::tree : algorithm, protocol);
}

// Of rooted ones without the base's network steps: a pipeline whose channels, where they differ,
// pass all ranks one after another.
double NcclFormula::ring_latency(NcclProtocol protocol) const {
  const NcclAlgorithm ring = NcclAlgorithm::ring;
  const double steps = steps_of(kind_, graph_.ranks);
  if (is_chained(kind_)) {
    const bool simple = protocol == NcclProtocol::simple;
    const NcclHop near = graph_.nvlink ? NcclHop::nvlink : NcclHop::pci;
    if (graph_.nodes == 1 && (graph_.switched || graph_.ranks == 2))
      return hop(near, ring, protocol);
    return steps * hop(near, simple ? NcclAlgorithm::tree : ring, protocol);
  }
  const double far = (sums(kind_) ? 2.0 : 1.0) * (graph_.nodes - 1);
  return (steps - far) * step(ring, protocol) + far * far_step(ring, protocol);
}

double NcclFormula::latency(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  const double base = tuning_.base[index_of(algorithm)][index_of(protocol)];
  const double near = step(algorithm, protocol);
  const double far = far_step(algorithm, protocol);
  const double levels = std::log2(graph_.nodes);
  switch (algorithm) {
    case NcclAlgorithm::ring:
      return base + ring_latency(protocol);
    case NcclAlgorithm::tree:
      return base + 2 * ((graph_.ranks_per_node - 1) * near + levels * far);
    case NcclAlgorithm::pat:
      return base + levels * far / 3.5 + 2.8 * graph_.ranks;
    case NcclAlgorithm::nvls:
      return base + near;
    case NcclAlgorithm::nvls_tree:
      return base + near + 2 * levels * far;
  }
  return 0;
}

double NcclFormula::time(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes) const {
  double rate = bandwidth(algorithm, protocol);
  if (rate <= 0) return kInfinite;
  double delay = latency(algorithm, protocol);
  const bool simple = protocol == NcclProtocol::simple;
  if (algorithm == NcclAlgorithm::ring && simple && graph_.nodes > 1 && sums(kind_) &&
      bytes / (graph_.channels * graph_.ranks) >= 64)
    delay *= tuning_.generation(graph_.architecture).simple_factor;
  if (algorithm == NcclAlgorithm::tree && bytes >= 64) {
    const std::vector<double>& factors = tuning_.correction[index_of(protocol)];
    const auto size = static_cast<std::size_t>(std::log2(bytes / 64));
    if (size < factors.size()) rate *= factors[size];
  }
  return delay + bytes / (1000 * rate);
}

double NcclFormula::pairwise(double bytes) const {
  const bool next = kind_ == CollectiveKind::send_recv;
  double best = kInfinite;
  for (const NcclProtocol protocol : {NcclProtocol::ll, NcclProtocol::simple}) {
    if (pins_.protocol && protocol != *pins_.protocol) continue;
    const NcclHop far = graph_.nodes > 1 ? NcclHop::net
                        : graph_.nvlink  ? NcclHop::nvlink
                                         : NcclHop::pci;
    const NcclAlgorithm ring = NcclAlgorithm::ring;
    const double delay =
        tuning_.base[index_of(ring)][index_of(protocol)] + hop(far, ring, protocol);
    const double pair = next ? bytes : bytes / graph_.ranks;
    best =
        std::min(best, delay + pair / (1000 * peer_rate_ * tuning_.ring_ratio[index_of(protocol)]));
  }
  return best;
}

NcclFormula::Choice NcclFormula::best(Bytes bytes, std::optional<NcclAlgorithm> only) const {
  const auto size = static_cast<double>(bytes.count);
  if (graph_.ranks == 1) return {};
  if (is_point_to_point(kind_)) return {NcclAlgorithm::ring, NcclProtocol::simple, pairwise(size)};
  Choice choice{NcclAlgorithm::ring, NcclProtocol::simple, kInfinite};
  for (std::size_t algorithm = 0; algorithm < kNcclAlgorithms; ++algorithm)
    for (std::size_t protocol = 0; protocol < kNcclProtocols; ++protocol) {
      const auto a = static_cast<NcclAlgorithm>(algorithm);
      const auto p = static_cast<NcclProtocol>(protocol);
      if (only && a != *only) continue;
      const double microseconds = time(a, p, size);
      if (microseconds < choice.microseconds) choice = {a, p, microseconds};
    }
  return choice;
}

}  // namespace syncsim
