// Gpus and machines as leaves: which nodes join the fabric, names, policies, refusals.

#include <doctest/doctest.h>

#include "tests/support/temporary_folder.h"
#include "tests/topology/kinds/generated.h"

namespace syncsim::testing::leaves_test {
namespace {

std::string machines(int count, const std::string& machine) {
  return R"("machines": )" + std::to_string(count) + R"(, "machine": )" + machine;
}

constexpr const char* kPair = R"({"name": "pair", "link_types": {"nv": {"kind": "nvlink",
  "bandwidth": "25 GB/s"}}, "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
  "links": [{"between": ["gpu0", "gpu1"], "type": "nv"}])";

}  // namespace

TEST_CASE("machines are joined by their nics, in order") {
  const Topology star = generated("star", boxes(2));
  CHECK(star.name() == "star of 2 box");
  CHECK(star.description() == "2 box around one switch");
  CHECK(rank_names(star) == Names{"node0/gpu0", "node0/gpu1", "node1/gpu0", "node1/gpu1"});
  Names own = cables(star);
  own.erase(own.begin(), own.begin() + 2 * 4);
  CHECK(own == Names{"node0/nic0-switch0", "node0/nic1-switch0", "node1/nic0-switch0",
                     "node1/nic1-switch0"});
  CHECK(star.nodes()[star.node("node1/nic1")].kind == NodeKind::nic);
  CHECK(diameter(star) == 6);
}

TEST_CASE("machines without nics are joined by their gpus") {
  const Topology star = generated("star", machines(2, kPair + std::string("}")));
  CHECK(cables(star) == Names{"node0/gpu0-node0/gpu1", "node1/gpu0-node1/gpu1",
                              "node0/gpu0-switch0", "node0/gpu1-switch0", "node1/gpu0-switch0",
                              "node1/gpu1-switch0"});
  CHECK(!star.nodes()[0].forwards);
}

TEST_CASE("\"ports\" names the nodes by which machines are joined") {
  const Topology star = generated("star", boxes(2) + R"(, "ports": "plx0")");
  CHECK(cables(star)[8] == "node0/plx0-switch0");
  CHECK(count_cables(star) == 2 * 4 + 2);
  CHECK(kind_refusal("star", boxes(2) + R"(, "ports": "nic[0-2]")") ==
        R"(m.json:/ports: unknown node "nic2"; did you mean "nic0"?)");
  CHECK(kind_refusal("star", R"("gpus": 2, "ports": "nic0")") ==
        R"(m.json:/ports: gpus have no ports; add a "machine", or remove this)");
}

TEST_CASE("the policy of the machines is the whole's, and \"routing\" comes before it") {
  const std::string machine =
      R"({"name": "b", "link_types": {"x": {"kind": "pcie", "bandwidth": "16 GB/s"}},
          "nodes": [{"id": "gpu0", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"},
                    {"id": "nic[0-1]", "kind": "nic"}],
          "links": [{"between": ["cpu0", "nic[0-1]"], "type": "x"},
                    {"between": ["cpu0", "gpu0"], "type": "x"}],
          "routing": {"p2p": "PXB", "gdr": false, "nics": {"gpu0": "nic1"}}})";
  const Topology taken = generated("star", machines(2, machine));
  CHECK(taken.routing().p2p == PeerLevel::pxb);
  CHECK(!taken.routing().gdr);
  using Choices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(taken.routing().nics == Choices{{taken.node("node0/gpu0"), taken.node("node0/nic1")},
                                        {taken.node("node1/gpu0"), taken.node("node1/nic1")}});
  const Topology own =
      generated("star", machines(2, machine) +
                            R"(, "routing": {"gdr": true, "nics": {"node1/gpu0": "node1/nic0"}})");
  CHECK(own.routing().p2p == PeerLevel::pxb);
  CHECK(own.routing().gdr);
  CHECK(own.routing().nics[1].second == own.node("node1/nic0"));
  CHECK(generated("star", R"("gpus": 2, "routing": {"acs": true})").routing().acs);
}

