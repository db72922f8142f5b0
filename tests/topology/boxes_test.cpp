#include "sim/topology/boxes.h"

#include <doctest/doctest.h>

#include "tests/support/machines.h"

namespace syncsim::boxes_test {

TEST_CASE("a box is what stands before the last slash") {
  CHECK(box_name("gpu0") == "");
  CHECK(box_name("node3/gpu0") == "node3/");
  CHECK(box_name("pod0/node3/gpu0") == "pod0/node3/");
}

TEST_CASE("boxes are numbered by their first nodes, nodes by kind within their box") {
  Topology::Parts parts;
  for (const char* id : {"b/gpu0", "a/gpu0", "b/gpu1"}) testing::add_node(parts, id, NodeKind::gpu);
  testing::add_node(parts, "spine", NodeKind::switch_);
  testing::add_node(parts, "a/plx0", NodeKind::switch_);
  const std::vector<Place> places = places_of(Topology(parts));
  const auto is = [&](std::size_t node, std::uint32_t box, std::uint32_t number) {
    return places[node].box == box && places[node].number == number;
  };
  CHECK(is(0, 0, 0));
  CHECK(is(1, 1, 0));
  CHECK(is(2, 0, 1));
  CHECK(is(3, 2, 0));
  CHECK(is(4, 1, 0));
  CHECK(places[0].gpus == 2);
  CHECK(places[1].gpus == 1);
  CHECK(places[0].nics == 0);
}

TEST_CASE("a box's nics are numbered in the order of the machine") {
  Topology::Parts parts;
  for (const char* id : {"a/nic5", "b/nic0", "a/nic1"}) testing::add_node(parts, id, NodeKind::nic);
  const NodeId gpu = testing::add_node(parts, "a/gpu0", NodeKind::gpu);
  const NodeId alone = testing::add_node(parts, "gpu0", NodeKind::gpu);
  const BoxNics nics((Topology(parts)));
  CHECK(nics.count(gpu) == 2);
  CHECK(nics.at(gpu, 0) == 0);
  CHECK(nics.at(gpu, 1) == 2);
  CHECK(nics.count(alone) == 0);
}

}  // namespace syncsim::boxes_test
