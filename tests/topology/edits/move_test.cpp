// Cables that are plugged in elsewhere.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/edits/edits_support.h"

namespace syncsim::move_test {
namespace {

using testing::add_node;
using testing::edit_refusal;
using testing::edited;
using testing::find_link;
using testing::gigabytes;
using testing::link_named;
using testing::parse_refusal;
using testing::refusal_of;
using testing::two_socket_server;
using testing::written;

// Without the edit's own text.
std::string reason(const std::string& text, const Topology& topology = two_socket_server()) {
  const std::string all = edit_refusal(topology, text);
  return all.substr(all.find("\": ") + 3);
}

// Three boxes, each with a gpu and a nic on plx0 and a gpu on plx1, and a network.
Topology three_boxes() {
  Topology::Parts parts;
  parts.name = "boxes";
  const NodeId net = add_node(parts, "net", NodeKind::switch_);
  for (const std::string box : {"node0/", "node1/", "node2/"}) {
    const NodeId plx0 = add_node(parts, box + "plx0", NodeKind::switch_);
    const NodeId plx1 = add_node(parts, box + "plx1", NodeKind::switch_);
    const NodeId nic = add_node(parts, box + "nic0", NodeKind::nic);
    testing::add_cable(parts, add_node(parts, box + "gpu0", NodeKind::gpu), plx0, testing::pcie3());
    testing::add_cable(parts, add_node(parts, box + "gpu1", NodeKind::gpu), plx1, testing::pcie3());
    testing::add_cable(parts, plx0, plx1, testing::pcie3());
    testing::add_cable(parts, nic, plx0, testing::pcie3());
    testing::add_cable(parts, nic, net, testing::link_of(LinkKind::network, gigabytes(25)));
  }
  parts.ranks = Topology(parts).nodes_of_kind(NodeKind::gpu);
  return Topology(parts);
}

// Of which boxes this link is there.
std::vector<int> boxes_with(const Topology& topology, const std::string& from,
                            const std::string& to) {
  std::vector<int> boxes;
  for (const int box : {0, 1, 2})
    if (find_link(topology, fmt::format("node{0}/{1}>node{0}/{2}", box, from, to)) != nullptr)
      boxes.push_back(box);
  return boxes;
}

}  // namespace

TEST_CASE("a node moves with its PCIe cable - its other cables stay") {
  const Topology nic = edited(two_socket_server(), {"move nic0 cpu1"});
  CHECK(find_link(nic, "nic0>plx0") == nullptr);
  CHECK(link_named(nic, "nic0>cpu1").usable == gigabytes(12));
  CHECK(link_named(nic, "cpu1>nic0").lanes == 16);
  CHECK(find_link(nic, "nic0>net0") != nullptr);
  CHECK(nic.links().size() == two_socket_server().links().size());
  const Topology gpu = edited(two_socket_server(), {"move gpu0 plx1"});
  CHECK(find_link(gpu, "gpu0>plx1") != nullptr);
  CHECK(find_link(gpu, "gpu0>gpu1") != nullptr);
  CHECK(written(edited(two_socket_server(), {"move gpu0 plx0"})) == written(two_socket_server()));
}

TEST_CASE("a node without PCIe moves with its only cable") {
  Topology::Parts parts = testing::star(3, gigabytes(12.5), LinkKind::network);
  const NodeId far = testing::add_node(parts, "switch1", NodeKind::switch_);
  testing::add_cable(parts, 3, far, testing::link_of(LinkKind::network, gigabytes(12.5)));
  CHECK(find_link(edited(Topology(parts), {"move gpu2 switch1"}), "gpu2>switch1") != nullptr);
}

TEST_CASE("a cable moves with its far end: the one named second") {
  const Topology topology = edited(two_socket_server(), {"move link:plx0-cpu0 cpu1"});
  CHECK(find_link(topology, "cpu1>plx0") != nullptr);
  CHECK(find_link(topology, "cpu0>plx0") == nullptr);
  const Topology other = edited(two_socket_server(), {"move link:cpu0-plx0 plx1"});
  CHECK(find_link(other, "cpu0>plx1") != nullptr);
  // A switch's own cable may lead to another device.
  CHECK(find_link(edited(two_socket_server(), {"move link:plx0-nic0 nic1"}), "plx0>nic1") !=
        nullptr);
}

TEST_CASE("what cannot be moved is refused") {
  CHECK(reason("move plx0 cpu1") ==
        "plx0 stands for 4 cables, plx0-gpu0, plx0-gpu1, plx0-cpu0, plx0-nic0; "
        R"(name the cable, as in "move link:plx0-gpu0 ...", whose first end stays)");
  CHECK(reason("move nic9 plx0") == R"(unknown node "nic9"; did you mean "nic0"?)");
  CHECK(reason("move nic0 plx9") == R"(unknown node "plx9"; did you mean "plx0"?)");
  CHECK(reason("move nic0 nic1") ==
        "the PCIe cable of nic0 cannot be plugged into nic1, a nic; plug it into a switch or a "
        "cpu");
  CHECK(reason("move link:nic0-plx0 gpu3") ==
        "the PCIe cable of nic0 cannot be plugged into gpu3, a gpu; plug it into a switch or a "
        "cpu");
  CHECK(reason("add node:nic8 like node:nic0 at gpu1") ==
        "the PCIe cable of nic0 cannot be plugged into gpu1, a gpu; plug it into a switch or a "
        "cpu");
  CHECK(reason("move nic0 nic0") ==
        R"(a link joins node "nic0" to itself; join two different nodes)");
  CHECK(reason("move link:gpu0-plx1 plx0") ==
        R"(no link is called "gpu0-plx1"; did you mean "gpu0-plx0"?)");
  CHECK(parse_refusal("move kind:pcie plx0") ==
        R"("kind:pcie" is no node; write its id, as in "nic0")");
  CHECK(refusal_of([] {
          edited(two_socket_server(), {"add node:nic8 kind=nic", "move nic8 plx0"});
        }) == R"(edit "move nic8 plx0": nic8 has no cable to move; )"
              R"(join it, as in "add link:a-b like link:c-d")");
  CHECK(refusal_of([] {
          edited(two_socket_server(),
                 {"add link:nic0-plx1 like link:nic0-plx0", "move link:nic0-plx0 plx1"});
        }) == R"(edit "move link:nic0-plx0 plx1": nic0 and plx1 are joined by pcie already; )"
              R"(give that cable a greater "count")");
}

TEST_CASE("many nodes move, each to its own box's node of that name, or all to the one") {
  using Boxes = std::vector<int>;
  const Topology all = edited(three_boxes(), {"move node*/nic0 node*/plx1"});
  CHECK(boxes_with(all, "nic0", "plx1") == Boxes{0, 1, 2});
  CHECK(boxes_with(all, "nic0", "plx0").empty());
  CHECK(boxes_with(all, "gpu0", "plx0") == Boxes{0, 1, 2});
  CHECK(all.links().size() == three_boxes().links().size());
  CHECK(boxes_with(edited(three_boxes(), {"move node[1-2]/nic0 *plx1"}), "nic0", "plx1") ==
        Boxes{1, 2});
  CHECK(boxes_with(edited(three_boxes(), {"move node1/nic0 node*/plx1"}), "nic0", "plx1") ==
        Boxes{1});
  CHECK(written(edited(three_boxes(), {"move node*/nic0 node*/plx0"})) == written(three_boxes()));
  const Topology one = edited(three_boxes(), {"move node*/gpu1 node0/plx0"});
  for (const std::string gpu : {"node0/gpu1", "node1/gpu1", "node2/gpu1"})
    CHECK(link_named(one, gpu + ">node0/plx0").lanes == 16);
}

TEST_CASE("many cables move, each with its end that is named second") {
  using Boxes = std::vector<int>;
  const Topology all = edited(three_boxes(), {"move link:node*/nic0-node*/plx0 node*/plx1"});
  CHECK(boxes_with(all, "nic0", "plx1") == Boxes{0, 1, 2});
  CHECK(boxes_with(all, "nic0", "plx0").empty());
  CHECK(link_named(all, "node1/nic0>net").bandwidth == gigabytes(25));
}

TEST_CASE("many that cannot be moved are refused") {
  const std::string right = R"(; name one of each box, as in "move node*/nic0 node*/plx1")";
  CHECK(reason("move node*/nic0 node*/plx*", three_boxes()) ==
        R"("node*/plx*" stands for 2 nodes in the box of node0/nic0)" + right);
  CHECK(reason("move node*/nic0 node[0-1]/plx1", three_boxes()) ==
        R"("node[0-1]/plx1" stands for 0 nodes in the box of node2/nic0)" + right);
  CHECK(reason("move node*/plx0 net", three_boxes()) ==
        "node0/plx0 stands for 3 cables, node0/plx0-node0/gpu0, node0/plx0-node0/plx1, "
        R"(node0/plx0-node0/nic0; name the cable, as in "move link:node0/plx0-node0/gpu0 ...", )"
        "whose first end stays");
  CHECK(reason("move node*/nic7 node*/plx1", three_boxes()) ==
        R"(no node is called "node*/nic7"; did you mean "node0/nic0"?)");
  CHECK(reason("move link:node0/plx0-node0/* node1/plx0", three_boxes()) ==
        "node0/plx0 and node1/plx0 are joined by pcie already; "
        R"(give that cable a greater "count")");
}

}  // namespace syncsim::move_test
