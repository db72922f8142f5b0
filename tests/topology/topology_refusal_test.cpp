// Wrong topology files, each refused with one line: place, what is wrong, what would be right.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/json_support.h"

namespace syncsim::topology_refusal_test {
namespace {

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { testing::read_machine(text); });
}

constexpr const char* kType = R"({"kind": "pcie", "bandwidth": "16 GB/s"})";
constexpr const char* kNodes =
    R"([{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "switch0", "kind": "switch"}])";
constexpr const char* kLinks = R"([{"between": ["gpu[0-3]", "switch0"], "type": "x16"}])";

std::string file(const std::string& type, const std::string& nodes, const std::string& links,
                 const std::string& more = "") {
  return R"({"name": "m", "link_types": {"x16": )" + type + R"(}, "nodes": )" + nodes +
         R"(, "links": )" + links + more + "}";
}

// Each changes one part of a right file.
std::string type_refusal(const std::string& type) { return refusal(file(type, kNodes, kLinks)); }
std::string nodes_refusal(const std::string& nodes) { return refusal(file(kType, nodes, kLinks)); }
std::string links_refusal(const std::string& links) { return refusal(file(kType, kNodes, links)); }
std::string ranks_refusal(const std::string& ranks) {
  return refusal(file(kType, kNodes, kLinks, R"(, "ranks": )" + ranks));
}

}  // namespace

TEST_CASE("the file that all these change is accepted") {
  CHECK(type_refusal(kType) == "accepted");
  CHECK(ranks_refusal(R"(["gpu1"])") == "accepted");
}

TEST_CASE("a file without its parts, or with foreign ones, is refused") {
  CHECK(refusal(R"({"nodes": []})") == R"(m.json:/: "name" is missing; add "name": "my_server")");
  CHECK(refusal(R"({"name": "m"})") == R"(m.json:/: "nodes" is missing; )"
                                       R"(add "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}])");
  CHECK(refusal(R"({"name": "m", "nodes": []})") ==
        R"(m.json:/: there are no ranks; add a node of kind "gpu" or list "ranks")");
  CHECK(refusal(R"({"name": "m", "node": []})") ==
        R"(m.json:/node: unknown key "node"; did you mean "nodes"?)");
  CHECK(refusal(R"({"name": "m", "nodes": [], "parts": []})") ==
        R"(m.json:/parts: unknown key "parts"; choose one of name, description, source, )"
        R"(link_types, instances, nodes, links, ranks, routing)");
  CHECK(refusal("[]") == R"(m.json:/: is a list; write an object {...})");
}

TEST_CASE("a link type with a missing, unknown or impossible figure is refused") {
  CHECK(type_refusal(R"({"bandwidth": "16 GB/s"})") ==
        R"(m.json:/link_types/x16: "kind" is missing; add "kind": "pcie")");
  CHECK(type_refusal(R"({"kind": "pcie"})") ==
        R"(m.json:/link_types/x16: "bandwidth" is missing; add "bandwidth": "16 GB/s")");
  CHECK(type_refusal(R"({"kind": "pci", "bandwidth": "16 GB/s"})") ==
        R"(m.json:/link_types/x16/kind: unknown link kind "pci"; did you mean "pcie"?)");
  CHECK(type_refusal(R"({"kind": "pcie", "bandwith": "16 GB/s"})") ==
        R"(m.json:/link_types/x16/bandwith: unknown key "bandwith"; did you mean "bandwidth"?)");
  for (const std::string figure : {"16", "0 GB/s", "-1 GB/s", "nan GB/s", "inf GB/s", "1e999 B/s"})
    CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": ")" + figure + R"("})") ==
          "m.json:/link_types/x16/bandwidth: " +
              testing::refusal_of([&] { parse_bandwidth(figure); }));
  CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": 16})")
            .starts_with("m.json:/link_types/x16/bandwidth: "));
  CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": "16 GB/s", "usable": "17 GB/s"})") ==
        "m.json:/link_types/x16/usable: the usable bandwidth 17 GB/s is above the line rate "
        "16 GB/s; write at most the line rate");
  CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": "16 GB/s", "latency": "5"})") ==
        "m.json:/link_types/x16/latency: " + testing::refusal_of([] { parse_time("5"); }));
  CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": "16 GB/s", "duplex": "ful"})") ==
        R"(m.json:/link_types/x16/duplex: unknown duplex "ful"; did you mean "full"?)");
  CHECK(type_refusal(R"({"kind": "pcie", "bandwidth": "16 GB/s", "spread": "even"})") ==
        R"(m.json:/link_types/x16/spread: unknown spread "even"; )"
        "choose one of stripe, per_channel");
}

