#include "sim/topology/ring_text.h"

#include <doctest/doctest.h>

#include <vector>

namespace syncsim::ring_text_test {

TEST_CASE("a ring is written as its ranks, with a multiplicity other than 1 after an x") {
  CHECK(ring_text({{0, 3, 1, 2}, 1}) == "0,3,1,2");
  CHECK(ring_text({{0, 3, 1, 2}, 12}) == "0,3,1,2 x12");
  CHECK(ring_text({{0}, 1}) == "0");
}

TEST_CASE("rings are separated by semicolons") {
  CHECK(rings_text(std::vector<Ring>{{{0, 1, 2}, 2}, {{0, 2, 1}, 1}}) == "0,1,2 x2; 0,2,1");
  CHECK(rings_text({}) == "");
}

TEST_CASE("nics stand beside their rank, by which the ring comes before it and goes behind it") {
  Ring ring{{0, 1, 2, 3}, 2, {{3, -1}, {-1, 2}, {3, 2}, {-1, -1}}};
  CHECK(ring_text(ring) == "nic3>0,1>nic2,nic3>2>nic2,3 x2");
}

}  // namespace syncsim::ring_text_test
