// Fat trees of 2 and 3 levels: the k-ary tree's counts, bundles, oversubscription, refusals.

#include <doctest/doctest.h>

#include <set>

#include "tests/topology/kinds/generated.h"

namespace syncsim::testing::fat_tree_test {
namespace {

Topology tree(const std::string& fields) { return generated("fat_tree", fields); }
std::string refusal(const std::string& fields) { return kind_refusal("fat_tree", fields); }

// Bandwidth of all links from nodes whose ids begin so to others whose ids begin so.
double bandwidth(const Topology& topology, const std::string& from, const std::string& to) {
  double sum = 0;
  for (const Link& link : topology.links())
    if (topology.nodes()[link.from].id.starts_with(from) &&
        topology.nodes()[link.to].id.starts_with(to))
      sum += link.bandwidth.bytes_per_second;
  return sum;
}

}  // namespace

TEST_CASE("a tree of 2 levels: consecutive gpus share a leaf, each leaf reaches each spine") {
  const Topology small = tree(R"("gpus": 4, "leaf_ports": 2)");
  CHECK(cables(small) == Names{"gpu0-leaf0", "gpu1-leaf0", "gpu2-leaf1", "gpu3-leaf1",
                               "leaf0-spine0", "leaf0-spine1", "leaf1-spine0", "leaf1-spine1"});
  CHECK(rank_names(small) == Names{"gpu0", "gpu1", "gpu2", "gpu3"});
  CHECK(small.name() == "fat_tree of 4");
  CHECK(small.description() == "4 gpus in a fat tree of 2 leaves, 2 spines");
}

TEST_CASE("with 2 levels there are as many spines as uplinks, and the bisection is full") {
  const Topology wide = tree(R"("gpus": 32, "leaf_ports": 8)");
  CHECK(count_nodes(wide, "leaf") == 4);
  CHECK(count_nodes(wide, "spine") == 8);
  CHECK(degree(wide, "leaf") == 16);
  CHECK(degree(wide, "spine") == 4);
  CHECK(bandwidth(wide, "leaf", "spine") == 32 * 10e9);
  CHECK(diameter(wide) == 4);
}

TEST_CASE("fewer spines are reached by bundles - together they carry as much") {
  const Topology bundled = tree(R"("gpus": 32, "leaf_ports": 8, "spines": 2)");
  CHECK(count_nodes(bundled, "spine") == 2);
  CHECK(count_cables(bundled) == 32 + 4 * 2);
  for (const Link& link : bundled.links())
    if (bundled.nodes()[link.from].id.starts_with("spine")) {
      CHECK(link.count == 4);
      CHECK(link.bandwidth == Bandwidth{40e9});
    }
  CHECK(bandwidth(bundled, "leaf", "spine") == 32 * 10e9);
}

TEST_CASE("an oversubscription of r leaves 1/r of the bandwidth above the leaves") {
  for (const double ratio : {1.0, 1.5, 2.0, 3.0, 6.0}) {
    const Topology thin =
        tree(R"("gpus": 12, "leaf_ports": 6, "oversubscription": )" + std::to_string(ratio));
    CHECK(bandwidth(thin, "leaf", "spine") == doctest::Approx(120e9 / ratio));
    CHECK(static_cast<double>(count_nodes(thin, "spine")) == doctest::Approx(6 / ratio));
  }
  CHECK(count_nodes(tree(R"("gpus": 8, "leaf_ports": 4, "oversubscription": 1.333333)"), "spine") ==
        3);
}

TEST_CASE("faster uplinks are fewer") {
  const Topology fast = tree(R"("gpus": 16, "leaf_ports": 8,
    "uplink": {"kind": "network", "bandwidth": "40 GB/s", "latency": "3 us"})");
  CHECK(count_nodes(fast, "spine") == 2);
  CHECK(bandwidth(fast, "leaf", "spine") == 16 * 10e9);
  CHECK(fast.links().back().latency == Time{3'000'000});
  CHECK(fast.links().front().latency == Time{2'000'000});
}

// M. Al-Fares, A. Loukissas, A. Vahdat: A scalable, commodity data center network architecture
// (SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, k^3/4 hosts.
TEST_CASE("with 3 levels and defaults this is the k-ary fat tree") {
  for (const std::size_t k : {4, 6}) {
    const Topology clos = tree(R"("levels": 3, "gpus": )" + std::to_string(k * k * k / 4) +
                               R"(, "leaf_ports": )" + std::to_string(k / 2));
    CHECK(count_nodes(clos, "leaf") == k * k / 2);
    CHECK(count_nodes(clos, "spine") == k * k / 2);
    CHECK(count_nodes(clos, "core") == k * k / 4);
    for (const char* level : {"leaf", "spine", "core"})
      CHECK(degree(clos, level) == static_cast<int>(k));
    CHECK(count_cables(clos) == 3 * k * k * k / 4);
    CHECK(diameter(clos) == 6);
  }
}

TEST_CASE("each core has one cable to each pod, at the same place in all pods") {
  const Topology clos = tree(R"("levels": 3, "gpus": 16, "leaf_ports": 2)");
  std::vector<std::set<std::string>> spines(4);
  for (const Link& link : clos.links()) {
    const std::string& core = clos.nodes()[link.from].id;
    if (core.starts_with("core"))
      spines[static_cast<std::size_t>(core.back() - '0')].insert(clos.nodes()[link.to].id);
  }
  CHECK(spines[0] == std::set<std::string>{"spine0", "spine2", "spine4", "spine6"});
  CHECK(spines[1] == spines[0]);
  CHECK(spines[2] == std::set<std::string>{"spine1", "spine3", "spine5", "spine7"});
  CHECK(spines[3] == spines[2]);
}

TEST_CASE("gpus of one leaf, one pod and two pods are 2, 4 and 6 hops apart") {
  const auto hops = distances(tree(R"("levels": 3, "gpus": 16, "leaf_ports": 2)"));
  for (std::size_t from = 0; from < 16; ++from)
    for (std::size_t to = 0; to < 16; ++to)
      CHECK(hops[from][to] == (from == to           ? 0
                               : from / 2 == to / 2 ? 2
                               : from / 4 == to / 4 ? 4
                                                    : 6));
}

TEST_CASE("pods, cores and the spines' own oversubscription may be chosen") {
  // 8 leaves of 4; pods of 4 leaves; 2 spines a pod with bundles of 2 from each leaf: 8 cables down
  // and, at 2 : 1, 4 up; 4 cores are 2 for each place, by bundles of 2.
  const Topology chosen = tree(R"("levels": 3, "gpus": 32, "leaf_ports": 4, "pod_leaves": 4,
                                  "spines": 2, "oversubscription": [1, 2], "cores": 4)");
  CHECK(count_nodes(chosen, "spine") == 2 * 2);
  CHECK(count_nodes(chosen, "core") == 4);
  CHECK(degree(chosen, "leaf") == 4 + 4);
  CHECK(degree(chosen, "spine") == 8 + 4);
  CHECK(degree(chosen, "core") == 2 * 2);
  CHECK(bandwidth(chosen, "leaf", "spine") == 32 * 10e9);
  CHECK(bandwidth(chosen, "spine", "core") == 16 * 10e9);
  CHECK(chosen.description() == "32 gpus in a fat tree of 8 leaves, 4 spines, 4 cores");
  const Topology fast = tree(R"("levels": 3, "gpus": 16, "leaf_ports": 2,
    "core_link": {"kind": "network", "bandwidth": "20 GB/s"})");
  CHECK(count_nodes(fast, "core") == 2);
  CHECK(bandwidth(fast, "spine", "core") == 16 * 10e9);
}

TEST_CASE("machines hang at the leaves by their nics, nic by nic") {
  const Topology boxed = tree(boxes(4) + R"(, "leaf_ports": 4)");
  Names own = cables(boxed);
  own.erase(own.begin(), own.begin() + 4 * 4);
  own.resize(5);
  CHECK(own == Names{"node0/nic0-leaf0", "node0/nic1-leaf0", "node1/nic0-leaf0", "node1/nic1-leaf0",
                     "node2/nic0-leaf1"});
  CHECK(count_nodes(boxed, "spine") == 4);
  CHECK(boxed.name() == "fat_tree of 4 box");
}

TEST_CASE("what does not come out whole is refused with what would") {
  CHECK(refusal(R"("gpus": 128, "leaf_ports": 24)") ==
        "m.json:/leaf_ports: 128 ports do not fill leaves of 24; write 16 or 32");
  CHECK(refusal(R"("gpus": 8, "leaf_ports": 16)") ==
        "m.json:/leaf_ports: 8 ports do not fill leaves of 16; write 8");
  CHECK(refusal(R"("gpus": 32, "leaf_ports": 8, "oversubscription": 3)") ==
        "m.json:/oversubscription: each leaf has 80 GB/s below, which makes 2.66667 uplinks of "
        "10 GB/s at 3 : 1; write an oversubscription of 2.66666667, for 3");
  CHECK(refusal(R"("gpus": 32, "leaf_ports": 8, "oversubscription": 2.66666667)") == "accepted");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "oversubscription": 100)") ==
        "m.json:/oversubscription: each leaf has 20 GB/s below, which makes 0.02 uplinks of "
        "10 GB/s at 100 : 1; write an oversubscription of 2, for 1");
  CHECK(refusal(R"("gpus": 32, "leaf_ports": 8, "spines": 3)") ==
        "m.json:/spines: 3 spines do not share 8 uplinks evenly; write 2 or 4");
  CHECK(refusal(R"("gpus": 32, "leaf_ports": 8, "spines": 16)") ==
        "m.json:/spines: 16 spines do not share 8 uplinks evenly; write 8");
  CHECK(refusal(R"("levels": 3, "gpus": 24, "leaf_ports": 4)") ==
        "m.json:/: 6 leaves do not fill pods of 4; write 3 or 6");
  CHECK(refusal(R"("levels": 3, "gpus": 24, "leaf_ports": 4, "pod_leaves": 5)") ==
        "m.json:/pod_leaves: 6 leaves do not fill pods of 5; write 3 or 6");
  CHECK(refusal(R"("levels": 3, "gpus": 16, "leaf_ports": 2, "oversubscription": [1, 1.5])") ==
        "m.json:/oversubscription: each spine has 20 GB/s below, which makes 1.33333 uplinks of "
        "10 GB/s at 1.5 : 1; write an oversubscription of 2, for 1");
  CHECK(refusal(R"("levels": 3, "gpus": 16, "leaf_ports": 2, "cores": 3)") ==
        "m.json:/cores: 3 cores do not share 4 uplinks evenly; write 2 or 4");
}

