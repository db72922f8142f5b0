// read(write(m)) == m, and what a written machine looks like.

#include "sim/topology/topology_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "sim/topology/link_names.h"
#include "tests/support/machines.h"
#include "tests/support/same_machine.h"
#include "tests/topology/json_support.h"

namespace syncsim::topology_writer_test {
namespace {

using testing::gigabytes;
using testing::link_of;

Topology edited(const Topology& machine, const std::vector<std::string>& texts) {
  std::vector<Edit> edits;
  for (const std::string& text : texts) edits.push_back(parse_edit(text));
  return apply_edits(machine, edits);
}

Topology shelf(const std::string& name) { return load_topology(name, SYNCSIM_SHELF); }

// Its name is not empty.
void check_comes_back(const Topology& machine) {
  const std::string text = topology_json(machine);
  CAPTURE(text);
  const Topology back = testing::read_machine(text);
  CHECK(testing::difference(machine, back) == "");
  CHECK(topology_json(back) == text);
}

class RandomMachine {
 public:
  explicit RandomMachine(std::uint32_t seed) : random_(seed) {}

  Topology make() {
    parts_.name = "random";
    if (one_in(2)) parts_.description = "with \"quotes\", \\ and \u00e9";
    add_nodes();
    // A cpu and a chain of switches keep all ranks joined; the gpus hang from the cpu.
    for (NodeId gpu = 0; gpu < gpus_; ++gpu) join(gpu, gpus_, LinkKind::pcie);
    for (NodeId node = gpus_ + 1; node < parts_.nodes.size(); ++node)
      join(node - 1, node, LinkKind::pcie);
    for (NodeId a = 0; a < parts_.nodes.size(); ++a)
      for (NodeId b = a + 1; b < parts_.nodes.size(); ++b)
        if (one_in(3)) join(a, b, one_in(2) ? LinkKind::nvlink : LinkKind::network);
    for (NodeId gpu = 0; gpu < gpus_; ++gpu)
      if (gpu == 0 || !one_in(4)) parts_.ranks.push_back(gpu);
    if (one_in(2)) std::shuffle(parts_.ranks.begin(), parts_.ranks.end(), random_);
    parts_.routing.acs = one_in(2);
    parts_.routing.pxn = one_in(2);
    return Topology(parts_);
  }

 private:
  bool one_in(unsigned count) { return random_() % count == 0; }

  void add_nodes() {
    gpus_ = static_cast<NodeId>(2 + random_() % 6);
    const bool gaps = one_in(2);
    for (NodeId gpu = 0; gpu < gpus_; ++gpu) {
      Node node{"box0/gpu" + std::to_string(gaps ? gpu * 2 + random_() % 2 : gpu),
                NodeKind::gpu,
                one_in(5),
                {},
                {},
                1,
                {},
                one_in(2) ? Architecture{90, 0} : Architecture{}};
      parts_.nodes.push_back(node);
    }
    const auto others = static_cast<NodeId>(2 + random_() % 4);
    for (NodeId other = 0; other < others; ++other) {
      const NodeKind kind = other == 0 ? NodeKind::cpu : NodeKind::switch_;
      Node node{"s" + std::to_string(other), kind, true, {}, {}, 1, {}, {}};
      if (one_in(3)) node.transit_bandwidth = rate();
      if (one_in(3)) node.reduce_bandwidth = rate();
      if (one_in(3)) node.peer_cost = 1.2;
      if (kind == NodeKind::switch_) node.abilities = {one_in(3), one_in(3)};
      parts_.nodes.push_back(node);
    }
  }

  // From a few plain ones to any double.
  Bandwidth rate() {
    if (!one_in(4)) return gigabytes(static_cast<double>(1 + random_() % 4) * 12.5);
    return {std::uniform_real_distribution<double>(1, 1e12)(random_)};
  }

  Link figures(LinkKind kind) {
    Link link = link_of(kind, rate(), one_in(2) ? 1 : static_cast<int>(1 + random_() % 7));
    if (one_in(3)) link.usable.bytes_per_second *= 0.7;
    if (one_in(3)) link.latency.ps = random_() % 10'000'000;
    if (one_in(5)) link.overhead.ps = random_() % 10'000'000;
    link.half_duplex = one_in(6);
    if (one_in(3)) link.spread = Spread::stripe;
    if (kind == LinkKind::pcie && one_in(3)) link.lanes = 8;
    if (kind == LinkKind::pcie && one_in(3)) link.generation = 3;
    return link;
  }

  void join(NodeId a, NodeId b, LinkKind kind) {
    const LinkId there = testing::add_cable(parts_, a, b, figures(kind));
    Link& back = parts_.links[there + 1];
    if (!back.half_duplex && one_in(4)) {
      back.bandwidth.bytes_per_second *= 4;
      back.latency.ps = 3;
    }
    if (one_in(6)) back.name = link_name(parts_, back, NameForm::with_kind);
  }

  std::mt19937 random_;
  Topology::Parts parts_;
  NodeId gpus_ = 0;
};

}  // namespace

TEST_CASE("every machine on the shelf comes back") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    check_comes_back(shelf(name));
  }
}

TEST_CASE("machines made by hand come back") {
  using namespace testing;
  for (const Topology::Parts& parts :
       {star(4), two_socket_tree(), full_mesh(5), testing::dgx1v(), testing::dgx2(), star(1)})
    check_comes_back(Topology(parts));
}

