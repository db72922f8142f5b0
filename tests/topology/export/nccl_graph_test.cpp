// Graph files for NCCL: what is written, and that it is read back.

#include "sim/topology/export/nccl_graph.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/import/nccl_rings.h"
#include "sim/topology/ring_text.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::nccl_graph_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::gigabytes;
using testing::link_of;

std::string written(const Topology::Parts& parts, const std::vector<Ring>& rings,
                    std::vector<NodeId> ranks = {}) {
  const Topology machine(parts);
  return nccl_graph_xml(machine, ranks.empty() ? machine.ranks() : ranks, rings);
}

std::string refusal(const Topology::Parts& parts, const std::vector<Ring>& rings,
                    const std::vector<NodeId>& ranks = {}) {
  return testing::refusal_of([&] { written(parts, rings, ranks); });
}

std::vector<Ring> read_back(const std::string& text, int ranks) {
  return read_nccl_rings(text, "graph.xml", ranks);
}

// The value of an attribute of the graph.
std::string graph_attribute(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find(name + "=\"", text.find("<graph id")) + name.size() + 2;
  return text.substr(begin, text.find('"', begin) - begin);
}

// `boxes` boxes "n0/" and so on of `gpus` gpus behind one switch, with a nic each, around one
// network switch.
Topology::Parts cluster(int boxes, int gpus) {
  Topology::Parts parts;
  parts.name = "cluster";
  for (int box = 0; box < boxes; ++box) {
    const std::string prefix = "n" + std::to_string(box) + "/";
    const NodeId plx = add_node(parts, prefix + "plx0", NodeKind::switch_);
    for (int gpu = 0; gpu < gpus; ++gpu)
      add_cable(parts, add_node(parts, prefix + "gpu" + std::to_string(gpu), NodeKind::gpu), plx,
                link_of(LinkKind::pcie, gigabytes(16)));
    for (int nic = 0; nic < gpus; ++nic)
      add_cable(parts, add_node(parts, prefix + "nic" + std::to_string(nic), NodeKind::nic), plx,
                link_of(LinkKind::pcie, gigabytes(16)));
  }
  const NodeId net = add_node(parts, "net0", NodeKind::switch_);
  for (NodeId node = 0; node < net; ++node)
    if (parts.nodes[node].kind == NodeKind::nic)
      add_cable(parts, node, net, link_of(LinkKind::network, gigabytes(10)));
  return parts;
}

}  // namespace

TEST_CASE("rings of one box are channels of its GPUs, with their ranks") {
  CHECK(written(testing::star(3), {{{0, 1, 2}, 1}}) ==
        R"(<graphs version="1">
  <graph id="0" pattern="4" crossnic="0" nchannels="1" speedintra="16" speedinter="16" latencyinter="0" typeintra="PIX" typeinter="PIX" samechannels="1">
    <channel>
      <gpu dev="0" rank="0"/>
      <gpu dev="1" rank="1"/>
      <gpu dev="2" rank="2"/>
    </channel>
  </graph>
</graphs>
)");
}

TEST_CASE("what was written is read back as the same rings") {
  for (const Topology::Parts& parts :
       {testing::dgx1v(), testing::dgx1p(), testing::dgx2(), testing::two_socket_tree()}) {
    const Topology machine(parts);
    const std::vector<Ring> rings = find_rings(machine, machine.ranks());
    CAPTURE(rings_text(rings));
    CHECK(read_back(written(parts, rings), static_cast<int>(machine.ranks().size())) == rings);
  }
}

TEST_CASE("ranks in any order come back, on their own GPUs") {
  const std::vector<Ring> rings = {{{0, 2, 1}, 2}, {{0, 1, 2}, 1}};
  const std::string text = written(testing::dgx2(), rings, {12, 3, 10});
  CHECK(text.find("<gpu dev=\"0xc\" rank=\"0\"/>\n      <gpu dev=\"0xa\" rank=\"2\"/>\n      "
                  "<gpu dev=\"3\" rank=\"1\"/>") != text.npos);
  CHECK(read_back(text, 3) == rings);
}

TEST_CASE("a channel's speed is its share of the fullest link, at the usable rate") {
  // The DGX-1V's 3 channels: two share a double link of 50 GB/s, one has a link of 25 GB/s.
  Topology::Parts parts = testing::dgx1v();
  for (Link& link : parts.links) link.usable = {link.bandwidth.bytes_per_second * 0.8};
  const Topology machine(parts);
  const std::vector<Ring> rings = find_rings(machine, machine.ranks());
  const std::string text = written(parts, rings);
  CHECK(graph_attribute(text, "nchannels") == "3");
  CHECK(graph_attribute(text, "speedintra") == "20");
  CHECK(graph_attribute(text, "typeintra") == "NVL");
  CHECK(graph_attribute(text, "samechannels") == "0");
  CHECK(graph_attribute(written(testing::star(3), {{{0, 1, 2}, 4}}), "speedintra") == "4");
}