TEST_CASE("a wrong node is refused") {
  CHECK(nodes_refusal(R"([{"id": "gpu0"}])") ==
        R"(m.json:/nodes/0: "kind" is missing; add "kind": "gpu")");
  CHECK(nodes_refusal(R"([{"id": "gpu0", "kind": "gpi"}])") ==
        R"(m.json:/nodes/0/kind: unknown node kind "gpi"; did you mean "gpu"?)");
  CHECK(nodes_refusal(R"([{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "gpu2", "kind": "gpu"}])") ==
        R"(m.json:/nodes/1/id: node id "gpu2" appears twice; give every node its own id)");
  CHECK(nodes_refusal(R"([{"id": "gpu-0", "kind": "gpu"}])") ==
        R"(m.json:/nodes/0: node id "gpu-0" holds '-', '>', '@', '*' or a blank; )"
        "names of links and edits need these: use letters, digits, '_', '.' and '/'");
  CHECK(nodes_refusal(R"([{"id": "gpu[3-0]", "kind": "gpu"}])") ==
        R"(m.json:/nodes/0/id: "gpu[3-0]" has a range that runs backwards; write [0-3])");
  CHECK(nodes_refusal(R"([{"id": "gpu0", "kind": "gpu", "forwards": "yes"}])")
            .starts_with("m.json:/nodes/0/forwards: "));
  CHECK(nodes_refusal(R"([{"id": "cpu0", "kind": "cpu", "transit_bandwidth": "0 GB/s"}])") ==
        "m.json:/nodes/0/transit_bandwidth: " +
            testing::refusal_of([] { parse_bandwidth("0 GB/s"); }));
  CHECK(nodes_refusal(R"([{"id": "gpu0", "kind": "gpu", "memory": 1}])") ==
        R"(m.json:/nodes/0/memory: unknown key "memory"; )"
        "choose one of id, kind, transit_bandwidth, reduce_bandwidth, forwards, peer_cost, "
        "abilities, architecture");
}

TEST_CASE("more nodes or cables than a file may hold are refused before they are made") {
  CHECK(nodes_refusal(R"([{"id": "gpu[0-99999999999]", "kind": "gpu"}])") ==
        R"(m.json:/nodes/0/id: "gpu[0-99999999999]" stands for more than 4000000 nodes; )"
        "one file may hold 4000000");
  CHECK(
      nodes_refusal(R"([{"id": "gpu0", "kind": "gpu"}, {"id": "x[1-4000000]", "kind": "nic"}])") ==
      "m.json:/nodes/1/id: the machine would have more than 4000000 nodes; "
      "write a smaller range");
  CHECK(links_refusal(R"([{"all_pairs": "gpu[0-99999]", "type": "x16"}])") ==
        "m.json:/links/0/all_pairs: the machine would have more than 2000000 cables; "
        "write smaller ranges, or join the nodes through switches");
  CHECK(links_refusal(R"([{"between": ["gpu[0-2000000]", "switch0"], "type": "x16"}])") ==
        "m.json:/links/0/between: the machine would have more than 2000000 cables; "
        "write smaller ranges, or join the nodes through switches");
}

TEST_CASE("a wrong link is refused") {
  CHECK(links_refusal(R"([{"between": ["gpu[0-3]", "swich0"], "type": "x16"}])") ==
        R"(m.json:/links/0/between/1: unknown node "swich0"; did you mean "switch0"?)");
  CHECK(links_refusal(R"([{"between": ["gpu[0-4]", "switch0"], "type": "x16"}])") ==
        R"(m.json:/links/0/between/0: unknown node "gpu4"; did you mean "gpu0"?)");
  CHECK(links_refusal(R"([{"between": ["gpu0", "switch0"], "type": "x8"}])") ==
        R"(m.json:/links/0/type: unknown link type "x8"; choose one of x16)");
  CHECK(links_refusal(R"([{"between": ["gpu0", "switch0"]}])") ==
        R"(m.json:/links/0: "type" is missing; add "type": "x16")");
  CHECK(links_refusal(R"([{"type": "x16"}])") ==
        R"(m.json:/links/0: a link entry has "between" or "all_pairs", one of them; )"
        R"(write "between": ["gpu[0-3]", "switch0"] or "all_pairs": "gpu[0-3]")");
  CHECK(links_refusal(R"([{"between": ["gpu0", "gpu1"], "all_pairs": "gpu[0-3]",
                           "type": "x16"}])") ==
        R"(m.json:/links/0: a link entry has "between" or "all_pairs", one of them; )"
        R"(write "between": ["gpu[0-3]", "switch0"] or "all_pairs": "gpu[0-3]")");
  CHECK(links_refusal(R"([{"between": ["gpu0", "gpu1", "gpu2"], "type": "x16"}])") ==
        R"(m.json:/links/0/between: 3 ends make no link; )"
        R"(write two, as in ["gpu[0-3]", "switch0"])");
  CHECK(links_refusal(R"([{"between": ["gpu[0-1]", "gpu[1-3]"], "type": "x16"}])") ==
        R"(m.json:/links/0/between: "gpu[0-1]" is 2 nodes and "gpu[1-3]" is 3; )"
        "write ranges of equal length, which pair up, or one node, which is a star's middle");
  CHECK(links_refusal(R"([{"all_pairs": "gpu0", "type": "x16"}])") ==
        R"(m.json:/links/0/all_pairs: "gpu0" is one node and has no pairs; )"
        R"(write a range, as in "gpu[0-7]")");
  CHECK(links_refusal(R"([{"between": ["gpu0", "gpu[0-3]"], "type": "x16"}])") ==
        R"(m.json:/links/0/between: node "gpu0" is joined to itself; join two different nodes)");
  CHECK(links_refusal(R"([{"between": ["gpu0", "gpu1"], "type": "x16", "speed": 1}])") ==
        R"(m.json:/links/0/speed: unknown key "speed"; )"
        R"(choose one of between, all_pairs, type, count, bundle, back, kind_in_name)");
}

