// A ring for each nic, through boxes that the network joins.

#include "sim/topology/network_rings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/topology/boxes.h"
#include "sim/topology/export/nccl_graph.h"
#include "sim/topology/import/nccl_rings.h"
#include "sim/topology/nic_ports.h"
#include "sim/topology/ring_text.h"
#include "tests/support/machines.h"
#include "tests/support/shelf.h"

namespace syncsim::network_rings_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::gigabytes;
using testing::link_of;

std::vector<NodeId> ranks_of(const Topology& machine, const std::vector<std::size_t>& places) {
  std::vector<NodeId> ranks;
  for (const std::size_t place : places) ranks.push_back(machine.ranks()[place]);
  return ranks;
}

std::string rings_on(const Topology& machine, const std::vector<std::size_t>& places) {
  return rings_text(rings_by_nics(machine, ranks_of(machine, places)));
}

// How many rings come by each nic, and go by it, of every box.
std::vector<int> uses(const std::vector<Ring>& rings, const Topology& machine, bool in) {
  const BoxNics nics(machine);
  std::vector<int> result(machine.nodes().size());
  for (const Ring& ring : rings)
    for (std::size_t i = 0; i < ring.order.size(); ++i)
      if (const int number = in ? ring.nics[i].in : ring.nics[i].out; number >= 0)
        ++result[nics.at(machine.ranks()[static_cast<std::size_t>(ring.order[i])], number)];
  return result;
}

// Boxes of gpus and nics around one PCIe switch, and a switch between the boxes.
Topology boxes(const std::vector<std::pair<int, int>>& gpus_and_nics) {
  Topology::Parts parts;
  parts.name = "boxes";
  const NodeId leaf = add_node(parts, "leaf", NodeKind::switch_);
  for (std::size_t box = 0; box < gpus_and_nics.size(); ++box) {
    const std::string prefix = "box" + std::to_string(box) + "/";
    const NodeId plx = add_node(parts, prefix + "plx", NodeKind::switch_);
    for (int gpu = 0; gpu < gpus_and_nics[box].first; ++gpu)
      add_cable(parts, add_node(parts, prefix + testing::numbered("gpu", gpu), NodeKind::gpu), plx,
                link_of(LinkKind::pcie, gigabytes(16)));
    for (int number = 0; number < gpus_and_nics[box].second; ++number) {
      const NodeId nic = add_node(parts, prefix + testing::numbered("nic", number), NodeKind::nic);
      add_cable(parts, nic, plx, link_of(LinkKind::pcie, gigabytes(16)));
      add_cable(parts, nic, leaf, link_of(LinkKind::network, gigabytes(10)));
    }
  }
  return Topology(std::move(parts));
}

}  // namespace

TEST_CASE("every nic of every box has one ring in and one out, each rank one ring's hop") {
  for (const char* name :
       {"dgx_a100_x2", "dgx_a100_x4", "hgx_h100_x2", "hgx_h100_x16", "dgx1v_x2"}) {
    CAPTURE(name);
    const Topology machine = testing::shelf(name);
    const std::vector<Ring> rings = rings_by_nics(machine, machine.ranks());
    for (const bool in : {true, false}) {
      const std::vector<int> count = uses(rings, machine, in);
      for (NodeId node = 0; node < count.size(); ++node)
        CHECK(count[node] == (machine.nodes()[node].kind == NodeKind::nic ? 1 : 0));
    }
    for (const Ring& ring : rings) {
      std::vector<int> ranks = ring.order;
      CHECK(ranks.front() == 0);
      std::sort(ranks.begin(), ranks.end());
      for (std::size_t rank = 0; rank < machine.ranks().size(); ++rank)
        CHECK(ranks[rank] == static_cast<int>(rank));
    }
  }
}

TEST_CASE("a ring leaves a box by the nic that it came by, through another gpu near that nic") {
  const Topology pair = testing::shelf("dgx_a100_x2");
  CHECK(rings_on(pair, {0, 1, 2, 3, 8, 9, 10, 11}) ==
        "nic0>0,2,3,1>nic0,nic0>4,6,7,5>nic0; 0>nic1,nic1>5,6,7,4>nic1,nic1>1,2,3; "
        "0,1,3>nic2,nic2>6,4,5,7>nic2,nic2>2; 0,1,2>nic3,nic3>7,4,5,6>nic3,nic3>3");
}

TEST_CASE("where a nic has one gpu, it leaves by the port beside - odd boxes as the ring beside") {
  const Topology pair = testing::shelf("hgx_h100_x2");
  CHECK(rings_on(pair, {0, 1, 8, 9}) == "nic0>0,1>nic1,nic1>3,2>nic0; 0>nic0,nic0>2,3>nic1,nic1>1");
  // Three: the one before, and odd boxes backwards.
  CHECK(rings_on(pair, {0, 1, 2, 8, 9, 10}) ==
        "nic0>0,1,2>nic2,nic2>5,4,3>nic0; 0>nic0,nic0>3,5,4>nic1,nic1>1,2; "
        "0,1>nic1,nic1>4,3,5>nic2,nic2>2");
}

