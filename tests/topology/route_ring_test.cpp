// Rings over routes, box by box; and that NCCL's file holds the same rings.

#include "sim/topology/route_ring.h"

#include <doctest/doctest.h>

#include "sim/topology/embedding.h"
#include "sim/topology/export/nccl_graph.h"
#include "sim/topology/import/nccl_rings.h"
#include "tests/support/machines.h"
#include "tests/support/shelf.h"

namespace syncsim::testing::route_ring_test {
namespace {

using Order = std::vector<int>;

std::vector<NodeId> ranks_at(const Topology& machine, const Order& places) {
  std::vector<NodeId> ranks;
  for (const int place : places) ranks.push_back(machine.ranks()[static_cast<std::size_t>(place)]);
  return ranks;
}

Order order_of(const std::string& machine, const Order& places) {
  const Topology topology = shelf(machine);
  return order_over_routes(topology, ranks_at(topology, places));
}

using Rings = std::vector<std::pair<Order, int>>;

Rings plain(const std::vector<Ring>& rings) {
  Rings result;
  for (const Ring& ring : rings) result.emplace_back(ring.order, ring.multiplicity);
  return result;
}

}  // namespace

TEST_CASE("a ring passes boxes in their order, each in the same way") {
  const Topology pair = shelf("hgx_h100_x2");
  CHECK(order_over_routes(pair, pair.ranks()) ==
        Order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  // In a DGX-1V gpu3 has NVLink to gpu7, and gpu4 to gpu5 and gpu6.
  const Topology mesh = shelf("dgx1v_x2");
  CHECK(order_over_routes(mesh, mesh.ranks()) ==
        Order{0, 1, 2, 3, 7, 4, 5, 6, 8, 9, 10, 11, 15, 12, 13, 14});
}

TEST_CASE("in one box it goes to the nearest, whatever the order of the ranks") {
  // gpu0 and gpu1 share a switch, as gpu2 and gpu3 do: ranks 0 and 2, 1 and 3.
  CHECK(order_of("pcie_8gpu_dgx1", {0, 2, 1, 3}) == Order{0, 2, 1, 3});
  CHECK(order_of("pcie_8gpu_dgx1", {0}) == Order{0});
}

TEST_CASE("ranks that do not fill boxes alike go to the nearest across boxes") {
  // To gpu1 of the first box, along its rail to gpu1 of the other, and to gpu0 there.
  CHECK(order_of("hgx_h100_x2", {0, 8, 1, 9}) == Order{0, 2, 3, 1});
  CHECK(order_of("hgx_h100_x2", {0, 1, 8}) == Order{0, 1, 2});
  CHECK(order_of("hgx_h100_x2", {0, 1, 9, 8}) == Order{0, 1, 2, 3});
}

TEST_CASE("each ring is followed by its reverse where both directions are asked for") {
  const std::vector<Ring> rings = {{{0, 1, 2, 3}, 2}, {{0, 2, 1, 3}, 1}};
  CHECK(plain(both_directions(rings)) ==
        Rings{{{0, 1, 2, 3}, 2}, {{0, 3, 2, 1}, 2}, {{0, 2, 1, 3}, 1}, {{0, 3, 1, 2}, 1}});
}

TEST_CASE("a file for NCCL holds the rings found on every machine of up to 64 ranks") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    const Topology machine = shelf(name);
    const std::vector<NodeId>& ranks = machine.ranks();
    if (ranks.size() > 64) continue;
    CAPTURE(name);
    const std::vector<Ring> found = find_rings(machine, ranks);
    const auto read = [&](const std::vector<Ring>& rings) {
      const std::string text = nccl_graph_xml(machine, ranks, rings);
      return plain(read_nccl_rings(text, "x.xml", static_cast<int>(ranks.size())));
    };
    CHECK(read(found) == plain(found));
  }
}

}  // namespace syncsim::testing::route_ring_test
