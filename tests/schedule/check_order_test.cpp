// Ops that wait for each other are refused, and the cycle is printed.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_order_test {
namespace {

std::string message(const Schedule& schedule) {
  const auto violation = check(schedule);
  REQUIRE(violation);
  CHECK(violation->kind == Violation::Kind::cycle);
  return violation->message;
}

}  // namespace

TEST_CASE("a cycle of edges is printed, without the ops that only wait for it") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1), 1);
  made.copy(0, 1, 0);
  made.compute(1);
  made.compute(1);
  made.on_channel(1);
  made.copy(1, 0, 0);
  made.edge(0, 1);
  made.edge(1, 2);
  made.edge(2, 1);
  made.edge(2, 3);
  CHECK(
      message(made.build()) ==
      "ops wait for each other by edges and lanes, so that none can start: op 1: compute of 1 ns "
      "at rank 1 (gpu1), channel 0, phase work -> op 2: compute of 1 ns at rank 1 (gpu1), channel "
      "1, phase work -> op 1");
  CHECK(check(made.build())->op == 1);
}

TEST_CASE("an edge against the order of a lane closes a cycle") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 2), 2);
  made.copy(0, 1, 0);
  made.copy(0, 1, 1);
  made.edge(1, 0);
  CHECK(message(made.build()) ==
        "ops wait for each other by edges and lanes, so that none can start: op 0: copy of data "
        "chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work -> op 1: copy of data "
        "chunk 1 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work -> op 0");
  made.on_channel(1);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("an op that waits for itself is a cycle") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1), 1);
  made.copy(0, 1, 0);
  made.edge(0, 0);
  CHECK(message(made.build()) ==
        "ops wait for each other by edges and lanes, so that none can start: op 0: copy of data "
        "chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work -> op 0");
}

TEST_CASE("of a long cycle eight ops are printed") {
  HandMade made(collective_of(CollectiveKind::broadcast, 1, 1), 1);
  for (std::uint32_t i = 0; i < 12; ++i) made.join(0);
  for (std::uint32_t i = 0; i < 12; ++i) made.edge(i, (i + 1) % 12);
  const auto join = [](int i) {
    return "op " + std::to_string(i) + ": join at rank 0 (gpu0), phase work -> ";
  };
  CHECK(message(made.build()) ==
        "ops wait for each other by edges and lanes, so that none can start: " + join(0) + join(1) +
            join(2) + join(3) + "(4 more ops) -> " + join(8) + join(9) + join(10) + join(11) +
            "op 0");
}

TEST_CASE("joins have no lane: the later one may come first") {
  HandMade made(collective_of(CollectiveKind::broadcast, 1, 1), 1);
  made.join(0);
  made.join(0);
  made.edge(1, 0);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("a schedule whose edges lead backward is proved in the order that they state") {
  // The copy of the sum is op 0, what it waits for is op 1.
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 1), 1);
  made.copy(0, 1, 0);
  made.reduce(1, 0, 0);
  made.edge(1, 0);
  CHECK_FALSE(check(made.build()));
}

}  // namespace syncsim::testing::check_order_test