TEST_CASE("a count is a whole number of cables, at least one") {
  for (const std::string count : {"0", "-1", "1.5", "\"2\"", "2147483648"})
    CHECK(links_refusal(R"([{"between": ["gpu0", "gpu1"], "type": "x16", "count": )" + count + "}]")
              .starts_with("m.json:/links/0/count: "));
}

TEST_CASE("two entries that join the same nodes by the same kind are refused") {
  const std::string right = R"({"between": ["gpu[0-3]", "switch0"], "type": "x16"}, )";
  CHECK(links_refusal("[" + right + R"({"between": ["switch0", "gpu2"], "type": "x16"}])") ==
        "m.json:/links/1/between: switch0 and gpu2 are joined by pcie twice, first by /links/0; "
        R"(merge them with "count")");
}

TEST_CASE("wrong ranks are refused") {
  CHECK(ranks_refusal(R"(["gpu[0-3]", "gpu2"])") ==
        R"(m.json:/ranks/1: node "gpu2" is a rank twice; list every rank once)");
  CHECK(ranks_refusal(R"(["gpu[0-1]", "gpu9"])") ==
        R"(m.json:/ranks/1: unknown node "gpu9"; did you mean "gpu0"?)");
  CHECK(ranks_refusal(R"(["gpu0", "switch0"])") ==
        R"(m.json:/ranks/1: node "switch0" is a switch; a rank holds data: list gpus or cpus)");
  CHECK(refusal(file(kType, R"([{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "nic0", "kind": "nic"}])",
                     R"([{"between": ["gpu[0-3]", "nic0"], "type": "x16"}])",
                     R"(, "ranks": ["nic0", "gpu0"])")) ==
        R"(m.json:/ranks/0: node "nic0" is a nic; a rank holds data: list gpus or cpus)");
  CHECK(ranks_refusal("[]") ==
        R"(m.json:/: there are no ranks; add a node of kind "gpu" or list "ranks")");
}

TEST_CASE("ranks without a route to each other are refused, by the first pair") {
  const std::string right =
      "; join them by links through nodes that forward (a gpu forwards only when it says so)";
  CHECK(links_refusal("[]") == "m.json:/: no links join the 4 gpus" + right);
  CHECK(links_refusal(R"([{"between": ["gpu[0-2]", "switch0"], "type": "x16"}])") ==
        "m.json:/: no route from gpu0 to gpu3" + right);
  CHECK(links_refusal(R"([{"between": ["gpu0", "gpu[1-3]"], "type": "x16"}])") ==
        "m.json:/: no route from gpu1 to gpu2" + right);
  CHECK(nodes_refusal(R"([{"id": "gpu[0-3]", "kind": "gpu"},
                          {"id": "switch0", "kind": "switch", "forwards": false}])") ==
        "m.json:/: no route from gpu0 to gpu1" + right);
}

TEST_CASE("gpus that no link joins are refused by their number, but one needs none") {
  const std::string right =
      "; join them by links through nodes that forward (a gpu forwards only when it says so)";
  const auto of = [](const std::string& nodes) {
    return refusal(R"({"name": "m", "nodes": )" + nodes + "}");
  };
  CHECK(of(R"([{"id": "gpu[0-3999999]", "kind": "gpu"}])") ==
        "m.json:/: no links join the 4000000 gpus" + right);
  CHECK(
      of(R"([{"id": "a", "kind": "gpu"}, {"id": "c", "kind": "cpu"}, {"id": "b", "kind": "gpu"}])") ==
      "m.json:/: no links join the 2 gpus" + right);
  CHECK(of(R"([{"id": "gpu[0-1", "kind": "gpu"}])") ==
        R"(m.json:/nodes/0/id: "gpu[0-1" has a malformed range; )"
        R"(write the first and last number in brackets, as in "gpu[0-3]")");
  CHECK(read_topology(JsonFile::parse(R"({"name": "m", "nodes": [{"id": "gpu0", "kind": "gpu"},
                                          {"id": "cpu0", "kind": "cpu"}]})",
                                      "m.json")
                          .root())
            .nodes()
            .size() == 2);
}

}  // namespace syncsim::topology_refusal_test
