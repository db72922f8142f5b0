#include "sim/exec/cost_model/library_profile.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

// {"value": 4.3, "tables": [...]} or a plain number.
double read_figure(const JsonReader& json) {
  const JsonReader value = json.is_object() ? json.required("value", "4.3") : json;
  const double figure = value.number();
  if (figure < 0) throw value.error("a negative figure", "write 0 or more");
  return figure;
}

double figure_of(const JsonReader& json, const char* key) {
  return read_figure(json.required(key, R"({"value": 4.3})"));
}

double figure_or_zero(const JsonReader& json, const char* key) {
  const auto field = json.optional(key);
  return field ? read_figure(*field) : 0;
}

ByProtocol read_protocols(const JsonReader& json) {
  return {figure_or_zero(json, "ll"), figure_or_zero(json, "ll128"),
          figure_or_zero(json, "simple")};
}

ByProtocol protocols_of(const JsonReader& json, const char* key) {
  return read_protocols(json.required(key, R"({"ll": 1, "ll128": 2, "simple": 4})"));
}

HostCost read_host(const JsonReader& json) {
  const auto before = json.optional("before");
  return {before ? before->string() : "", figure_of(json, "per_gpu_us"),
          figure_of(json, "fixed_us")};
}

std::vector<UsableShare> read_shares(const JsonReader& json, const char* key = "share") {
  std::vector<UsableShare> shares;
  for (const JsonReader& share : json.elements()) {
    const JsonReader from = share.required("from", R"("sm_80")");
    shares.push_back(
        {from.located([&] { return parse_architecture(from.string()); }), figure_of(share, key)});
  }
  return shares;
}

Network stack_of(const JsonReader& json) {
  static const NamedTable<NetworkName> table("network", network_names());
  return json.located([&] { return table.at(json.string()).network; });
}

NetworkCost read_network(const JsonReader& json) {
  NetworkCost cost;
  cost.name = json.required("name", R"("EFA 1")").string();
  cost.stack = stack_of(json.required("stack", R"("efa")"));
  if (const auto before = json.optional("before")) cost.before = before->string();
  cost.nic_at_most = figure_or_zero(json, "nic_at_most_GBps");
  if (const auto below = json.optional("sm_below"))
    cost.sm_below = static_cast<int>(below->integer(1, 1000));
  if (const auto c2c = json.optional("c2c")) cost.c2c = c2c->boolean();
  cost.call = figure_or_zero(json, "call_us");
  cost.hop = protocols_of(json, "hop_us");
  cost.share = figure_of(json, "share");
  cost.node_cap = figure_or_zero(json, "node_GBps");
  if (json.has("nic_GBps")) cost.nic_cap = protocols_of(json, "nic_GBps");
  if (json.has("stored_bytes")) cost.stored = protocols_of(json, "stored_bytes");
  cost.rendezvous = figure_or_zero(json, "rendezvous_us");
  cost.rendezvous_from = figure_or_zero(json, "rendezvous_from_bytes");
  return cost;
}

void read_near(const JsonReader& json, LibraryProfile& profile) {
  constexpr std::array<const char*, kStepKinds> kNames = {"switched", "direct", "xgmi", "pcie",
                                                          "staged"};
  const JsonReader step = json.required("step_us");
  for (std::size_t i = 0; i < kNames.size(); ++i) profile.step[i] = protocols_of(step, kNames[i]);
  profile.shares = read_shares(json.required("shares"));
  const JsonReader pcie = json.required("pcie");
  profile.pcie_share = figure_of(pcie, "share");
  profile.staged_share = figure_of(pcie, "staged_share");
  profile.one_way_share = figure_of(pcie, "one_way_share");
  profile.pcie_pairs_share = figure_of(pcie, "pairs_share");
  profile.staging = figure_of(pcie, "staging_GBps");
  profile.staged_ll = figure_of(pcie, "staged_ll");
}

