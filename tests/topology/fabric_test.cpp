// Searches over a cluster's network: the paths found without looking into third boxes are those
// that a plain search finds, and what a third box costs at least is known.

#include "sim/topology/fabric.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "sim/topology/shortest_paths.h"
#include "tests/support/machines.h"
#include "tests/topology/json_support.h"

namespace syncsim::fabric_test {
namespace {

// Hops from `from` over nodes that forward; the links of all shortest paths to `to`.
class PlainSearch {
 public:
  explicit PlainSearch(const Topology& topology) : topology_(topology) {}

  std::set<LinkId> links(NodeId from, NodeId to, int& hops) const {
    const std::vector<int> there = distances(from, to, false);
    const std::vector<int> back = distances(to, from, true);
    hops = there[to];
    std::set<LinkId> result;
    for (LinkId link = 0; link < topology_.links().size(); ++link) {
      const auto [a, b] = std::pair(topology_.links()[link].from, topology_.links()[link].to);
      if (hops >= 0 && there[a] >= 0 && back[b] >= 0 && there[a] + 1 + back[b] == hops)
        result.insert(link);
    }
    return result;
  }

 private:
  // -1 where there is no way. Of paths against the links when `backwards`.
  std::vector<int> distances(NodeId start, NodeId end, bool backwards) const {
    std::vector<int> result(topology_.nodes().size(), -1);
    result[start] = 0;
    std::vector<NodeId> found = {start};
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == end) continue;
      for (const Link& link : topology_.links()) {
        const NodeId near = backwards ? link.to : link.from;
        const NodeId far = backwards ? link.from : link.to;
        if (near != found[i] || result[far] >= 0) continue;
        if (!topology_.nodes()[far].forwards && far != end) continue;
        result[far] = result[near] + 1;
        found.push_back(far);
      }
    }
    return result;
  }

  const Topology& topology_;
};

int below(std::mt19937& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

// Boxes of a few nodes joined by PCIe at random, and a random network between them all.
Topology random_cluster(std::mt19937& random) {
  Topology::Parts parts;
  const int boxes = 2 + below(random, 4);
  const int size = 1 + below(random, 5);
  for (int i = 0; i < boxes * size; ++i) {
    testing::add_node(parts, "n" + std::to_string(i), NodeKind::nic);
    parts.nodes.back().forwards = below(random, 4) > 0;
  }
  parts.ranks = {0};
  const auto nodes = static_cast<NodeId>(parts.nodes.size());
  for (int i = 0; i < 1 + below(random, 4); ++i)
    testing::add_node(parts, "s" + std::to_string(i), NodeKind::switch_);
  const auto all = static_cast<NodeId>(parts.nodes.size());
  const bool touching = below(random, 3) == 0;
  for (NodeId a = 0; a < all; ++a)
    for (NodeId b = a + 1; b < all; ++b) {
      const bool same_box =
          b < nodes && a / static_cast<NodeId>(size) == b / static_cast<NodeId>(size);
      const LinkKind kind = same_box ? LinkKind::pcie : LinkKind::network;
      if (below(random, same_box ? 2 : 4) != 0 || (!same_box && b < nodes && !touching)) continue;
      testing::add_cable(parts, a, b, testing::link_of(kind, Bandwidth{1}));
    }
  return Topology(parts);
}

bool has_network(const Topology& topology, const ShortestPaths& paths) {
  return std::any_of(paths.hops.begin(), paths.hops.end(), [&](const Hop& hop) {
    return topology.links()[hop.link].kind == LinkKind::network;
  });
}

// Two boxes of a gpu behind a nic, and a third of `ports` nics on a switch, all on switches s0, s1.
Topology three_boxes(int ports, const std::string& more = "") {
  const std::string nics = "c[0-" + std::to_string(ports - 1) + "]";
  const std::string switches = "s[0-" + std::to_string(ports - 1) + "]";
  return testing::read_machine(R"({"name": "m", "link_types": {
      "x": {"kind": "pcie", "bandwidth": "1 GB/s"}, "net": {"kind": "network",
      "bandwidth": "1 GB/s"}}, "nodes": [{"id": "gpu[0-1]", "kind": "gpu"},
      {"id": "nic[0-1]", "kind": "nic"}, {"id": ")" +
                               nics + R"(", "kind": "nic"},
      {"id": "plx", "kind": "switch"}, {"id": "s[0-1]", "kind": "switch"}],
    "links": [{"between": ["gpu[0-1]", "nic[0-1]"], "type": "x"},
      {"between": ["nic[0-1]", "s[0-1]"], "type": "net"},
      {"between": [")" + nics + R"(", ")" +
                               switches + R"("], "type": "net"},
      {"between": [")" + nics + R"(", "plx"], "type": "x"})" +
                               more + "]}");
}

