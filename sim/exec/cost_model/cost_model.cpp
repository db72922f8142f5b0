#include "sim/exec/cost_model/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace syncsim {
namespace {

constexpr double kNicUnit = 12.5;      // GB/s that NetworkCost::nic_cap counts in
constexpr int kFreeChunks = 8;         // of trees that cost nothing beside their bytes
constexpr double kMostOfProcess = 16;  // gpus under one system; more are a rack of several

std::size_t at(NcclProtocol protocol) { return static_cast<std::size_t>(protocol); }

bool has_link(const Topology& machine, std::span<const NodeId> ranks, LinkKind kind) {
  return std::any_of(machine.links().begin(), machine.links().end(), [&](const Link& link) {
    return link.kind == kind && std::find(ranks.begin(), ranks.end(), link.from) != ranks.end();
  });
}

// GB/s of the fastest nic; of gpus on the network where there are none.
double rate_of_nics(const Topology& machine) {
  double rate = 0;
  for (const Link& link : machine.links()) {
    const NodeKind kind = machine.nodes()[link.from].kind;
    if (link.kind == LinkKind::network && (kind == NodeKind::nic || kind == NodeKind::gpu))
      rate = std::max(rate, gigabytes_per_second(link.bandwidth));
  }
  return rate;
}

}  // namespace

CostModel::CostModel(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind,
                     const LibraryTerms& terms, const NcclFormula& formula,
                     const std::string& directory)
    : machine_(machine), kind_(kind), terms_(terms), graph_(formula.graph()) {
  if (terms_.library.empty()) terms_.library = graph_.architecture.gfx != 0 ? "rccl" : "nccl";
  if (is_free()) return;
  const std::string costs = terms_.costs.empty() ? directory + "/library_costs.json" : terms_.costs;
  profile_ = load_library_profile(costs, terms_.library);
  const NcclGeneration& generation = formula.tuning().generation(graph_.architecture);
  ll_caps_ = generation.ll;
  cutting_ = formula.tuning().cutting;
  nvls_channels_ = generation.nvls_channels;
  const Place place = places_of(machine)[ranks.front()];
  hosts_ = hosts_in(place);
  nics_shared_ = place.nics > 0 && place.nics < place.gpus;
  nics_ = nics_in_use(place, graph_.ranks_per_node);
  nic_rate_ = rate_of_nics(machine);
  // Through Intel's host bridges NCCL's gpus do not reach each other, unless an environment says
  // so.
  peer_level_ = graph_.cpu == CpuMaker::intel ? PeerLevel::pxb : PeerLevel::sys;
  staged_ = std::min(machine.routing().p2p, peer_level_) < PeerLevel::phb && !graph_.nvlink;
  assume_launch();
  assume_network();
  if (graph_.nodes > 1) find_network(machine, ranks, costs);
}

void CostModel::assume_launch() {
  if (terms_.launch == Launch::graph)
    assumed_.emplace_back("of CUDA graphs nothing is known: launched as a process a gpu");
  if (terms_.launch != Launch::unknown || graph_.ranks == 1) return;
  const bool one =
      graph_.nodes == 1 && terms_.library == "nccl" && graph_.ranks_per_node <= kMostOfProcess;
  terms_.launch = one ? Launch::one_process : Launch::process_per_gpu;
  assumed_.push_back(one ? fmt::format("launch not said: one process drives all {} gpus, as "
                                       "nccl-tests' -g {}",
                                       graph_.ranks, graph_.ranks)
                         : "launch not said: a process a gpu, as under mpirun");
}

void CostModel::assume_network() {
  if (graph_.nodes == 1 || (terms_.network && *terms_.network != Network::none)) return;
  terms_.network = Network::infiniband;
  assumed_.emplace_back("network stack not said: InfiniBand");
}

bool CostModel::fits(const NetworkCost& row, bool c2c) const {
  if (row.stack != *terms_.network) return false;
  const bool old = !terms_.version.empty() && is_older(terms_.version, row.before);
  if (!row.before.empty() && !old) return false;
  if (row.nic_at_most > 0 && nic_rate_ > row.nic_at_most) return false;
  if (row.sm_below > 0 && graph_.architecture.sm >= row.sm_below) return false;
  return !row.c2c || *row.c2c == c2c;
}

