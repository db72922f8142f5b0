// The shelf's clusters: machines times count, NICs on their switches, what the fabric carries.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/topology/import/link_rates.h"
#include "sim/topology/routing.h"
#include "tests/support/shelf.h"

namespace syncsim::shelf_clusters_test {
namespace {

using testing::numbered;
using testing::shelf;

constexpr double kGiga = 1e9;
constexpr std::int64_t kNanosecond = 1'000;  // picoseconds
constexpr LinkKind kNetwork = LinkKind::network;

struct Cluster {
  std::string name;
  int machines = 0;
  int ranks = 0;        // of all machines
  int nics = 0;         // a machine
  std::string network;  // in rates/links.json
};

const std::vector<Cluster>& clusters() {
  static const std::vector<Cluster> kClusters = {
      {"dgx1v_x2", 2, 16, 4, "network_100g"},
      {"dgx_a100_x2", 2, 16, 8, "network_200g"},
      {"dgx_a100_x4", 4, 32, 8, "network_200g"},
      {"dgx_a100_x16", 16, 128, 8, "network_200g"},
      {"hgx_h100_x2", 2, 16, 8, "network_400g"},
      {"hgx_h100_x16", 16, 128, 8, "network_400g"},
      {"hgx_h100_x128", 128, 1024, 8, "network_400g"},
      {"fat_tree_2level", 32, 32, 1, "network_100g"},
      {"fat_tree_3level", 128, 128, 1, "network_100g"},
      {"ethernet_10g_x4", 4, 4, 1, "network_10g"},
      {"ethernet_25g_x8", 8, 8, 1, "network_25g"},
      {"ethernet_100g_x16", 16, 16, 1, "network_100g"},
  };
  return kClusters;
}

bool is_nic(const Topology& machine, NodeId node) {
  return machine.nodes()[node].kind == NodeKind::nic;
}

// The node's number after the word, or -1: "spine12" is 12 of "spine".
int number_of(const std::string& id, const std::string& word) {
  return id.starts_with(word) ? std::stoi(id.substr(word.size())) : -1;
}

// GB/s over cables of the network from nodes called `below` to nodes called `above`.
double uplinks(const Topology& machine, const std::string& below, const std::string& above) {
  double sum = 0;
  for (const Link& link : machine.links())
    if (link.kind == kNetwork && machine.nodes()[link.from].id.starts_with(below) &&
        machine.nodes()[link.to].id.starts_with(above))
      sum += link.bandwidth.bytes_per_second;
  return sum / kGiga;
}

int called(const Topology& machine, const std::string& word) {
  int count = 0;
  for (const Node& node : machine.nodes()) count += node.id.starts_with(word) ? 1 : 0;
  return count;
}

Route way(const Topology& machine, const std::string& from, const std::string& to) {
  const Resources resources(machine, Rates::line);
  return Router(machine, resources).find(machine.node(from), machine.node(to));
}

}  // namespace

TEST_CASE("a machine called X_xN has N times the ranks and nics of X") {
  int compared = 0;
  const std::vector<std::string> names = shelf_names(SYNCSIM_SHELF);
  const std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::size_t cut = name.rfind("_x");
    if (cut == std::string::npos || !known.contains(name.substr(0, cut))) continue;
    CAPTURE(name);
    const Topology one = shelf(name.substr(0, cut));
    const Topology many = shelf(name);
    const int count = std::stoi(name.substr(cut + 2));
    CHECK(static_cast<int>(many.ranks().size()) == count * static_cast<int>(one.ranks().size()));
    CHECK(testing::nodes(many, NodeKind::nic) == count * testing::nodes(one, NodeKind::nic));
    ++compared;
  }
  CHECK(compared == 9);
}

TEST_CASE("every nic of a cluster has one cable of its network's speed") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  for (const Cluster& expected : clusters()) {
    CAPTURE(expected.name);
    const Topology machine = shelf(expected.name);
    const Link& cable = rates.link(expected.network);
    CHECK(static_cast<int>(machine.ranks().size()) == expected.ranks);
    CHECK(testing::nodes(machine, NodeKind::nic) == expected.machines * expected.nics);
    std::map<NodeId, int> cables;
    for (const Link& link : machine.links()) {
      if (link.kind != kNetwork) continue;
      CHECK(link.bandwidth.bytes_per_second == link.count * cable.bandwidth.bytes_per_second);
      CHECK(link.usable.bytes_per_second ==
            doctest::Approx(link.count * cable.usable.bytes_per_second));
      if (is_nic(machine, link.from)) cables[link.from] += link.count;
    }
    CHECK(cables.size() == static_cast<std::size_t>(expected.machines * expected.nics));
    for (const auto& entry : cables) CHECK(entry.second == 1);
  }
}

TEST_CASE("nic i of each machine is on rail i") {
  for (const std::string name : {"dgx_a100_x2", "dgx_a100_x4", "dgx_a100_x16", "hgx_h100_x2",
                                 "hgx_h100_x16", "hgx_h100_x128"}) {
    CAPTURE(name);
    const Topology machine = shelf(name);
    for (const Link& link : machine.links()) {
      if (link.kind != kNetwork || !is_nic(machine, link.from)) continue;
      const std::string& nic = machine.nodes()[link.from].id;
      CHECK(number_of(machine.nodes()[link.to].id, "rail") ==
            number_of(nic.substr(nic.find('/') + 1), "nic"));
    }
  }
}

