// 2,048 DGX A100, 16,384 gpus: what they are made of, and that 2 GB are room enough to read them;
// and one box with thousands of gpus, in which nobody looks at all of the others.

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/routing.h"
#include "tests/support/routed.h"
#include "tests/topology/json_support.h"
#include "tests/topology/servers.h"

namespace syncsim::scale_test {
namespace {

constexpr std::size_t kMachines = 2'048;
const MemoryLimit kTwoGigabytes = {2'000'000'000, "there are 2 GB"};

Topology read(const std::string& text) {
  return read_topology(JsonFile::parse(text, "m.json").root(), kTwoGigabytes, SYNCSIM_SHELF);
}

int hops(const Topology& topology, const std::string& from, const std::string& to) {
  const Resources resources(topology, Rates::line);
  return Router(topology, resources).route(topology.node(from), topology.node(to)).hops;
}

}  // namespace

TEST_CASE("2,048 instances of a machine have 2,048 times its nodes, cables and ranks") {
  const Topology one = load_topology("dgx_a100", SYNCSIM_SHELF);
  const Topology all = read(R"({"name": "all",
    "link_types": {"net": {"kind": "network", "bandwidth": "25 GB/s"}},
    "instances": [{"prefix": "node[0-2047]/", "topology": "dgx_a100"}],
    "nodes": [{"id": "switch0", "kind": "switch"}],
    "links": [{"between": ["node[0-2047]/nic[0-7]", "switch0"], "type": "net"}]})");
  CHECK(all.nodes().size() == kMachines * one.nodes().size() + 1);
  CHECK(all.links().size() == kMachines * (one.links().size() + 2 * 8));
  CHECK(all.ranks().size() == kMachines * 8);
  CHECK(all.nodes()[all.ranks().back()].id == "node2047/gpu7");
  CHECK(hops(all, "node0/gpu3", "node2047/gpu5") == 6);
}

TEST_CASE("2,048 machines on rails: 8 rails of 32 leaves - 6 hops below one leaf, 8 on a rail") {
  const Topology rails = read(R"({"kind": "rail_optimized", "machines": 2048,
    "machine": "dgx_a100", "leaf_ports": 64, "spines": 32,
    "link": {"kind": "network", "bandwidth": "25 GB/s"}})");
  const Topology one = load_topology("dgx_a100", SYNCSIM_SHELF);
  CHECK(rails.nodes().size() == kMachines * one.nodes().size() + 8 * 32 + 32);
  CHECK(rails.links().size() == kMachines * (one.links().size() + 2 * 8) + 2 * 8 * 32 * 32);
  CHECK(hops(rails, "node0/gpu0", "node63/gpu0") == 6);
  CHECK(hops(rails, "node0/gpu0", "node64/gpu0") == 8);
}

TEST_CASE("12,000 gpus in one box without prefixes: each finds its own cpu, relay and nic") {
  constexpr NodeId kSockets = 3'000;  // a cpu with four gpus, a chain of NVLinks, and a nic
  Topology::Parts parts;
  testing::add_gpus(parts, 4 * kSockets);
  const NodeId net = testing::add_node(parts, "net", NodeKind::switch_);
  for (NodeId socket = 0; socket < kSockets; ++socket) {
    const std::string number = std::to_string(socket);
    const NodeId cpu = testing::add_node(parts, "cpu" + number, NodeKind::cpu);
    const NodeId nic = testing::add_node(parts, "nic" + number, NodeKind::nic);
    for (NodeId gpu = 4 * socket; gpu < 4 * socket + 4; ++gpu) {
      testing::add_cable(parts, gpu, cpu, testing::cable(LinkKind::pcie, 16));
      if (gpu % 4 > 0)
        testing::add_cable(parts, gpu - 1, gpu, testing::cable(LinkKind::nvlink, 50));
      parts.routing.nics.emplace_back(gpu, nic);
    }
    testing::add_cable(parts, nic, cpu, testing::cable(LinkKind::pcie, 16));
    testing::add_cable(parts, nic, net, testing::cable(LinkKind::network, 25));
  }
  parts.routing.p2p = PeerLevel::nvl;
  parts.routing.gdr = false;
  parts.routing.nvb = true;
  testing::Routed machine(parts);
  for (NodeId gpu = 0; gpu < 4 * kSockets; gpu += 4) {
    REQUIRE(machine.router.route(gpu, gpu + 2).links.size() == 2);  // by gpu + 1
    REQUIRE(machine.router.route(gpu, gpu + 3).hops == 2);          // staged
    REQUIRE(machine.router.route(gpu, (gpu + 4) % (4 * kSockets)).hops == 6);
  }
}

}  // namespace syncsim::scale_test