TEST_CASE("a machine is a file beside this one, a name on the shelf, or an object") {
  const TemporaryFolder folder;
  folder.write("boxes/box.json", kBox);
  folder.write("shelf/crate.json", kBox);
  const auto ranks = [&](const std::string& machine) {
    folder.write("m.json", kind_text("star", machines(3, machine)));
    return load_topology(folder.path() + "/m.json", folder.path() + "/shelf").ranks().size();
  };
  CHECK(ranks(R"("boxes/box.json")") == 6);
  CHECK(ranks(R"("crate")") == 6);
  CHECK(ranks(kBox) == 6);
  CHECK(ranks(kind_text("star", R"("gpus": 4)")) == 12);
  folder.write("m.json", kind_text("star", machines(3, R"("./m.json")")));
  CHECK(refusal_of([&] {
          load_topology(folder.path() + "/m.json", "");
        }).starts_with(folder.path() + "/m.json:/machine: this machine would hold itself: "));
}

TEST_CASE("a kind's name and routing may be written - its own node names are taken") {
  const Topology named = generated("star", boxes(2) + R"(, "name": "mine")");
  CHECK(named.name() == "mine");
  CHECK(kind_refusal("star", R"("gpus": 2, "routing": {"nics": {"gpu0": "nic0"}})") ==
        R"(m.json:/routing/nics/gpu0: unknown node "nic0"; choose one of gpu0, gpu1, switch0)");
}

TEST_CASE("wrong leaves are refused with their place") {
  CHECK(kind_refusal("star", R"("gpus": 4, )" + boxes(2)) ==
        R"(m.json:/gpus: "gpus" and "machines" exclude each other; )"
        R"(write "gpus": 8, or "machines": 8 and "machine": "dgx1v")");
  CHECK(kind_refusal("star", R"("machines": 4)") ==
        R"(m.json:/: "machine" is missing; add "machine": "dgx1v")");
  CHECK(kind_refusal("star", R"("machine": "dgx1v")") ==
        R"(m.json:/: "machines" is missing; add "machines": 8)");
  CHECK(kind_refusal("star", machines(0, kBox)) ==
        "m.json:/machines: 0 is out of range; write a whole number from 1 to 1000000");
  CHECK(kind_refusal("star",
                     machines(2, R"({"name": "s", "nodes": [{"id": "s0", "kind": "switch"}]})")) ==
        "m.json:/machine: the machine has neither nics nor gpus to be joined by; "
        R"(name its "ports", as in "ports": "switch[0-3]")");
}

TEST_CASE("more machines than there may be are refused before they are made") {
  const std::string large = R"({"name": "l", "nodes": [{"id": "gpu[0-999999]", "kind": "gpu"}]})";
  CHECK(kind_refusal("star", machines(1'000'000, large)) ==
        "m.json:/machines: the machine would have 1.0 T nodes; build one of at most 4000000");
  CHECK(kind_refusal("star", boxes(500'000)) ==
        "m.json:/machines: the machine would have 3.0 M cables; build one of at most 2000000");
  const auto refused = [](std::uint64_t bytes) {
    return refusal_of([&] {
      read_topology(JsonFile::parse(kind_text("star", boxes(1'000)), "m.json").root(),
                    {bytes, "there is too little"});
    });
  };
  // The box itself, 1,000 copies of 5 nodes and 4 cables, one switch, 2,000 cables to it.
  const std::uint64_t need = (5 + 5'000 + 1) * 310 + 2 * (4 + 4'000 + 2'000) * 230;
  CHECK(refused(need) == "accepted");
  CHECK(refused(need - 1).starts_with("m.json:/machines: the machine needs about 4.3 MB"));
}

}  // namespace syncsim::testing::leaves_test
