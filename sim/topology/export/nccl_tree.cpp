#include "sim/topology/export/nccl_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/error.h"
#include "sim/topology/boxes.h"

namespace syncsim {
namespace {

class TreeBuilder {
 public:
  explicit TreeBuilder(const Topology& topology)
      : topology_(topology), links_of_(topology.nodes().size()) {
    tree_.of.resize(topology.nodes().size());
    tree_.below.resize(topology.nodes().size());
    used_.resize(topology.links().size() / 2);
    for (LinkId link = 0; link < topology.links().size(); ++link)
      if (topology.links()[link].kind == LinkKind::pcie)
        links_of_[topology.links()[link].from].push_back(link);
  }

  PciTree build() {
    tree_.cpus = topology_.nodes_of_kind(NodeKind::cpu);
    for (std::size_t root = 0; root < tree_.cpus.size(); ++root) grow(tree_.cpus[root], root);
    hang_loose_nodes();
    check_all_used();
    for (std::vector<NodeId>& below : tree_.below) std::sort(below.begin(), below.end());
    return std::move(tree_);
  }

 private:
  NodeKind kind(NodeId node) const { return topology_.nodes()[node].kind; }

  // Takes in all that hangs below, without recursion.
  void grow(NodeId top, std::size_t root) {
    std::vector<NodeId> open = {top};
    while (!open.empty()) {
      const NodeId above = open.back();
      open.pop_back();
      for (const LinkId link : links_of_[above]) {
        const NodeId node = topology_.links()[link].to;
        if (tree_.of[node] || kind(node) == NodeKind::cpu || node == top) continue;
        tree_.of[node] = PciTree::Place{above, link ^ 1, root};
        tree_.below[above].push_back(node);
        used_[link / 2] = true;
        if (kind(node) == NodeKind::switch_) open.push_back(node);
      }
    }
  }

  // By node: the cpu that some link joins it to, else the first.
  std::vector<std::size_t> nearest_cpus() const {
    std::vector<std::size_t> roots(topology_.nodes().size());
    for (const Link& link : topology_.links())
      if (kind(link.to) == NodeKind::cpu)
        roots[link.from] = static_cast<std::size_t>(
            std::lower_bound(tree_.cpus.begin(), tree_.cpus.end(), link.to) - tree_.cpus.begin());
    return roots;
  }

  // Devices that no cpu reaches: first whole switches, then what is left.
  void hang_loose_nodes() {
    const std::vector<std::size_t> roots = nearest_cpus();
    for (const bool switches : {true, false})
      for (NodeId node = 0; node < topology_.nodes().size(); ++node) {
        if (tree_.of[node] || kind(node) == NodeKind::cpu) continue;
        const bool is_switch = kind(node) == NodeKind::switch_;
        if (is_switch != switches || (is_switch && links_of_[node].empty())) continue;
        const std::size_t root = roots[node];
        tree_.of[node] = PciTree::Place{std::nullopt, 0, root};
        tree_.loose.push_back(node);
        if (is_switch) grow(node, root);
      }
    std::sort(tree_.loose.begin(), tree_.loose.end());
  }

  void check_all_used() const {
    for (LinkId link = 0; link < topology_.links().size(); link += 2)
      if (topology_.links()[link].kind == LinkKind::pcie && !used_[link / 2])
        throw InputError(
            fmt::format("{} is no branch of a tree of PCIe links below the cpus",
                        topology_.cable_name(link)),
            "NCCL's format has one way from each device to its cpu: remove the others");
  }

  const Topology& topology_;
  PciTree tree_;
  std::vector<std::vector<LinkId>> links_of_;  // of kind pcie, by the node they leave
  std::vector<bool> used_;                     // by cable
};

}  // namespace

PciTree pci_tree(const Topology& topology) { return TreeBuilder(topology).build(); }

void refuse_cluster(const Topology& topology) {
  std::set<std::uint32_t> boxes;
  const std::vector<Place> places = places_of(topology);
  for (const NodeId gpu : topology.nodes_of_kind(NodeKind::gpu)) boxes.insert(places[gpu].box);
  const auto is_fabric = [&](const Link& link) {
    const Node& far = topology.nodes()[link.to];
    return link.kind == LinkKind::network && far.kind == NodeKind::switch_ && far.forwards;
  };
  if (boxes.size() > 1 && std::any_of(topology.links().begin(), topology.links().end(), is_fabric))
    throw InputError(
        fmt::format("the machine has {} boxes, but NCCL's XML describes one", boxes.size()),
        "export one of them, such as dgx_a100 in place of dgx_a100_x2");
}

}  // namespace syncsim
