// Compute ops that read, change or make data: their order is derived, and proved.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/builder.h"
#include "sim/schedule/check.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::compute_access_test {
namespace {

constexpr Time kWork{1000};

// Two ranks sum 2 bytes at rank 0, which hands the sum on; `before` and `after` are called for
// each rank around that.
template <class Before, class After>
Schedule summed(const Before& before, const After& after) {
  return build_schedule(collective_of(CollectiveKind::allreduce, 2, 2), {"gpu0", "gpu1"},
                        [&](ScheduleBuilder& builder) {
                          builder.phase("work");
                          for (ParticipantId rank = 0; rank < 2; ++rank) before(builder, rank);
                          builder.reduce(1, 0, builder.data());
                          builder.copy(0, 1, builder.data());
                          for (ParticipantId rank = 0; rank < 2; ++rank) after(builder, rank);
                        });
}

// With one compute op at each rank before all, of that access.
Schedule after_compute(Access access) {
  return summed([&](ScheduleBuilder& builder,
                    ParticipantId rank) { builder.compute(rank, kWork, access, builder.data()); },
                [](ScheduleBuilder&, ParticipantId) {});
}

std::string refusal(Schedule schedule, CheckMode mode = CheckMode::automatic) {
  const auto violation = check(schedule, {.mode = mode});
  return violation ? violation->message : "";
}

// `from` no longer leads to `to`.
Schedule without_edge(Schedule schedule, OpId from, OpId to) {
  LargeVector<OpId> edges;
  std::vector<std::uint32_t> begins;
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    begins.push_back(static_cast<std::uint32_t>(edges.size()));
    for (const OpId next : schedule.successors(op))
      if (op != from || next != to) edges.push_back(next);
  }
  for (OpId op = 0; op < schedule.ops.size(); ++op) schedule.ops[op].successors = begins[op];
  schedule.edges = std::move(edges);
  return schedule;
}

}  // namespace

TEST_CASE("a transfer waits for the compute op that makes what it reads or adds to") {
  const Schedule schedule = after_compute(Access::produces);
  REQUIRE(schedule.ops.size() == 4);
  CHECK(std::vector<OpId>(schedule.successors(0).begin(), schedule.successors(0).end()) ==
        std::vector<OpId>{2});
  CHECK(std::vector<OpId>(schedule.successors(1).begin(), schedule.successors(1).end()) ==
        std::vector<OpId>{2});
  CHECK(schedule.ops[0].chunk_count == 1);
  CHECK(refusal(schedule) == "");
  CHECK(refusal(schedule, CheckMode::exact) == "");
  CHECK(refusal(schedule, CheckMode::fingerprint) == "");
}

TEST_CASE("a compute op that reads waits for the sum, and lets others read") {
  const Schedule schedule = summed([](ScheduleBuilder&, ParticipantId) {},
                                   [](ScheduleBuilder& builder, ParticipantId rank) {
                                     builder.compute(rank, kWork, Access::reads, builder.data());
                                   });
  REQUIRE(schedule.ops.size() == 4);
  // At rank 0 it follows the reduce, not the copy that reads beside it.
  CHECK(std::vector<OpId>(schedule.successors(0).begin(), schedule.successors(0).end()) ==
        std::vector<OpId>{1, 2});
  CHECK(std::vector<OpId>(schedule.successors(1).begin(), schedule.successors(1).end()) ==
        std::vector<OpId>{3});
  CHECK(refusal(schedule) == "");
}

TEST_CASE("what changes data in place waits for those who read it") {
  const Schedule schedule = summed([](ScheduleBuilder&, ParticipantId) {},
                                   [](ScheduleBuilder& builder, ParticipantId rank) {
                                     builder.compute(rank, kWork, Access::modifies, builder.data());
                                   });
  CHECK(std::vector<OpId>(schedule.successors(1).begin(), schedule.successors(1).end()) ==
        std::vector<OpId>{2, 3});
  CHECK(refusal(schedule) == "");
}

TEST_CASE("a transfer that does not wait for the data to be made is a race") {
  const Schedule made = after_compute(Access::produces);
  CHECK(refusal(without_edge(made, 1, 2)) ==
        "race on data chunk 0 at rank 1 (gpu1): made by one op and read by another, and no edges "
        "or lanes order them: op 1: compute of 1 ns at rank 1 (gpu1), which makes data chunk 0, "
        "channel 0, phase work; op 2: reduce of data chunk 0 from rank 1 (gpu1) to rank 0 (gpu0), "
        "channel 0, phase work");
  CHECK(refusal(without_edge(made, 0, 2))
            .starts_with(
                "race on data chunk 0 at rank 0 (gpu0): made by one op and added to by another"));
}

TEST_CASE("data cannot be made after it was sent") {
  const Schedule schedule = summed([](ScheduleBuilder&, ParticipantId) {},
                                   [](ScheduleBuilder& builder, ParticipantId rank) {
                                     builder.compute(rank, kWork, Access::produces, builder.data());
                                   });
  CHECK(refusal(schedule) ==
        "data chunk 0 at rank 0 (gpu0) is made after another op touched it: op 1: copy of data "
        "chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work; op 2: compute of 1 ns "
        "at rank 0 (gpu0), which makes data chunk 0, channel 0, phase work");
}

TEST_CASE("an access to chunks that do not exist is refused") {
  Schedule schedule = after_compute(Access::produces);
  schedule.ops[0].destination_chunk = 1;
  CHECK(refusal(schedule) ==
        "op 0: compute of 1 ns at rank 0 (gpu0), which makes data chunk 1, channel 0, phase work: "
        "accessed chunk 1 does not exist; buffer data has 1");
}

TEST_CASE("compute on nothing is a plain compute op") {
  const Schedule schedule = build_schedule(
      collective_of(CollectiveKind::allreduce, 1, 2), {"gpu0"}, [](ScheduleBuilder& builder) {
        builder.compute(0, kWork, Access::produces, {0, 1, 1});
        builder.compute(0, kWork, Access::none, builder.data());
      });
  REQUIRE(schedule.ops.size() == 2);
  for (const Op& op : schedule.ops) CHECK(op.access == Access::none);
}

}  // namespace syncsim::testing::compute_access_test