TEST_CASE("rails have as much bandwidth up to their spines as down to their nics") {
  struct Rails {
    std::string name;
    int leaves;
    int spines;
    double each_way;  // GB/s
  };
  for (const Rails& expected : std::vector<Rails>{{"dgx_a100_x2", 8, 1, 16 * 25.0},
                                                  {"dgx_a100_x4", 8, 1, 32 * 25.0},
                                                  {"dgx_a100_x16", 8, 4, 128 * 25.0},
                                                  {"hgx_h100_x2", 8, 1, 16 * 50.0},
                                                  {"hgx_h100_x16", 8, 4, 128 * 50.0},
                                                  {"hgx_h100_x128", 32, 16, 1024 * 50.0}}) {
    CAPTURE(expected.name);
    const Topology machine = shelf(expected.name);
    CHECK(called(machine, "rail") == expected.leaves);
    CHECK(called(machine, "spine") == expected.spines);
    CHECK(uplinks(machine, "node", "rail") == expected.each_way);
    CHECK(uplinks(machine, "rail", "spine") == expected.each_way);
  }
}

TEST_CASE("fat_tree_2level has half as much bandwidth above its leaves as below") {
  const Topology machine = shelf("fat_tree_2level");
  CHECK(called(machine, "leaf") == 4);
  CHECK(called(machine, "spine") == 4);
  CHECK(uplinks(machine, "node", "leaf") == 32 * 12.5);
  CHECK(uplinks(machine, "leaf", "spine") == 16 * 12.5);
}

TEST_CASE("fat_tree_3level is the 8-ary fat tree: every level carries what its hosts send") {
  const Topology machine = shelf("fat_tree_3level");
  CHECK(called(machine, "leaf") == 32);
  CHECK(called(machine, "spine") == 32);
  CHECK(called(machine, "core") == 16);
  CHECK(uplinks(machine, "node", "leaf") == 128 * 12.5);
  CHECK(uplinks(machine, "leaf", "spine") == 128 * 12.5);
  CHECK(uplinks(machine, "spine", "core") == 128 * 12.5);
}

TEST_CASE("a gpu reaches its like in another machine over one switch in 2.7 us, others over more") {
  struct Way {
    std::string machine;
    std::string to;
    int hops;
    std::int64_t nanoseconds;
    double bottleneck;  // GB/s
  };
  for (const Way& expected :
       std::vector<Way>{{"dgx1v_x2", "node1/gpu0", 6, 2600, 12.5},
                        {"dgx_a100_x4", "node3/gpu0", 6, 2700, 25},
                        {"dgx_a100_x16", "node15/gpu7", 8, 3400, 25},
                        {"hgx_h100_x16", "node15/gpu0", 6, 2700, 50},
                        {"hgx_h100_x16", "node15/gpu3", 8, 3400, 50},
                        {"hgx_h100_x128", "node31/gpu0", 6, 2700, 50},
                        {"hgx_h100_x128", "node32/gpu0", 8, 3400, 50},
                        {"ethernet_10g_x4", "node3/gpu0", 6, 2700, 1.25},
                        {"ethernet_25g_x8", "node7/gpu0", 6, 2700, 3.125},
                        {"ethernet_100g_x16", "node15/gpu0", 6, 2700, 12.5},
                        {"fat_tree_2level", "node7/gpu0", 6, 2700, 12.5},
                        {"fat_tree_2level", "node31/gpu0", 8, 3400, 12.5},
                        {"fat_tree_3level", "node3/gpu0", 6, 2700, 12.5},
                        {"fat_tree_3level", "node15/gpu0", 8, 3400, 12.5},
                        {"fat_tree_3level", "node127/gpu0", 10, 4100, 12.5}}) {
    CAPTURE(expected.machine);
    CAPTURE(expected.to);
    const Route route = way(shelf(expected.machine), "node0/gpu0", expected.to);
    CHECK(route.route_class == 3);
    CHECK(route.hops == expected.hops);
    CHECK(route.latency == Time{expected.nanoseconds * kNanosecond});
    CHECK(route.bottleneck == doctest::Approx(expected.bottleneck * kGiga));
  }
}

TEST_CASE("within a machine of a cluster routes are those of the machine alone") {
  const Topology one = shelf("hgx_h100");
  const Topology many = shelf("hgx_h100_x16");
  for (const std::string to : {"gpu1", "gpu7", "nic0", "nic7", "cpu0", "cpu1"}) {
    CAPTURE(to);
    const Route alone = way(one, "gpu0", to);
    const Route within = way(many, "node5/gpu0", "node5/" + to);
    CHECK(within.hops == alone.hops);
    CHECK(within.latency == alone.latency);
    CHECK(within.bottleneck == doctest::Approx(alone.bottleneck));
  }
}

TEST_CASE(
    "a chip of tpu_v4_4x4x4 has six links of 45 GB/s and is at most six hops from any other") {
  const Topology machine = shelf("tpu_v4_4x4x4");
  CHECK(machine.ranks().size() == 64);
  const Resources resources(machine, Rates::line);
  Router router(machine, resources);
  std::vector<int> at_distance(8);
  for (const NodeId chip : machine.ranks()) {
    CHECK(testing::bandwidth_out(machine, chip, LinkKind::xgmi) == 6 * 45e9);
    const Route& route = router.route(machine.ranks()[0], chip);
    ++at_distance.at(static_cast<std::size_t>(route.hops));
    CHECK(route.latency == Time{route.hops * 1000 * kNanosecond});
  }
  // (1 + 2x + x^2)^3: on each axis one chip is here, two are beside, one is opposite.
  CHECK(at_distance == std::vector<int>{1, 6, 15, 20, 15, 6, 1, 0});
}

}  // namespace syncsim::shelf_clusters_test
