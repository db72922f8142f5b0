#include "sim/topology/resources.h"

#include <doctest/doctest.h>

#include "tests/support/machines.h"

namespace syncsim::resources_test {
namespace {

using testing::gigabytes;

Topology half_duplex_machine() {
  Topology::Parts parts = testing::star(2);
  for (Link& link : parts.links) link.usable = gigabytes(12);
  parts.links[0].half_duplex = parts.links[1].half_duplex = true;
  parts.nodes[2].transit_bandwidth = gigabytes(64);
  parts.nodes[1].reduce_bandwidth = gigabytes(100);
  return Topology(parts);
}

}  // namespace

TEST_CASE("a full-duplex cable is two resources, a half-duplex one is one for both directions") {
  const Topology topology = half_duplex_machine();
  const Resources resources(topology, Rates::line);
  CHECK(resources.of_link(0) == resources.of_link(1));
  CHECK(resources.of_link(2) != resources.of_link(3));
  const Resource& cable = resources.all()[resources.of_link(1)];
  CHECK(cable.name == "gpu0-switch0");
  CHECK(cable.kind == ResourceKind::cable);
  const Resource& direction = resources.all()[resources.of_link(3)];
  CHECK(direction.name == "switch0>gpu1");
  CHECK(direction.kind == ResourceKind::link);
}

TEST_CASE("a link's capacity is the figure that the run uses") {
  const Topology topology = half_duplex_machine();
  for (LinkId link = 0; link < 4; ++link) {
    const Resources line(topology, Rates::line);
    CHECK(line.all()[line.of_link(link)].capacity == 16e9);
    const Resources usable(topology, Rates::usable);
    CHECK(usable.all()[usable.of_link(link)].capacity == 12e9);
  }
}

TEST_CASE("nodes have a transit and a reduce resource exactly where they have the bandwidth") {
  const Topology topology = half_duplex_machine();
  const Resources resources(topology, Rates::line);
  CHECK(resources.all().size() == 3 + 2);
  CHECK_FALSE(resources.transit(0));
  CHECK_FALSE(resources.reduce(2));
  REQUIRE(resources.transit(2));
  const Resource& transit = resources.all()[*resources.transit(2)];
  CHECK(transit.name == "switch0:transit");
  CHECK(transit.kind == ResourceKind::transit);
  CHECK(transit.capacity == 64e9);
  REQUIRE(resources.reduce(1));
  const Resource& reduce = resources.all()[*resources.reduce(1)];
  CHECK(reduce.name == "gpu1:reduce");
  CHECK(reduce.kind == ResourceKind::reduce);
  CHECK(reduce.capacity == 100e9);
}

}  // namespace syncsim::resources_test
