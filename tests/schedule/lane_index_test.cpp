// Lanes are numbered by first use.

#include "sim/schedule/lane_index.h"

#include <doctest/doctest.h>

namespace syncsim::testing::lane_index_test {
namespace {

Op on_lane(ParticipantId source, ParticipantId destination, std::uint16_t channel) {
  Op op;
  op.source = source;
  op.destination = destination;
  op.channel = channel;
  return op;
}

}  // namespace

TEST_CASE("each of source, destination and channel tells lanes apart - a join has none") {
  LaneIndex lanes;
  CHECK(lanes.number(on_lane(0, 0, 0)) == 0);
  CHECK(lanes.number(on_lane(1, 0, 0)) == 1);
  CHECK(lanes.number(on_lane(0, 1, 0)) == 2);
  CHECK(lanes.number(on_lane(0, 0, 1)) == 3);
  CHECK(lanes.number(on_lane(1, 0, 0)) == 1);
  Op join = on_lane(7, 7, 0);
  join.kind = OpKind::join;
  CHECK(lanes.number(join) == kNone);
  CHECK(lanes.count() == 4);
}

TEST_CASE("lanes keep their numbers while the index grows") {
  LaneIndex lanes;
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      const std::uint32_t source = i / 100;
      REQUIRE(lanes.number(on_lane(source, i % 100, static_cast<std::uint16_t>(i % 3))) == i);
    }
  CHECK(lanes.count() == 10'000);
}

}  // namespace syncsim::testing::lane_index_test
