// Dragonflies: all of a group joined, one cable between every two groups, spread over routers.

#include <doctest/doctest.h>

#include <set>

#include "tests/topology/kinds/generated.h"

namespace syncsim::testing::dragonfly_test {
namespace {

Topology dragonfly(int groups, int routers, const std::string& leaves,
                   const std::string& more = "") {
  return generated("dragonfly", R"("groups": )" + std::to_string(groups) + R"(, "routers": )" +
                                    std::to_string(routers) + ", " + leaves + more);
}

std::string refusal(const std::string& fields) { return kind_refusal("dragonfly", fields); }

}  // namespace

TEST_CASE("the smallest dragonfly, cable by cable") {
  const Topology small = dragonfly(3, 2, R"("gpus": 1)");
  CHECK(cables(small) == Names{"gpu0-router0", "gpu1-router1", "gpu2-router2", "gpu3-router3",
                               "gpu4-router4", "gpu5-router5", "router0-router1", "router2-router3",
                               "router4-router5", "router0-router3", "router1-router4",
                               "router2-router5"});
  CHECK(rank_names(small) == Names{"gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5"});
  CHECK(small.name() == "dragonfly of 6");
  CHECK(small.description() == "6 gpus in a dragonfly of 3 groups of 2 routers");
}

// J. Kim, W. Dally, S. Scott, D. Abts: Technology-driven, highly-scalable dragonfly topology (ISCA
// 2008): a = 2p = 2h, g = ah + 1 balances it; every router then has p + a - 1 + h ports.
TEST_CASE("a balanced dragonfly has pga gpus, p + a - 1 + h ports a router, and diameter 5") {
  constexpr int p = 2, a = 4, h = 2, g = a * h + 1;
  const Topology balanced = dragonfly(g, a, R"("gpus": 2)");
  CHECK(balanced.ranks().size() == p * g * a);
  CHECK(count_nodes(balanced, "router") == g * a);
  CHECK(degree(balanced, "router") == p + a - 1 + h);
  CHECK(count_cables(balanced) == p * g * a + g * a * (a - 1) / 2 + g * (g - 1) / 2);
  CHECK(diameter(balanced) == 5);
}

TEST_CASE("every two groups have one cable, spread evenly over the routers of each") {
  constexpr int g = 8, a = 3;
  const Topology odd = dragonfly(g, a, R"("gpus": 1)");
  std::set<std::pair<NodeId, NodeId>> pairs;
  std::vector<int> outside(g * a);
  const NodeId first = odd.node("router0");
  for (const Link& link : odd.links()) {
    if (link.from < first || link.to < first) continue;
    const NodeId from = (link.from - first) / a;
    const NodeId to = (link.to - first) / a;
    if (from == to) continue;
    CHECK(pairs.emplace(from, to).second);
    ++outside[link.from - first];
  }
  CHECK(pairs.size() == g * (g - 1));
  for (int router = 0; router < g * a; ++router)
    CHECK(outside[static_cast<std::size_t>(router)] == (router % a == 0 ? 3 : 2));
}

TEST_CASE("a dragonfly of one group is its routers, all joined") {
  const Topology one = dragonfly(1, 4, R"("gpus": 2)");
  CHECK(count_cables(one) == 8 + 6);
  CHECK(diameter(one) == 3);
}

TEST_CASE("local and global cables have their own figures, or those before them") {
  const auto rates = [](const std::string& more) {
    const Topology fly = dragonfly(2, 2, R"("gpus": 1)", more);
    std::vector<double> result;
    for (const char* name : {"gpu0", "router0", "router1"})
      for (const Link& link : fly.links())
        if (fly.nodes()[link.from].id == name && link.to > link.from) {
          result.push_back(link.bandwidth.bytes_per_second / 1e9);
        }
    return result;  // link, local, global
  };
  CHECK(rates("") == std::vector<double>{10, 10, 10});
  CHECK(rates(R"(, "local": {"kind": "network", "bandwidth": "20 GB/s"})") ==
        std::vector<double>{10, 20, 20});
  CHECK(rates(R"(, "global": {"kind": "network", "bandwidth": "5 GB/s"})") ==
        std::vector<double>{10, 10, 5});
}

TEST_CASE("machines hang at the routers in place of gpus") {
  const Topology boxed = dragonfly(2, 2, boxes(3));
  CHECK(boxed.ranks().size() == 2 * 2 * 3 * 2);
  CHECK(degree(boxed, "router0") == 3 * 2 + 1 + 1);
  CHECK(boxed.find_node("node11/nic1").has_value());
  CHECK(boxed.name() == "dragonfly of 12 box");
}

TEST_CASE("wrong figures of a dragonfly are refused, huge ones at once") {
  CHECK(refusal(R"("routers": 2, "gpus": 2)") ==
        R"(m.json:/: "groups" is missing; add "groups": 9)");
  CHECK(refusal(R"("groups": 2, "gpus": 2)") ==
        R"(m.json:/: "routers" is missing; add "routers": 4)");
  CHECK(refusal(R"("groups": 2, "routers": 0, "gpus": 2)") ==
        "m.json:/routers: 0 is out of range; write a whole number from 1 to 1000000");
  CHECK(refusal(R"("groups": 1000000, "routers": 1000000, "gpus": 1000000)") ==
        "m.json:/gpus: 1000000000000 routers with 1000000 each are more than 1000000; "
        "write smaller numbers");
  CHECK(refusal(R"("groups": 1, "routers": 1000000, "gpus": 1)") ==
        "m.json:/gpus: the machine would have 500 G cables; build one of at most 2000000");
}

}  // namespace syncsim::testing::dragonfly_test
