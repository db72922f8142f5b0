// Ranks that come late.

#include <doctest/doctest.h>

#include "sim/schedule/late_start.h"

namespace syncsim::late_start_test {
namespace {

// 0 -> 1 -> 2, and 3 -> 0 beside it.
Schedule chain() {
  Schedule schedule;
  schedule.ranks = 4;
  schedule.participants = {"a", "b", "c", "d"};
  schedule.buffers = {{"data", {0, 4}}};
  schedule.channels = {{}};
  schedule.phases = {"send"};
  const std::uint32_t ends[][2] = {{0, 1}, {1, 2}, {3, 0}};
  for (const auto& [from, to] : ends) {
    Op op;
    op.source = from;
    op.destination = to;
    op.chunk_count = 1;
    op.successors = schedule.ops.empty() ? 0 : 1;
    schedule.ops.push_back(op);
  }
  schedule.edges.push_back(1);
  return schedule;
}

std::string edges_of(const Schedule& schedule) {
  std::string text;
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    for (const OpId next : schedule.successors(op))
      text += std::to_string(op) + ">" + std::to_string(next) + " ";
  return text;
}

}  // namespace

TEST_CASE("without late ranks a schedule stays as it is") {
  const Schedule same = start_late(chain(), {{1, Time{0}}});
  CHECK(same.ops.size() == 3);
  CHECK(same.phases.size() == 1);
}

TEST_CASE("a late rank holds up what it sends and gets, and nothing else") {
  const Schedule late = start_late(chain(), {{1, Time{50}}, {3, Time{70}}});
  REQUIRE(late.ops.size() == 5);
  CHECK(late.durations == std::vector<Time>{Time{50}, Time{70}});
  CHECK(late.phases == std::vector<std::string>{kLateStartPhase, "send"});
  CHECK(late.ops[1].phase == 0);
  CHECK(late.ops[2].phase == 1);
  CHECK(late.ops[0].kind == OpKind::compute);
  CHECK(late.ops[0].source == 1);
  CHECK(late.ops[1].source == 3);
  // Rank 1's second transfer waits for its first one anyway.
  CHECK(edges_of(late) == "0>2 1>4 2>3 ");
}

TEST_CASE("a rank in a group holds up the whole transfer") {
  Schedule schedule = chain();
  schedule.groups = {{1, 2, 3}};
  schedule.ops[0].destination = kGroupBit;
  CHECK(edges_of(start_late(schedule, {{2, Time{5}}})) == "0>1 1>2 ");
}

TEST_CASE("a schedule in which nothing moves has a late rank too") {
  Schedule schedule = chain();
  schedule.ops.clear();
  schedule.edges.clear();
  schedule.channels.clear();
  const Schedule late = start_late(schedule, {{1, Time{50}}});
  CHECK(late.ops.size() == 1);
  CHECK(late.channels.size() == 1);
}

}  // namespace syncsim::late_start_test
