#include "sim/topology/topology_json.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/json_support.h"

namespace syncsim::topology_json_test {
namespace {

using testing::cables;
using testing::read_machine;
using Names = std::vector<std::string>;

// Four gpus, switch0 and cpu0, with the given links and further members.
std::string machine(const std::string& links, const std::string& more = "") {
  return R"({"name": "m",
    "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"},
                   "nv": {"kind": "nvlink", "bandwidth": "25 GB/s", "latency": "1 us",
                          "overhead": "2 us"}},
    "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "switch0", "kind": "switch"},
              {"id": "cpu0", "kind": "cpu", "transit_bandwidth": "64 GB/s",
               "reduce_bandwidth": "10 GB/s"}],
    "links": [)" +
         links + "]" + (more.empty() ? "" : ", " + more) + "}";
}

constexpr const char* kStar = R"({"between": ["gpu[0-3]", "switch0"], "type": "x16"})";

// A machine of two gpus joined by one link of this type.
Link link_of_type(const std::string& type) {
  return read_machine(R"({"name": "m", "link_types": {"t": )" + type + R"(},
                          "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
                          "links": [{"between": ["gpu0", "gpu1"], "type": "t"}]})")
      .links()
      .front();
}

}  // namespace

TEST_CASE("a range against one node is a star, whichever side it stands on") {
  CHECK(cables(read_machine(machine(kStar))) ==
        Names{"gpu0-switch0", "gpu1-switch0", "gpu2-switch0", "gpu3-switch0"});
  CHECK(cables(read_machine(machine(R"({"between": ["switch0", "gpu[0-3]"], "type": "nv"})"))) ==
        Names{"switch0-gpu0", "switch0-gpu1", "switch0-gpu2", "switch0-gpu3"});
}

TEST_CASE("two ranges of equal length pair up one to one") {
  const std::string pairs = R"({"between": ["gpu[0-1]", "gpu[2-3]"], "type": "nv"})";
  CHECK(cables(read_machine(machine(pairs + ", " + kStar))) ==
        Names{"gpu0-gpu2", "gpu1-gpu3", "gpu0-switch0", "gpu1-switch0", "gpu2-switch0",
              "gpu3-switch0"});
}

TEST_CASE("all_pairs is a full mesh") {
  CHECK(cables(read_machine(machine(R"({"all_pairs": "gpu[0-3]", "type": "nv"})"))) ==
        Names{"gpu0-gpu1", "gpu0-gpu2", "gpu0-gpu3", "gpu1-gpu2", "gpu1-gpu3", "gpu2-gpu3"});
}

