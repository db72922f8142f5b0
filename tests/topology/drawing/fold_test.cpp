// What is drawn as one figure, by the rules of graphviz.h.

#include "sim/topology/drawing/fold.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/refusal.h"
#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::fold_test {
namespace {

std::size_t boxes_in(const drawing::Picture& picture) {
  return static_cast<std::size_t>(
      std::count_if(picture.figures.begin(), picture.figures.end(),
                    [](const auto& figure) { return figure.role == drawing::Role::box; }));
}

}  // namespace

TEST_CASE("a small machine has a figure a node and a bundle a cable") {
  const drawing::Picture picture = folded(star(2));
  CHECK(picture.detailed);
  CHECK(figures_of(picture) == Lines{"gpu0", "gpu1", "switch0"});
  CHECK(bundles_of(picture) ==
        Lines{"gpu0 -- switch0: pcie, 16 GB/s", "gpu1 -- switch0: pcie, 16 GB/s"});
}

TEST_CASE("parallel NVSwitches are one figure a board, and cables to them one bundle a gpu") {
  const drawing::Picture picture = folded(dgx2());
  REQUIRE(picture.figures.size() == 18);
  CHECK(words(picture.figures[16]) == "6 NVSwitches | nvs[0-5]");
  CHECK(words(picture.figures[17]) == "6 NVSwitches | nvs[6-11]");
  const Lines bundles = bundles_of(picture);
  REQUIRE(bundles.size() == 17);
  CHECK(bundles.front() == "gpu0 -- 6 NVSwitches: nvlink, 6 x 25 GB/s");
  CHECK(bundles.back() == "6 NVSwitches -- 6 NVSwitches: nvlink, 48 x 25 GB/s");
}

TEST_CASE("PCIe switches above different gpus stay apart, and so do gpus, CPUs and NICs") {
  const drawing::Picture picture = folded(dgx1v());
  CHECK(picture.figures.size() == 8 + 2 + 4);
  CHECK(picture.bundles.size() == 16 + 8 + 4 + 1);
}

TEST_CASE("NVSwitches fold although some cables are thicker: the sum is told") {
  Topology::Parts parts = dgx2();
  parts.links[0].bandwidth = parts.links[0].usable = gigabytes(10);
  parts.links[1].bandwidth = parts.links[1].usable = gigabytes(10);
  const drawing::Picture picture = folded(parts);
  CHECK(picture.figures.size() == 18);
  CHECK(bundles_of(picture).front() == "gpu0 -- 6 NVSwitches: nvlink, 6 cables, 135 GB/s");
}

TEST_CASE("24 gpus are drawn one by one, 25 are not") {
  CHECK(folded(star(24)).figures.size() == 25);
  const drawing::Picture picture = folded(star(25));
  CHECK(!picture.detailed);
  CHECK(figures_of(picture) == Lines{"25 GPUs | gpu[0-24]", "switch0"});
  CHECK(bundles_of(picture) == Lines{"25 GPUs -- switch0: pcie, 25 x 16 GB/s"});
}

TEST_CASE("machines of more than 256 nodes fold, however few of them are gpus") {
  Topology::Parts parts = star(2);
  for (int i = 0; i < 254; ++i)
    add_cable(parts, 2, add_node(parts, "nic" + std::to_string(i), NodeKind::nic),
              link_of(LinkKind::network, gigabytes(1)));
  CHECK(figures_of(folded(parts)) ==
        Lines{"2 GPUs | gpu[0-1]", "switch0", "254 NICs | nic[0-253]"});
}

TEST_CASE("identical boxes fold, each into one figure - parallel network switches too") {
  const drawing::Picture picture = folded(cluster(2, 3));
  CHECK(figures_of(picture) == Lines{"node0 | 2 GPUs, 1 NIC | 1 PCIe switch",
                                     "node1 | 2 GPUs, 1 NIC | 1 PCIe switch",
                                     "3 network switches | leaf[0-2]"});
  CHECK(bundles_of(picture) == Lines{"node0 -- 3 network switches: network, 3 x 25 GB/s",
                                     "node1 -- 3 network switches: network, 3 x 25 GB/s"});
}

TEST_CASE("different boxes of few gpus are drawn in detail, with frames") {
  Topology::Parts parts;
  const NodeId a = add_box(parts, "old", 2);
  const NodeId b = add_box(parts, "new", 2, 32);
  add_cable(parts, a, b, link_of(LinkKind::network, gigabytes(10)));
  const drawing::Picture picture = folded(parts);
  CHECK(picture.detailed);
  CHECK(figures_of(picture) ==
        Lines{"plx0", "gpu0", "gpu1", "nic0", "plx0", "gpu0", "gpu1", "nic0"});
  CHECK(picture.figures[0].box == "old");
  CHECK(picture.figures[7].box == "new");
}

TEST_CASE("8 boxes are drawn one by one, 9 as one figure with a count") {
  CHECK(boxes_in(folded(cluster(8, 1))) == 8);
  CHECK(figures_of(folded(cluster(9, 1))) ==
        Lines{"node[0-8] | 9 boxes, each of | 2 GPUs, 1 NIC | 1 PCIe switch", "leaf0"});
  CHECK(figures_of(folded(cluster(200, 2)))[0] ==
        "node[0-199] | 200 boxes, each of | 2 GPUs, 1 NIC | 1 PCIe switch");
}