TEST_CASE("the worst path between neighbours is the type") {
  const Topology::Parts tree = testing::two_socket_tree();
  CHECK(graph_attribute(written(tree, {{{0, 1}, 1}}, {0, 1}), "typeintra") == "PIX");
  CHECK(graph_attribute(written(tree, {{{0, 1}, 1}}, {0, 2}), "typeintra") == "PHB");
  CHECK(graph_attribute(written(tree, {{{0, 1}, 1}}, {0, 4}), "typeintra") == "SYS");
  CHECK(graph_attribute(written(tree, {{{0, 1, 2}, 1}}, {0, 1, 4}), "typeintra") == "SYS");
  CHECK(graph_attribute(written(testing::dgx2(), {{{0, 1}, 1}}, {0, 9}), "typeintra") == "NVL");
  Topology::Parts relayed = testing::direct_mesh(3, {{0, 1, 1}, {1, 2, 1}});
  relayed.nodes[1].forwards = true;
  CHECK(graph_attribute(written(relayed, {{{0, 1}, 1}}, {0, 2}), "typeintra") == "NVB");
  Topology::Parts two = testing::star(1);
  const NodeId far = add_node(two, "switch1", NodeKind::switch_);
  add_cable(two, 1, far, link_of(LinkKind::pcie, gigabytes(16)));
  add_cable(two, far, add_node(two, "gpu1", NodeKind::gpu), link_of(LinkKind::pcie, gigabytes(16)));
  CHECK(graph_attribute(written(two, {{{0, 1}, 1}}), "typeintra") == "PXB");
}

TEST_CASE("rings through equal boxes are the first box's channels, between its nics") {
  const std::vector<Ring> rings = {{{0, 1, 2, 3, 4, 5}, 1}, {{0, 3, 2, 5, 4, 1}, 1}};
  const std::string text = written(cluster(3, 2), rings);
  const std::string first = R"(    <channel>
      <net dev="0"/>
      <gpu dev="0"/>
      <gpu dev="1"/>
      <net dev="1"/>
    </channel>
)";
  CHECK(text.find(first) != text.npos);
  CHECK(text.find("<gpu dev=\"1\"/>\n      <gpu dev=\"0\"/>") != text.npos);
  CHECK(text.find("rank=") == text.npos);
  CHECK(graph_attribute(text, "typeintra") == "PIX");
  CHECK(graph_attribute(text, "typeinter") == "PIX");
  CHECK(read_back(text, 6) == rings);
}

TEST_CASE("boxes of one GPU have no hop inside") {
  const std::string text = written(cluster(3, 1), {{{0, 1, 2}, 2}});
  CHECK(graph_attribute(text, "typeintra") == "LOC");
  CHECK(graph_attribute(text, "speedintra") == "5");
  CHECK(graph_attribute(text, "speedinter") == "5");
  CHECK(read_back(text, 3) == std::vector<Ring>{{{0, 1, 2}, 2}});
}

TEST_CASE("odd boxes may be passed as the ring beside passes the others: crossnic 2") {
  const std::vector<Ring> rings = {{{0, 1, 3, 2}, 1}, {{0, 2, 3, 1}, 1}};
  const std::string text = written(cluster(2, 2), rings);
  CHECK(graph_attribute(text, "crossnic") == "2");
  CHECK(read_back(text, 4) == rings);
  CHECK(graph_attribute(written(cluster(2, 2), {{{0, 1, 2, 3}, 2}}), "crossnic") == "0");
}

TEST_CASE("nics that a ring names are its channel's nets") {
  const Ring ring{{0, 1, 2, 3}, 1, {{1, -1}, {-1, 0}, {1, -1}, {-1, 0}}};
  const std::string text = written(cluster(2, 2), {ring});
  CHECK(read_nccl_rings(text, "graph.xml", 4, {2, 2, 2, 2}) == std::vector<Ring>{ring});
}

TEST_CASE("rings that NCCL would not run are refused") {
  const std::string one_box = "; choose the ranks of one box";
  CHECK(refusal(testing::star(3), {{{0, 1, 2}, 33}}) ==
        "the rings need 33 channels, but NCCL has 32; give fewer rings");
  CHECK(refusal(testing::star(3), {{{0}, 1}}, {0}) ==
        "a single rank has no ring; choose two ranks at least");
  const Topology::Parts parts = cluster(2, 2);
  const std::vector<NodeId> ranks = Topology(parts).ranks();
  const std::string in_order =
      "a ring does not pass the boxes in order, each in the same way, as NCCL does" + one_box;
  CHECK(refusal(parts, {{{0, 2, 1, 3}, 1}}) == in_order);
  CHECK(refusal(parts, {{{0, 1, 3, 2}, 1}}) == in_order);
  CHECK(refusal(cluster(3, 1), {{{0, 2, 1}, 1}}) == in_order);
  const std::string unfilled =
      "the ranks do not fill one box after the other, each with as many" + one_box;
  CHECK(refusal(parts, {{{0, 1, 2}, 1}}, {ranks[0], ranks[1], ranks[2]}) == unfilled);
  CHECK(refusal(parts, {{{0, 1, 2, 3}, 1}}, {ranks[0], ranks[2], ranks[1], ranks[3]}) == unfilled);
  CHECK(refusal(parts, {{{0, 1}, 1}}, {ranks[0], ranks[3]}) ==
        "rank 1 is another GPU of its box than rank 0 of the first" + one_box);
}

}  // namespace syncsim::nccl_graph_test