// A stack on which the library was not measured is taken as it is with NCCL.
void CostModel::find_network(const Topology& machine, std::span<const NodeId> ranks,
                             const std::string& costs) {
  const bool c2c = has_link(machine, ranks, LinkKind::c2c);
  const auto find = [&](const LibraryProfile& profile) {
    for (const NetworkCost& row : profile.networks)
      if (!network_ && fits(row, c2c)) network_ = row;
  };
  find(profile_);
  if (!network_ && terms_.library != "nccl") {
    find(load_library_profile(costs, "nccl"));
    assumed_.push_back("nothing is known of " + terms_.library +
                       " over this network stack: taken as with nccl");
  }
  if (!network_)
    throw InputError("nothing is known of " + terms_.library + " over this network stack",
                     "name another one by --network");
}

// Small calls keep few of the channels busy (nccl-model: thread thresholds).
double CostModel::busy_share(const LibraryPlan& plan, double bytes) const {
  const double channels = std::max(1, graph_.channels);
  double whole = profile_.busy_bytes[at(plan.protocol)] * channels;
  const bool ring = plan.algorithm == NcclAlgorithm::ring && !plan.pairwise;
  if (ring && plan.protocol == NcclProtocol::ll) whole *= graph_.ranks;
  if (whole <= 0 || plan.pairwise) return 1;
  return std::clamp(bytes / whole, 1 / channels, 1.0);
}

void CostModel::price_gpus(const LibraryPlan& plan, double bytes, double use,
                           LinkPrices& prices) const {
  const double wire = profile_.efficiency[at(plan.protocol)];
  for (std::size_t kind = 0; kind < kStepKinds; ++kind)
    prices.step[kind] = profile_.step[kind][at(plan.protocol)];
  prices.pace = is_chained(kind_) ? 0 : profile_.pace[at(plan.protocol)];
  prices.gpu_share = share_of(profile_.shares, graph_.architecture) * wire * use;
  if (plan.algorithm == NcclAlgorithm::nvls)
    prices.gpu_share *= share_of(profile_.nvls_shares, graph_.architecture);
  if (plan.algorithm == NcclAlgorithm::nvls_tree) prices.gpu_share *= profile_.nvls_tree_near_share;
  if (plan.algorithm == NcclAlgorithm::tree && !plan.pairwise)
    prices.gpu_share *= profile_.tree_share;
  if (plan.pairwise) prices.gpu_share *= profile_.near_pairs_share;
  if (plan.protocol == NcclProtocol::ll && ll_caps_[0] > 0)
    prices.gpu_cap = ll_caps_[0] * profile_.ll_cap;
  const double peers = kind_ == CollectiveKind::send_recv ? 1 : graph_.ranks - 1;
  prices.pair_cap = pair_cap(plan, bytes);
  for (const double cap : {pins_cap(), graph_.switched ? peers * prices.pair_cap : 0})
    if (cap > 0) prices.gpu_cap = prices.gpu_cap > 0 ? std::min(prices.gpu_cap, cap) : cap;
  const double ll = plan.protocol == NcclProtocol::ll ? profile_.staged_ll : wire;
  const double two_ways = (staged_ ? profile_.staged_share : profile_.pcie_share) *
                          (plan.pairwise ? profile_.pcie_pairs_share : 1);
  prices.pcie_share =
      graph_.nodes > 1 ? 1 : (is_rooted(kind_) ? profile_.one_way_share : two_ways) * use * ll;
  prices.staging = profile_.staging;
  prices.p2p = peer_level_;
}

double CostModel::far_pair_cap() const {
  const double channels = far_peer_channels(cutting_, graph_) * profile_.far_channel_rate;
  return channels > 0 ? std::min(channels, profile_.pair_rate) : profile_.pair_rate;
}

double CostModel::pins_cap() const {
  return terms_.pins.channels > 0 ? terms_.pins.channels * profile_.channel_rate : 0;
}

// GB/s from a gpu to another point to point, by the channels that it has to it.
double CostModel::pair_cap(const LibraryPlan& plan, double bytes) const {
  if (!plan.pairwise) return 0;
  const double pair = kind_ == CollectiveKind::send_recv ? bytes : bytes / graph_.ranks;
  return peer_channels(cutting_, graph_, pair) *
         share_of(profile_.peer_channel_rates, graph_.architecture, 0);
}