TEST_CASE("generated machines come back") {
  const std::string link = R"("link": {"kind": "nvlink", "bandwidth": "25 GB/s"})";
  const std::string others = R"("local": {"kind": "network", "bandwidth": "100 Gbit/s"},
                                "global": {"kind": "network", "bandwidth": "50 Gbit/s"})";
  for (const std::string& shape :
       {std::string(R"("ring", "gpus": 9)"), std::string(R"("star", "gpus": 9)"),
        std::string(R"("fully_connected", "gpus": 9)"),
        std::string(R"("hypercube", "dimension": 4)"),
        std::string(R"("mesh", "dimensions": [3, 4])"),
        std::string(R"("torus", "dimensions": [4, 3, 3])"),
        R"("dragonfly", "groups": 3, "routers": 2, "gpus": 2, )" + others})
    check_comes_back(testing::read_machine(R"({"kind": )" + shape + ", " + link + "}"));
}

TEST_CASE("edited machines come back: one direction, odd shares, kept names, removed nodes") {
  const Topology dgx1v = shelf("dgx1v");
  check_comes_back(
      edited(dgx1v, {"link:gpu0>gpu3 bandwidth=8 GB/s", "link:plx0>cpu0 latency=2 us"}));
  check_comes_back(edited(dgx1v, {"scale kind:nvlink bandwidth 0.3333"}));
  check_comes_back(edited(dgx1v, {"remove node:gpu3", "remove link:gpu0-gpu1"}));
  check_comes_back(edited(shelf("dgx2"), {"scale kind:nvlink bandwidth 0.7"}));

  Topology::Parts parts = testing::full_mesh(3);
  for (const NodeId gpu : {1U, 2U})
    testing::add_cable(parts, 0, gpu, link_of(LinkKind::pcie, gigabytes(16)));
  const Topology kept = edited(Topology(parts), {"remove kind:pcie"});
  REQUIRE(kept.cable_name(0) == "gpu0-gpu1@nvlink");
  REQUIRE(kept.cable_name(4) == "gpu1-gpu2");
  check_comes_back(kept);
}

TEST_CASE("a bundle whose bandwidth no cable's multiplies to keeps its count") {
  Topology::Parts parts = testing::direct_mesh(2, {{0, 1, 3}});
  for (Link& link : parts.links) link.bandwidth = link.usable = {4280387012.2550693};
  check_comes_back(Topology(parts));
  CHECK(topology_json(parts).find(R"("bundle": 3)") != std::string::npos);
}

TEST_CASE("random machines come back") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    check_comes_back(RandomMachine(seed).make());
  }
}

TEST_CASE("what is written reads as if a person wrote it") {
  const std::string text = R"({
  "name": "two",
  "description": "everything at once",
  "source": "a book",
  "link_types": {
    "nvlink": {"kind": "nvlink", "bandwidth": "25 GB/s", "latency": "1.5 us"},
    "pcie": {"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s", "lanes": 16, "generation": 3},
    "pcie_2": {"kind": "pcie", "bandwidth": "8 GB/s", "duplex": "half", "spread": "stripe"},
    "network": {"kind": "network", "bandwidth": "100 Gbit/s", "overhead": "3 us"},
    "network_2": {"kind": "network", "bandwidth": "96 Gbit/s"}
  },
  "nodes": [
    {"id": "gpu[0-3]", "kind": "gpu", "reduce_bandwidth": "200 GB/s"},
    {"id": "plx[0-1]", "kind": "switch", "abilities": ["reduce", "multicast"]},
    {"id": "cpu0", "kind": "cpu", "transit_bandwidth": "64 GB/s", "peer_cost": 1.2},
    {"id": "nic0", "kind": "nic", "forwards": false}
  ],
  "links": [
    {"all_pairs": "gpu[0-3]", "type": "nvlink", "count": 2},
    {"between": ["gpu[0-1]", "plx0"], "type": "pcie"},
    {"between": ["plx1", "gpu[2-3]"], "type": "pcie"},
    {"between": ["plx[0-1]", "cpu0"], "type": "pcie_2"},
    {"between": ["plx0", "nic0"], "type": "pcie"},
    {"between": ["gpu[0-1]", "nic0"], "type": "network", "kind_in_name": true},
    {"between": ["plx1", "nic0"], "type": "network", "back": "network_2"}
  ],
  "ranks": ["gpu[2-3]", "gpu0"],
  "routing": {"p2p": "PXB", "acs": true, "gdr": false, "relays": ["nvb", "pxn"], "nics": {"gpu0": "nic0"}}
}
)";
  CHECK(topology_json(testing::read_machine(text)) == text);
}

TEST_CASE("a machine without a name is called one, and control characters stay out") {
  Topology::Parts parts = testing::star(1);
  parts.name = "";
  parts.description = "two\nlines";
  const Topology back = testing::read_machine(topology_json(parts));
  CHECK(back.name() == "machine");
  CHECK(back.description() == "two\\nlines");
}

TEST_CASE("what no file can say is refused") {
  const auto refusal = [](const Topology::Parts& parts) {
    return testing::refusal_of([&] { topology_json(parts); });
  };
  Topology::Parts parts = testing::star(1);
  parts.nodes[0].id = "gpu[0]";
  CHECK(refusal(parts) ==
        "node id \"gpu[0]\" cannot be written in a topology file; "
        "use at most 200 characters, no brackets and no control characters");
  parts = testing::star(1);
  parts.links[0].usable = parts.links[1].usable = {0.25};
  CHECK(refusal(parts) ==
        "gpu0>switch0: \"0.25 B/s\" is out of range; "
        "write a bandwidth from 1 B/s to 1000000 TB/s");
  parts = testing::star(1);
  parts.nodes[1].transit_bandwidth = Bandwidth{1e19};
  CHECK(refusal(parts) ==
        "switch0: \"10000000 TB/s\" is out of range; "
        "write a bandwidth from 1 B/s to 1000000 TB/s");
}

}  // namespace syncsim::topology_writer_test