TEST_CASE("a gpu alone in its box comes and goes by its own nic") {
  CHECK(rings_on(testing::shelf("dgx_a100_x4"), {3, 11, 19}) == "0,1,2");  // as routes do
  CHECK(rings_on(boxes({{1, 2}, {1, 2}}), {0, 1}) ==
        "nic0>0>nic0,nic0>1>nic0; nic1>0>nic1,nic1>1>nic1");
}

TEST_CASE("a ring alone leaves a box by a gpu's own nic, never by one that it does not reach") {
  CHECK(rings_on(testing::shelf("hgx_h100_x2"), {0, 3, 9}) == "nic0>0,1>nic3,nic1>2>nic1");
}

TEST_CASE("there are as many rings as the box with the fewest nics has") {
  CHECK(rings_on(boxes({{2, 2}, {2, 1}}), {0, 1, 2, 3}) == "nic0>0,1>nic0,nic0>2,3>nic0");
  CHECK(rings_on(boxes({{4, 2}, {4, 2}}), {0, 1, 2, 3, 4, 5, 6, 7}) ==
        "nic0>0,1,2,3>nic0,nic0>4,5,6,7>nic0; 0>nic1,nic1>5,6,7,4>nic1,nic1>1,2,3");
}

TEST_CASE("with one nic a box there is one ring, box by box, and no choice to name") {
  CHECK(rings_on(boxes({{2, 1}, {3, 1}}), {0, 1, 2, 3, 4}) == "0,1,2,3,4");
  CHECK(rings_on(boxes({{2, 1}, {2, 1}}), {0, 2, 1, 3}) == "0,2,1,3");
}

TEST_CASE("ranks of one box, or of boxes without nics, have no rings by nics") {
  CHECK(rings_on(boxes({{4, 2}, {4, 2}}), {0, 1, 2}).empty());
  CHECK(rings_on(boxes({{2, 2}, {2, 0}}), {0, 1, 2, 3}).empty());
}

TEST_CASE("a ring inside a box goes over direct links, the least loaded ones first") {
  const Topology pair = testing::shelf("dgx1v_x2");
  for (const Ring& ring : rings_by_nics(pair, pair.ranks()))
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
      const int from = ring.order[i];
      const int to = ring.order[(i + 1) % ring.order.size()];
      if (from / 8 != to / 8) continue;
      const bool joined =
          std::any_of(pair.links().begin(), pair.links().end(), [&](const Link& link) {
            return link.kind == LinkKind::nvlink &&
                   link.from == pair.ranks()[static_cast<std::size_t>(from)] &&
                   link.to == pair.ranks()[static_cast<std::size_t>(to)];
          });
      CHECK(joined);
    }
}

TEST_CASE("a file for NCCL holds them with their nics") {
  for (const char* name : {"dgx_a100_x2", "dgx_a100_x4", "hgx_h100_x2", "dgx1v_x2"}) {
    CAPTURE(name);
    const Topology machine = testing::shelf(name);
    const std::vector<Ring> rings = rings_by_nics(machine, machine.ranks());
    const auto ranks = static_cast<int>(machine.ranks().size());
    const std::string text = nccl_graph_xml(machine, machine.ranks(), rings);
    const std::vector<int> nics(machine.ranks().size(), static_cast<int>(rings.size()));
    CHECK(read_nccl_rings(text, "rings.xml", ranks, nics) == rings);
  }
}

TEST_CASE("a gpu's port is the nic that the policy gives it, or else one near it") {
  const Topology plain = boxes({{2, 2}, {2, 2}});
  const auto first = [](const Topology& machine, std::size_t rank) {
    const std::vector<std::vector<NodeId>> box = {{machine.ranks()[rank]}};
    const auto ports = nic_ports(machine, box);
    return machine.nodes()[ports.front().front().nic].id;
  };
  CHECK(first(plain, 0) == "box0/nic0");
  CHECK(first(plain, 3) == "box1/nic1");
  Topology::Parts parts = boxes({{2, 2}, {2, 2}}).parts();
  parts.routing.nics = {{plain.node("box0/gpu0"), plain.node("box0/nic1")}};
  CHECK(first(Topology(parts), 0) == "box0/nic1");
}

TEST_CASE("through even meshes the ways inside share every link evenly") {
  const Topology machine = testing::shelf("mi300x_x2");
  const std::vector<Ring> rings = rings_by_nics(machine, machine.ranks());
  REQUIRE(rings.size() == 8);
  std::map<std::pair<int, int>, int> passed;
  for (const Ring& ring : rings)
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
      const int from = ring.order[i];
      const int to = ring.order[(i + 1) % ring.order.size()];
      if (from / 8 == to / 8) ++passed[{from, to}];
    }
  CHECK(passed.size() == 2 * 56);  // every pair of both boxes, each way
  for (const auto& [pair, ways] : passed) CHECK(ways == 1);
  CHECK(uses(rings, machine, true) == uses(rings, machine, false));
  // A nic of the same number on both sides of the network.
  for (const Ring& ring : rings)
    for (std::size_t i = 0; i < ring.order.size(); ++i)
      if (ring.nics[i].out >= 0)
        CHECK(ring.nics[i].out == ring.nics[(i + 1) % ring.nics.size()].in);
}

}  // namespace syncsim::network_rings_test
