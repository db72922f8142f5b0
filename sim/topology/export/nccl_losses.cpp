#include "sim/topology/export/nccl_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace syncsim {
namespace {

class Finder {
 public:
  Finder(const Topology& topology, const PciTree& tree, bool several_hosts, NcclLosses& losses)
      : topology_(topology), tree_(tree), several_hosts_(several_hosts), losses_(losses) {
    beyond_.resize(topology.nodes().size());
    near_gpu_.resize(topology.nodes().size());
    for (const Link& link : topology.links())
      if (link.kind == LinkKind::nvlink && kind(link.from) == NodeKind::gpu)
        near_gpu_[link.to] = true;
    for (const Link& link : topology.links())
      if (link.kind == LinkKind::network && kind(link.from) == NodeKind::nic)
        beyond_[link.to] = true;
  }

  void run() {
    of_nodes("transit and reduce bandwidths are left out",
             [](const Node& node) { return node.transit_bandwidth || node.reduce_bandwidth; });
    of_nodes("whether it forwards is left out", [&](const Node& node) {
      return node.forwards == (node.kind == NodeKind::gpu) && !is_network(node);
    });
    of_links("latency and overhead are left out", [&](const Link& link) {
      return link.overhead.ps != 0 || (link.latency.ps != 0 && !is_port(link));
    });
    of_links("half duplex is left out", [](const Link& link) { return link.half_duplex; });
    of_links("a link of kind host is left out",
             [](const Link& link) { return link.kind == LinkKind::host; });
    of_network();
    of_switches();
    of_ranks();
    of_routing();
  }

 private:
  NodeKind kind(NodeId node) const { return topology_.nodes()[node].kind; }
  NodeId number(const Node& node) const {
    return static_cast<NodeId>(&node - topology_.nodes().data());
  }
  bool is_network(const Node& node) const {
    return node.kind == NodeKind::switch_ && beyond_[number(node)];
  }
  bool is_port(const Link& link) const {
    return link.kind == LinkKind::network &&
           (kind(link.from) == NodeKind::nic || kind(link.to) == NodeKind::nic);
  }

  template <class Holds>
  void of_nodes(const std::string& what, const Holds& holds) {
    for (const Node& node : topology_.nodes())
      if (holds(node)) losses_.add(node.id, what);
  }

  template <class Holds>
  void of_links(const std::string& what, const Holds& holds) {
    for (LinkId link = 0; link < topology_.links().size(); link += 2)
      if (holds(topology_.links()[link])) losses_.add(topology_.cable_name(link), what);
  }

  // A reader joins all ports to one node, which passes on between several hosts alone.
  void of_network() {
    of_links("a network link beyond the nics is left out",
             [&](const Link& link) { return link.kind == LinkKind::network && !is_port(link); });
    const auto nodes = std::count(beyond_.begin(), beyond_.end(), true);
    of_nodes("the network beyond the nics is left out, but for their speed", [&](const Node& node) {
      return beyond_[number(node)] && (nodes > 1 || node.forwards != several_hosts_ || !is_network(node));
    });
  }

  void of_switches() {
    const auto in_tree = [&](const Node& node) {
      return node.kind == NodeKind::switch_ && tree_.of[number(node)].has_value();
    };
    of_nodes("a reader leaves out a PCIe switch with nothing below it",
             [&](const Node& node) { return in_tree(node) && tree_.below[number(node)].empty(); });
    of_nodes("a reader takes a PCIe switch above nothing but another for one with it",
             [&](const Node& node) {
               const auto& below = tree_.below[number(node)];
               return in_tree(node) && below.size() == 1 && kind(below[0]) == NodeKind::switch_;
             });
    of_nodes("a switch that no PCIe link, gpu or nic reaches is left out", [&](const Node& node) {
      return node.kind == NodeKind::switch_ && !in_tree(node) && !beyond_[number(node)] &&
             !near_gpu_[number(node)];
    });
  }

  void of_ranks() {
    std::vector<bool> is_rank(topology_.nodes().size());
    for (const NodeId rank : topology_.ranks()) is_rank[rank] = true;
    of_nodes("a reader takes the gpus for ranks", [&](const Node& node) {
      return is_rank[number(node)] != (node.kind == NodeKind::gpu);
    });
  }

  void of_routing() {
    const RoutingPolicy& policy = topology_.routing();
    const auto lose = [&](std::string what) { losses_.add("routing", std::move(what)); };
    if (policy.p2p == PeerLevel::pxb)
      lose("P2P up to PXB is left out; NCCL goes as far by default");
    else if (policy.p2p != PeerLevel::sys)
      lose(
          fmt::format("P2P up to {0} is left out; NCCL goes up to PXB by default, or up to {0} "
                      "with NCCL_P2P_LEVEL={0}",
                      to_string(policy.p2p)));
    if (policy.acs)
      lose("ACS is left out; a reader lets PCIe switches pass peers straight through");
    if (policy.nvb) lose("relay nvb is left out");
    if (policy.pxn) lose("relay pxn is left out");
    for (const auto& [gpu, nic] : policy.nics)
      losses_.add(topology_.nodes()[gpu].id, "the nic chosen for it is left out");
    const bool any_port = std::find(beyond_.begin(), beyond_.end(), true) != beyond_.end();
    if (!policy.gdr && !any_port) lose("gdr is left out, as no nic has a network link");
  }

  const Topology& topology_;
  const PciTree& tree_;
  bool several_hosts_;
  std::vector<bool> beyond_;    // what nics reach by network links
  std::vector<bool> near_gpu_;  // what gpus reach by NVLink
  NcclLosses& losses_;
};

}  // namespace

void NcclLosses::add(std::string_view thing, std::string what) {
  const auto [known, is_new] = known_.emplace(what, entries_.size());
  if (is_new)
    entries_.push_back({std::string(thing), std::move(what), 0});
  else
    ++entries_[known->second].more;
}

std::vector<std::string> NcclLosses::lines() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_)
    result.push_back(entry.first.empty() ? entry.what
                     : entry.more == 0
                         ? fmt::format("{}: {}", entry.first, entry.what)
                         : fmt::format("{} and {} more: {}", entry.first, entry.more, entry.what));
  return result;
}

void find_nccl_losses(const Topology& topology, const PciTree& tree, bool several_hosts,
                      NcclLosses& losses) {
  Finder(topology, tree, several_hosts, losses).run();
}

}  // namespace syncsim