TEST_CASE("count multiplies line and usable rate, and neither latency nor overhead") {
  const Topology topology =
      read_machine(machine(R"({"between": ["gpu[0-3]", "switch0"], "type": "x16", "count": 2},
                              {"between": ["gpu0", "gpu1"], "type": "nv", "count": 3})"));
  CHECK(topology.links()[0].bandwidth == Bandwidth{32e9});
  CHECK(topology.links()[0].usable == Bandwidth{24e9});
  CHECK(topology.links()[0].count == 2);
  CHECK(topology.links()[8].bandwidth == Bandwidth{75e9});
  CHECK(topology.links()[8].latency == Time{1'000'000});
  CHECK(topology.links()[9].overhead == Time{2'000'000});
}

TEST_CASE("two kinds of cable may join two nodes, and are named by kind") {
  const Topology topology = read_machine(
      machine(std::string(kStar) + R"(, {"between": ["gpu0", "switch0"], "type": "nv"})"));
  CHECK(topology.cable_name(0) == "gpu0-switch0@pcie");
  CHECK(topology.cable_name(8) == "gpu0-switch0@nvlink");
}

TEST_CASE("a link type defaults to all of its line rate, no delays, full duplex") {
  const Link link = link_of_type(R"({"kind": "pcie", "bandwidth": "16 GB/s"})");
  CHECK(link.usable == link.bandwidth);
  CHECK(link.latency == Time{});
  CHECK(link.overhead == Time{});
  CHECK(!link.half_duplex);
  CHECK(link.spread == Spread::per_channel);
  CHECK(link.count == 1);
}

TEST_CASE("nvlink stripes by default, other kinds give each channel a cable") {
  for (const std::string kind : {"pcie", "xgmi", "c2c", "host", "socket", "network"})
    CHECK(link_of_type(R"({"kind": ")" + kind + R"(", "bandwidth": "1 GB/s"})").spread ==
          Spread::per_channel);
  CHECK(link_of_type(R"({"kind": "nvlink", "bandwidth": "1 GB/s"})").spread == Spread::stripe);
  CHECK(link_of_type(R"({"kind": "nvlink", "bandwidth": "1 GB/s", "spread": "per_channel"})")
            .spread == Spread::per_channel);
  CHECK(link_of_type(R"({"kind": "pcie", "bandwidth": "1 GB/s", "spread": "stripe"})").spread ==
        Spread::stripe);
}

TEST_CASE("a half-duplex link says so in both directions") {
  CHECK(link_of_type(R"({"kind": "pcie", "bandwidth": "1 GB/s", "duplex": "half"})").half_duplex);
  CHECK(!link_of_type(R"({"kind": "pcie", "bandwidth": "1 GB/s", "duplex": "full"})").half_duplex);
}

TEST_CASE("gpus do not forward unless the file says so - all others do unless it says not") {
  const Topology topology = read_machine(
      R"({"name": "m", "link_types": {"t": {"kind": "pcie", "bandwidth": "1 GB/s"}},
          "nodes": [{"id": "gpu0", "kind": "gpu"}, {"id": "gpu1", "kind": "gpu", "forwards": true},
                    {"id": "cpu0", "kind": "cpu"}, {"id": "nic0", "kind": "nic"},
                    {"id": "nic1", "kind": "nic", "forwards": false},
                    {"id": "switch0", "kind": "switch"}],
          "links": [{"between": ["gpu0", "gpu1"], "type": "t"}]})");
  std::vector<bool> forwards;
  for (const Node& node : topology.nodes()) forwards.push_back(node.forwards);
  CHECK(forwards == std::vector<bool>{false, true, true, true, false, true});
}

TEST_CASE("a node's transit and reduce bandwidth are read") {
  const Topology topology = read_machine(machine(kStar));
  const Node& cpu = topology.nodes()[topology.node("cpu0")];
  CHECK(cpu.transit_bandwidth == Bandwidth{64e9});
  CHECK(cpu.reduce_bandwidth == Bandwidth{10e9});
  CHECK(!topology.nodes()[0].transit_bandwidth);
  CHECK(!topology.nodes()[0].reduce_bandwidth);
}

TEST_CASE("ranks are the gpus in file order unless the file lists them") {
  CHECK(read_machine(machine(kStar)).ranks() == std::vector<NodeId>{0, 1, 2, 3});
  CHECK(read_machine(machine(kStar, R"("ranks": ["gpu3", "gpu[0-1]"])")).ranks() ==
        std::vector<NodeId>{3, 0, 1});
  CHECK(read_machine(
            machine(R"({"between": ["switch0", "cpu0"], "type": "x16"})", R"("ranks": ["cpu0"])"))
            .ranks() == std::vector<NodeId>{5});
}

TEST_CASE("name, description and source are kept") {
  const Topology topology =
      read_machine(machine(kStar, R"("description": "four of them", "source": "a book")"));
  CHECK(topology.name() == "m");
  CHECK(topology.description() == "four of them");
  CHECK(topology.source() == "a book");
}

TEST_CASE("a thousand gpus on one switch are ten lines") {
  const Topology topology = read_machine(
      R"({"name": "m", "link_types": {"t": {"kind": "network", "bandwidth": "100 Gbit/s"}},
          "nodes": [{"id": "node[0-127]/gpu[0-7]", "kind": "gpu"},
                    {"id": "switch0", "kind": "switch"}],
          "links": [{"between": ["node[0-127]/gpu[0-7]", "switch0"], "type": "t"}]})");
  CHECK(topology.ranks().size() == 1024);
  CHECK(topology.nodes()[9].id == "node1/gpu1");
  CHECK(topology.links().size() == 2048);
}

}  // namespace syncsim::topology_json_test
