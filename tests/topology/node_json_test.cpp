// What a topology file says of a node's abilities and costs, and of the routing policy.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/json_support.h"

namespace syncsim::node_json_test {
namespace {

// Two gpus, a nic and a cpu around a switch.
std::string machine(const std::string& more_of_cpu, const std::string& more = "") {
  return R"({"name": "m", "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "nic0", "kind": "nic"},
              {"id": "switch0", "kind": "switch", "abilities": ["reduce", "multicast"]},
              {"id": "cpu0", "kind": "cpu")" +
         more_of_cpu + R"(}],
    "links": [{"between": ["gpu[0-1]", "switch0"], "type": "x16"},
              {"between": ["nic0", "switch0"], "type": "x16"},
              {"between": ["cpu0", "switch0"], "type": "x16"}])" +
         more + "}";
}

Topology read(const std::string& text) {
  return read_topology(JsonFile::parse(text, "m.json").root());
}

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { read(text); });
}

}  // namespace

TEST_CASE("abilities and peer costs are read - nodes have none unless the file says so") {
  const Topology topology = read(machine(R"(, "peer_cost": 1.2)"));
  CHECK(topology.nodes()[topology.node("switch0")].abilities == Abilities{true, true});
  CHECK(topology.nodes()[topology.node("gpu0")].abilities == Abilities{});
  CHECK(topology.nodes()[topology.node("cpu0")].peer_cost == 1.2);
  CHECK(topology.nodes()[topology.node("gpu0")].peer_cost == 1);
  CHECK(topology.routing() == RoutingPolicy{});
}

TEST_CASE("a wrong ability or peer cost is refused") {
  CHECK(refusal(machine(R"(, "peer_cost": 0.5)")) ==
        "m.json:/nodes/3/peer_cost: peer traffic costs no less than its bytes; write 1 or more");
  CHECK(refusal(machine(R"(, "abilities": ["reduc"])")) ==
        R"(m.json:/nodes/3/abilities/0: unknown ability "reduc"; did you mean "reduce"?)");
  CHECK(refusal(machine(R"(, "abilities": ["reduce", "reduce"])")) ==
        R"(m.json:/nodes/3/abilities/1: "reduce" is listed twice; list it once)");
  CHECK(refusal(machine(R"(, "abilities": ["reduce"])")) ==
        "m.json:/nodes/3/abilities: a cpu neither reduces nor multicasts for others; give "
        "abilities to switches");
}

TEST_CASE("the routing policy is read") {
  const Topology topology = read(machine("", R"(, "routing": {"p2p": "PXB", "acs": true,
      "gdr": false, "relays": ["pxn"], "nics": {"gpu1": "nic0"}})"));
  RoutingPolicy expected;
  expected.p2p = PeerLevel::pxb;
  expected.acs = true;
  expected.gdr = false;
  expected.pxn = true;
  expected.nics = {{topology.node("gpu1"), topology.node("nic0")}};
  CHECK(topology.routing() == expected);
}

TEST_CASE("a wrong routing policy is refused") {
  const auto with = [](const std::string& routing) {
    return refusal(machine("", R"(, "routing": )" + routing));
  };
  CHECK(with(R"({"p2p": "PXX"})") ==
        R"(m.json:/routing/p2p: unknown P2P level "PXX"; did you mean "PIX"?)");
  CHECK(with(R"({"relays": ["nvx"]})") ==
        R"(m.json:/routing/relays/0: unknown relay "nvx"; did you mean "nvb"?)");
  CHECK(with(R"({"nics": {"gpu1": "nic1"}})") ==
        R"(m.json:/routing/nics/gpu1: unknown node "nic1"; did you mean "nic0"?)");
  CHECK(with(R"({"nics": {"gpu1": "cpu0"}})") ==
        R"(m.json:/routing/nics/gpu1: "gpu1" is given "cpu0" as its nic; give a gpu a nic)");
  CHECK(with(R"({"nics": {"gpu0": "gpu1"}})") ==
        R"(m.json:/routing/nics/gpu0: "gpu0" is given "gpu1" as its nic; give a gpu a nic)");
  CHECK(with(R"({"nics": {"switch0": "nic0"}})") ==
        R"(m.json:/routing/nics/switch0: "switch0" is given "nic0" as its nic; give a gpu a nic)");
}

TEST_CASE("removing a node forgets what the policy says of it") {
  Topology::Parts parts = read(machine("", R"(, "routing": {"nics": {"gpu0": "nic0", "gpu1":
      "nic0"}})"))
                              .parts();
  const Topology before(parts);
  const Topology after = apply_edits(before, std::vector{parse_edit("remove node:gpu0")});
  CHECK(after.routing().nics ==
        RoutingPolicy{.nics = {{after.node("gpu1"), after.node("nic0")}}}.nics);
  CHECK(apply_edits(before, std::vector{parse_edit("remove node:nic0")}).routing().nics.empty());
}

}  // namespace syncsim::node_json_test