void read_algorithms(const JsonReader& json, LibraryProfile& profile) {
  profile.efficiency = protocols_of(json, "efficiency");
  profile.busy_bytes = protocols_of(json, "busy_bytes");
  profile.pace = protocols_of(json, "pace");
  profile.hop_pace = protocols_of(json, "hop_pace");
  profile.chunk = protocols_of(json, "chunk_bytes");
  profile.chain_chunk = protocols_of(json, "chain_chunk_bytes");
  profile.ll_cap = figure_of(json, "ll_cap");
  profile.tree_share = figure_of(json, "tree_share");
  profile.nvls_call = figure_or_zero(json, "nvls_call_us");
  if (const auto shares = json.optional("nvls_shares")) profile.nvls_shares = read_shares(*shares);
  profile.nvls_tree_near_share = figure_or_zero(json, "nvls_tree_near_share");
  profile.nvls_tree_share = figure_or_zero(json, "nvls_tree_share");
  profile.nvls_tree_hop = figure_or_zero(json, "nvls_tree_hop_us");
  profile.nvls_tree_rack = figure_or_zero(json, "nvls_tree_rack_GBps");
  profile.channel_rate = figure_or_zero(json, "channel_GBps");
}

void read_pairs(const JsonReader& json, LibraryProfile& profile) {
  if (const auto rates = json.optional("peer_channels"))
    profile.peer_channel_rates = read_shares(*rates, "channel_GBps");
  profile.far_channel_rate = figure_or_zero(json, "far_channel_GBps");
  profile.pair_rate = figure_or_zero(json, "pair_GBps");
  profile.pair_call = figure_of(json, "pair_call_us");
  profile.near_pair_call = figure_of(json, "near_pair_call_us");
  profile.pairs_share = figure_of(json, "pairs_share");
  profile.shared_pairs_share = figure_of(json, "shared_pairs_share");
  profile.near_pairs_share = figure_of(json, "near_pairs_share");
}

int part_of(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::vector<NetworkName> network_names() {
  return {{"none", "one machine", Network::none},
          {"infiniband", "InfiniBand verbs", Network::infiniband},
          {"roce", "RDMA over Ethernet", Network::roce},
          {"slingshot", "Slingshot, by libfabric", Network::slingshot},
          {"efa", "AWS EFA, by libfabric", Network::efa},
          {"tcpxo", "Google's GPUDirect-TCPXO", Network::tcpxo},
          {"tcp", "TCP sockets", Network::tcp}};
}

double share_of(const std::vector<UsableShare>& rows, Architecture architecture, double without) {
  double share = without;
  for (const UsableShare& row : rows) {
    const bool fits = architecture.gfx != 0 ? row.from.gfx == architecture.gfx
                                            : row.from.gfx == 0 && row.from.sm <= architecture.sm;
    if (fits) share = row.share;
  }
  return share;
}

const HostCost& LibraryProfile::host_cost(const std::string& version) const {
  for (const HostCost& cost : host)
    if (!cost.before.empty() && !version.empty() && is_older(version, cost.before)) return cost;
  return host.back();
}

LibraryProfile load_library_profile(const std::string& path, const std::string& library) {
  const JsonFile file = JsonFile::load(path);
  const JsonReader json = file.root().required(library);
  LibraryProfile profile;
  profile.call = figure_of(json, "call_us");
  for (const JsonReader& host : json.required("host").elements())
    profile.host.push_back(read_host(host));
  if (profile.host.empty() || !profile.host.back().before.empty())
    throw json.required("host").error("no row for all versions", "end with one without \"before\"");
  read_near(json.required("near"), profile);
  read_algorithms(json.required("algorithms"), profile);
  read_pairs(json.required("point_to_point"), profile);
  for (const JsonReader& network : json.required("networks").elements())
    profile.networks.push_back(read_network(network));
  return profile;
}

bool is_older(const std::string& version, const std::string& than) {
  const std::vector<std::string_view> left = separated(version, '.');
  const std::vector<std::string_view> right = separated(than, '.');
  for (std::size_t i = 0; i < right.size(); ++i) {
    const int mine = i < left.size() ? part_of(left[i]) : 0;
    if (mine != part_of(right[i])) return mine < part_of(right[i]);
  }
  return false;
}

}  // namespace syncsim
