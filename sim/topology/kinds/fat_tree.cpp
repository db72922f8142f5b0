// {"kind": "fat_tree", "levels": 2, "gpus": n, "leaf_ports": d, "oversubscription": 1,
//  "link": {...}, "uplink": {...}}; machines in place of gpus: see leaves.h.
// Port k is on leaf(k / d), by "link". With U the bandwidth of "uplink" (default: "link"), a leaf
// has u = d x the bandwidth of "link" / (oversubscription x U) uplinks.
// 2 levels: S = "spines" (default: u) spines; each leaf has u / S cables to each, as one bundle.
// 3 levels: pods of "pod_leaves" leaves (default: d), each with S spines of its own, joined so; pod
// q has spine(qS) to spine(qS + S - 1). A spine has v = its bandwidth downwards / (oversubscription
// of spines x the bandwidth of "core_link" (default: "uplink")) uplinks. There are "cores" cores
// (default: Sv), w = cores / S for each place in a pod: spine j of every pod has v / w cables to
// each of core(jw) to core(jw + w - 1).
// "oversubscription" is the leaves'; [2, 1.5] says the spines', too, which is else 1.
// With 3 levels and all defaults, d = k / 2 and k^3 / 4 gpus this is the k-ary fat tree.

#include <fmt/format.h>

#include "sim/topology/kinds/clos.h"
#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/leaves.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

struct FatTree {
  Leaves hosts;
  Link link = {};
  Link uplink = {};
  Link core_link = {};
  std::uint64_t leaf_ports = 0;
  std::uint64_t leaves = 0;      // in all
  std::uint64_t pod_leaves = 0;  // with 2 levels, all leaves are one pod
  Level spines = {};             // above a leaf
  Level cores = {};              // above a spine; none with 2 levels

  std::uint64_t pods() const { return leaves / pod_leaves; }
  std::uint64_t all_spines() const { return pods() * spines.switches; }
  std::uint64_t all_cores() const { return spines.switches * cores.switches; }
};

void read_leaf_level(const JsonReader& json, double oversubscription, FatTree& tree) {
  const JsonReader ports = json.required("leaf_ports", "8");
  tree.leaf_ports = read_count(ports);
  tree.leaves = divide(ports, tree.hosts.all_ports(), "ports", tree.leaf_ports,
                       fmt::format("leaves of {}", tree.leaf_ports));
  tree.uplink = read_link(json, "uplink", tree.link);
  const double down = static_cast<double>(tree.leaf_ports) * tree.link.bandwidth.bytes_per_second;
  const std::uint64_t uplinks = count_uplinks(field_or_all(json, "oversubscription"),
                                              {down, oversubscription, tree.uplink, "leaf"});
  tree.spines = read_level(json, "spines", uplinks, 1);
  tree.pod_leaves = tree.leaves;
}

void read_core_level(const JsonReader& json, double oversubscription, FatTree& tree) {
  const auto pod_leaves = json.optional("pod_leaves");
  tree.pod_leaves = pod_leaves ? read_count(*pod_leaves) : tree.leaf_ports;
  divide(field_or_all(json, "pod_leaves"), tree.leaves, "leaves", tree.pod_leaves,
         fmt::format("pods of {}", tree.pod_leaves));
  tree.core_link = read_link(json, "core_link", tree.uplink);
  const double down = static_cast<double>(tree.pod_leaves) * tree.spines.cables_each() *
                      tree.uplink.bandwidth.bytes_per_second;
  const std::uint64_t uplinks = count_uplinks(field_or_all(json, "oversubscription"),
                                              {down, oversubscription, tree.core_link, "spine"});
  tree.cores = read_level(json, "cores", uplinks, tree.spines.switches);
}

void require_room(const MachineSource& source, const FatTree& tree) {
  MachineSize size = tree.hosts.size();
  size.nodes += tree.leaves + tree.all_spines() + tree.all_cores();
  size.links += 2 * (tree.hosts.all_ports() + tree.leaves * tree.spines.switches +
                     capped_product(tree.all_spines(), tree.cores.switches));
  source.require_room(tree.hosts.at, size);
}

FatTree read_fat_tree(const JsonReader& json, MachineSource& source) {
  const auto levels = json.optional("levels");
  const bool has_cores = levels && levels->integer(2, 3) == 3;
  std::vector<std::string> keys = {"levels", "gpus",       "machines",         "machine",
                                   "ports",  "leaf_ports", "oversubscription", "link",
                                   "uplink", "spines"};
  if (has_cores) keys.insert(keys.end(), {"pod_leaves", "cores", "core_link"});
  allow_keys(json, keys);
  FatTree tree{.hosts = read_leaves(json, source), .link = read_link(json)};
  const std::vector<double> ratios = read_oversubscription(json, has_cores ? 2 : 1);
  read_leaf_level(json, ratios[0], tree);
  if (has_cores) read_core_level(json, ratios[1], tree);
  require_room(source, tree);
  return tree;
}

void join_cores(Topology::Parts& parts, NodeId first_spine, NodeId first_core,
                const FatTree& tree) {
  for (std::uint64_t spine = 0; spine < tree.all_spines(); ++spine) {
    const std::uint64_t place = spine % tree.spines.switches;
    join_level(parts, first_spine + static_cast<NodeId>(spine), 1,
               first_core + static_cast<NodeId>(place * tree.cores.switches), tree.cores,
               tree.core_link);
  }
}

std::string describe(const FatTree& tree) {
  std::string text = fmt::format("{} in a fat tree of {} leaves, {} spines", tree.hosts.text(),
                                 tree.leaves, tree.all_spines());
  if (tree.cores.switches > 0) text += fmt::format(", {} cores", tree.all_cores());
  return text;
}

}  // namespace

Topology::Parts generate_fat_tree(const JsonReader& json, MachineSource& source) {
  const FatTree tree = read_fat_tree(json, source);
  Topology::Parts parts;
  parts.name = "fat_tree of " + tree.hosts.name();
  parts.description = describe(tree);
  const std::vector<NodeId> ports = add_leaves(parts, tree.hosts, GpuForwards::no);
  const NodeId leaf = add_switches(parts, "leaf", tree.leaves);
  const NodeId spine = add_switches(parts, "spine", tree.all_spines());
  const NodeId core = add_switches(parts, "core", tree.all_cores());
  for (std::size_t i = 0; i < ports.size(); ++i)
    add_cable(parts, ports[i], leaf + static_cast<NodeId>(i / tree.leaf_ports), tree.link);
  for (std::uint64_t pod = 0; pod < tree.pods(); ++pod)
    join_level(parts, leaf + static_cast<NodeId>(pod * tree.pod_leaves), tree.pod_leaves,
               spine + static_cast<NodeId>(pod * tree.spines.switches), tree.spines, tree.uplink);
  if (tree.cores.switches > 0) join_cores(parts, spine, core, tree);
  return parts;
}

}  // namespace syncsim