std::optional<int> least_detour(const Topology& topology, const char* from, const char* to) {
  const LinksOut links(topology);
  return Fabric(topology, links).least_detour(topology.node(from), topology.node(to));
}

}  // namespace

TEST_CASE("over the network, the paths found are all shortest paths") {
  std::mt19937 random(11);
  int compared = 0;
  for (int machine = 0; machine < 600; ++machine) {
    const Topology topology = random_cluster(random);
    PathFinder finder(topology);
    const PlainSearch plain(topology);
    for (NodeId from = 0; from < topology.nodes().size(); ++from)
      for (NodeId to = 0; to < topology.nodes().size(); ++to) {
        if (from == to) continue;
        int hops = 0;
        const std::set<LinkId> expected = plain.links(from, to, hops);
        const auto paths = finder.find(from, to);
        REQUIRE(paths.has_value() == (hops >= 0));
        if (!paths || !has_network(topology, *paths)) continue;  // a better class is another rule
        ++compared;
        std::set<LinkId> found;
        for (const Hop& hop : paths->hops) found.insert(hop.link);
        REQUIRE(paths->length == hops);
        REQUIRE(found == expected);
      }
  }
  CHECK(compared > 10'000);
}

TEST_CASE("a way through a third box is taken when there is no other") {
  const Topology topology = three_boxes(2);
  PathFinder finder(topology);
  const auto paths = finder.find(topology.node("gpu0"), topology.node("gpu1"));
  REQUIRE(paths.has_value());
  CHECK(paths->length == 2 + 4 + 2);  // s0, c0, plx, c1, s1
  CHECK(least_detour(topology, "gpu0", "gpu1") == 8);
}

TEST_CASE("the least detour: out of one box, through another by two ports, into the third") {
  const auto of = [](const Topology& topology) { return least_detour(topology, "gpu0", "gpu1"); };
  CHECK(!of(three_boxes(1, R"(, {"between": ["s0", "s1"], "type": "net"})")).has_value());
  // Two ports that are joined; one port on both switches.
  CHECK(of(three_boxes(2, R"(, {"between": ["c0", "c1"], "type": "x"})")) == 7);
  CHECK(of(three_boxes(2, R"(, {"between": ["c0", "s1"], "type": "net"})")) == 6);
  // Boxes that touch lead into each other without fabric between.
  CHECK(of(three_boxes(2, R"(, {"between": ["nic0", "c1"], "type": "net"})")) == 1 + 1 + 0 + 1 + 1);
  // From the fabric itself.
  CHECK(least_detour(three_boxes(2), "s0", "gpu1") == 6);
  CHECK(least_detour(three_boxes(2), "s0", "s1") == 4);
}

TEST_CASE("links out of a node come in their order") {
  const Topology topology = three_boxes(2);
  const LinksOut links(topology);
  std::size_t count = 0;
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    CHECK(std::is_sorted(links.of(node).begin(), links.of(node).end()));
    for (const LinkId link : links.of(node)) CHECK(topology.links()[link].from == node);
    count += links.of(node).size();
  }
  CHECK(count == topology.links().size());
}

}  // namespace syncsim::fabric_test