void CostModel::price_network(const LibraryPlan& plan, double bytes, double use,
                              LinkPrices& prices) const {
  const NetworkCost& row = *network_;
  prices.hop = row.hop[at(plan.protocol)];
  prices.hop_pace = profile_.hop_pace[at(plan.protocol)];
  if (plan.algorithm == NcclAlgorithm::nvls_tree) {
    prices.hop += profile_.nvls_tree_hop;
    prices.hop_pace = 0;  // of its many channels others go on
  }
  if (row.rendezvous > 0 && plan.protocol != NcclProtocol::simple && bytes >= row.rendezvous_from)
    prices.hop += row.rendezvous;
  prices.network_share = row.share * profile_.efficiency[at(plan.protocol)] * use;
  if (plan.algorithm == NcclAlgorithm::nvls_tree && !plan.pairwise)
    prices.network_share *= profile_.nvls_tree_share;
  if (plan.pairwise && kind_ == CollectiveKind::all_to_all)
    prices.network_share *= nics_shared_ ? profile_.shared_pairs_share : profile_.pairs_share;
  prices.nic_cap = row.nic_cap[at(plan.protocol)] * std::max(1.0, nic_rate_ / kNicUnit);
  if (plan.pairwise && kind_ == CollectiveKind::send_recv && profile_.pair_rate > 0)
    prices.nic_cap = far_pair_cap();
  if (!plan.pairwise) prices.node_cap = row.node_cap;
  if (plan.algorithm == NcclAlgorithm::nvls_tree)
    prices.node_cap = hosts_ > 1 ? profile_.nvls_tree_rack / hosts_ : 0;
  const double rate = prices.network_share * nic_rate_ * 1e3;  // bytes a us
  const double stored = std::min(row.stored[at(plan.protocol)], piece_on_nic(plan, bytes));
  if (rate > 0) prices.stored = stored / rate;
}

// Bytes of a call that go by a nic at a time.
double CostModel::piece_on_nic(const LibraryPlan& plan, double bytes) const {
  const double of_nic = bytes / nics_;
  if (plan.pairwise) return of_nic / graph_.ranks;
  if (plan.algorithm == NcclAlgorithm::ring) return of_nic / graph_.ranks;
  return of_nic / 2 / pieces(plan, {std::llround(bytes)});
}

LinkPrices CostModel::prices(const LibraryPlan& plan, Bytes bytes) const {
  LinkPrices prices;
  const auto size = static_cast<double>(bytes.count);
  const double use = busy_share(plan, size);
  price_gpus(plan, size, use, prices);
  if (network_) price_network(plan, size, use, prices);
  return prices;
}

Topology CostModel::fitted(const LibraryPlan& plan, Bytes bytes,
                           std::span<const NodeId> ranks) const {
  return is_free() ? machine_ : priced(machine_, ranks, prices(plan, bytes));
}

double CostModel::call(const LibraryPlan& plan) const {
  if (is_free()) return 0;
  double call = profile_.call + (network_ ? network_->call : 0);
  const bool nvls =
      plan.algorithm == NcclAlgorithm::nvls || plan.algorithm == NcclAlgorithm::nvls_tree;
  if (nvls && !plan.pairwise) call += profile_.nvls_call;
  if (plan.pairwise && kind_ != CollectiveKind::send_recv)
    call += (graph_.ranks - 1) * (graph_.nodes > 1 ? profile_.pair_call : profile_.near_pair_call);
  return call;
}

double CostModel::host() const {
  if (is_free() || terms_.launch != Launch::one_process) return 0;
  const HostCost& cost = profile_.host_cost(terms_.version);
  return cost.fixed + cost.per_gpu * graph_.ranks_per_node;
}

double CostModel::pieces(const LibraryPlan& plan, Bytes bytes) const {
  if (is_free()) return kFreeChunks;
  const auto size = static_cast<double>(bytes.count);
  if (plan.algorithm == NcclAlgorithm::nvls_tree && cutting_.nvls_tree_chunk > 0)
    return std::max(1.0, size / nvls_tree_piece(cutting_, graph_, nvls_channels_, size));
  const bool chained = is_chained(kind_);
  const ByProtocol& chunk = chained ? profile_.chain_chunk : profile_.chunk;
  const double pieces = size / (std::max(1, graph_.channels) * chunk[at(plan.protocol)]);
  // A chain forwards whole chunks, so none may be larger than what the library forwards.
  return std::max(1.0, chained ? std::ceil(pieces) : pieces);
}

// The more ranks, the less does it take to keep a pipeline full enough to see it.
int CostModel::most_chunks(const LibraryPlan& plan) const {
  if (is_free()) return kFreeChunks;
  const double ranks = std::max(1, graph_.ranks);
  const double most = plan.algorithm == NcclAlgorithm::nvls_tree
                          ? std::clamp(8192 / ranks, 12.0, 128.0)
                          : std::clamp(16384 / ranks, 6.0, 128.0);
  return static_cast<int>(most);
}

int CostModel::chunks(const LibraryPlan& plan, Bytes bytes) const {
  return static_cast<int>(std::min<double>(pieces(plan, bytes), most_chunks(plan)));
}

}  // namespace syncsim