TEST_CASE("the box with a slow link stands apart from the others, and so does its switch") {
  Topology::Parts parts = cluster(16, 2);
  for (Link& link : parts.links)
    if ((link.from == parts.nodes.size() - 1 && parts.nodes[link.to].id == "node7/nic0") ||
        (link.to == parts.nodes.size() - 1 && parts.nodes[link.from].id == "node7/nic0"))
      link.bandwidth = link.usable = gigabytes(10);
  CHECK(figures_of(folded(parts)) ==
        Lines{"node[0-6,8-15] | 15 boxes, each of | 2 GPUs, 1 NIC | 1 PCIe switch",
              "node7 | 2 GPUs, 1 NIC | 1 PCIe switch", "leaf0", "leaf1"});
}

TEST_CASE("a box that is built differently stands apart") {
  Topology::Parts parts = cluster(9, 1);
  const auto in_node3 = [&](NodeId node) { return parts.nodes[node].id.starts_with("node3/"); };
  for (Link& link : parts.links)
    if (in_node3(link.from) && in_node3(link.to)) link.bandwidth = link.usable = gigabytes(8);
  CHECK(boxes_in(folded(parts)) == 2);
}

TEST_CASE("links between things of one figure are told in it") {
  Topology::Parts parts;
  std::vector<NodeId> nics;
  for (int i = 0; i < 300; ++i) nics.push_back(add_box(parts, "node" + std::to_string(i), 1));
  for (std::size_t i = 0; i < nics.size(); ++i)
    add_cable(parts, nics[i], nics[(i + 1) % nics.size()],
              link_of(LinkKind::network, gigabytes(25)));
  CHECK(figures_of(folded(parts)) == Lines{"node[0-299] | 300 boxes, each of | 1 GPU, 1 NIC | "
                                           "1 PCIe switch | joined by network: 300 x 25 GB/s"});
}

TEST_CASE("grids of up to 256 gpus or boxes keep a figure each") {
  CHECK(folded(grid({4, 4, 4}, true)).figures.size() == 64);
  CHECK(folded(grid({16, 16}, true)).figures.size() == 256);
  CHECK(figures_of(folded(grid({17, 16}, true))) ==
        Lines{"272 GPUs | gpu[0-271] | joined by nvlink: 544 x 45 GB/s"});
}

TEST_CASE("however different all things are, there are never more than 40 folded figures") {
  Topology::Parts parts = star(300);
  for (std::size_t i = 0; i < parts.links.size(); ++i)
    parts.links[i].bandwidth = parts.links[i].usable = gigabytes(static_cast<double>(i / 2 + 1));
  CHECK(figures_of(folded(parts)) == Lines{"300 GPUs | gpu[0-299]", "switch0"});
  parts = Topology::Parts();
  const NodeId hub = add_node(parts, "leaf0", NodeKind::switch_);
  for (int i = 0; i < 100; ++i)
    add_cable(parts, add_box(parts, "node" + std::to_string(i), 1 + i), hub,
              link_of(LinkKind::network, gigabytes(1)));
  CHECK(figures_of(folded(parts)) ==
        Lines{"leaf0", "node[0-99] | 100 boxes, such as | 1 GPU, 1 NIC | 1 PCIe switch"});
}

TEST_CASE("unfolded, every node but a parallel switch has its figure, up to 2,000 nodes") {
  const DrawingOptions unfolded{.folding = Folding::never};
  CHECK(folded(cluster(9, 2), unfolded).figures.size() == 9 * 4 + 1);
  CHECK(refusal_of([&] { folded(star(2'000), unfolded); }) ==
        "\"star\" has 2001 nodes and 2000 cables, too many to draw one by one; draw at most 2000 "
        "and 20000, or let them fold");
  CHECK(refusal_of([&] { folded(full_mesh(201), unfolded); }) ==
        "\"mesh\" has 201 nodes and 20100 cables, too many to draw one by one; draw at most 2000 "
        "and 20000, or let them fold");
}

TEST_CASE("rates are those that were asked for") {
  Topology::Parts parts = star(2);
  for (Link& link : parts.links) link.usable = gigabytes(12);
  CHECK(bundles_of(folded(parts, {.rates = Rates::usable}))[0] == "gpu0 -- switch0: pcie, 12 GB/s");
}

TEST_CASE("a bundle is as hot as its hottest link each way, a box as what is inside of it") {
  const Topology::Parts parts = cluster(2, 2);
  DrawingOptions options;
  options.heat =
      Heat{std::vector<double>(parts.links.size()), std::vector<double>(parts.nodes.size()), ""};
  options.heat->links[0] = 0.25;   // within node0
  options.heat->transit[4] = 0.5;  // node1/plx0
  options.heat->links[12] = 0.1;   // node0/nic0 > leaf0
  options.heat->links[17] = 0.75;  // leaf1 > node0/nic0
  REQUIRE(Topology(parts).links()[12].name == "node0/nic0>leaf0");
  const drawing::Picture picture = folded(parts, options);
  CHECK(words(picture.figures[0]) == "node0 | 2 GPUs, 1 NIC | 1 PCIe switch | inside: up to 25 %");
  CHECK(words(picture.figures[1]) == "node1 | 2 GPUs, 1 NIC | 1 PCIe switch | inside: up to 50 %");
  CHECK(picture.bundles[0].hottest_there == 0.1);
  CHECK(picture.bundles[0].hottest_back == 0.75);
  CHECK(picture.bundles[1].hottest_back == 0);
}

}  // namespace syncsim::testing::fold_test