TEST_CASE("wrong keys and figures of a fat tree are refused") {
  CHECK(refusal(R"("gpus": 4)") == R"(m.json:/: "leaf_ports" is missing; add "leaf_ports": 8)");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 0)") ==
        "m.json:/leaf_ports: 0 is out of range; write a whole number from 1 to 1000000");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "levels": 4)") ==
        "m.json:/levels: 4 is out of range; write a whole number from 2 to 3");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "cores": 4)")
            .starts_with(R"(m.json:/cores: unknown key "cores")"));
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "oversubscription": 0)") ==
        "m.json:/oversubscription: a ratio is above 0; write down : up, as in 2");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "oversubscription": [1, 2])") ==
        "m.json:/oversubscription: 2 ratios; write at most 1, the leaves' first");
  CHECK(refusal(R"("gpus": 4, "leaf_ports": 2, "oversubscription": 1e-9)") ==
        "m.json:/oversubscription: each leaf would have more than 2000000 uplinks; "
        "take a faster uplink, or a larger oversubscription");
  CHECK(refusal(R"("gpus": 1000000, "leaf_ports": 10, "oversubscription": 1e-5)") ==
        "m.json:/gpus: the machine would have 100 G cables; build one of at most 2000000");
}

}  // namespace syncsim::testing::fat_tree_test
