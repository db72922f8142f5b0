// Staged reductions: what a reduce becomes, where messages lie, and what waits for what.

#include "sim/schedule/staging.h"

#include <doctest/doctest.h>

#include "sim/schedule/check.h"
#include "tests/schedule/schedule_text.h"
#include "tests/support/refusal.h"

namespace syncsim::staging_test {
namespace {

Schedule build_staged(const Collective& collective,
                      const std::function<void(ScheduleBuilder&)>& emit) {
  return build_schedule(collective, gpus(collective.ranks), emit, {}, Reduction::staged);
}

std::string proof_of(const Schedule& schedule) {
  const auto violation = check(schedule);
  return violation ? violation->message : "proved";
}

Collective reduce_to_first(int ranks, std::int64_t bytes) {
  return {CollectiveKind::reduce, ranks, {bytes}, "int8", 0};
}

}  // namespace

TEST_CASE("a staged reduce is a copy into staging, and a sum from there") {
  const Schedule schedule = build_staged(reduce_to_first(2, 8), [](ScheduleBuilder& builder) {
    builder.reduce(1, 0, builder.data());
  });
  CHECK(lines(schedule) == Lines{"copy 1>0 data 0 into staging of data 0 -> 1",
                                 "reduce 0>0 staging of data 0 into data 0"});
  CHECK(proof_of(schedule) == "proved");
}

TEST_CASE("messages of several senders have a place each, so that their sums still commute") {
  const Schedule schedule = build_staged(reduce_to_first(3, 8), [](ScheduleBuilder& builder) {
    builder.reduce(1, 0, builder.data());
    builder.reduce(2, 0, builder.data());
  });
  CHECK(schedule.buffers[1].boundaries == Boundaries{0, 8, 16});
  CHECK(lines(schedule) == Lines{"copy 1>0 data 0 into staging of data 0 -> 1",
                                 "reduce 0>0 staging of data 0 into data 0",
                                 "copy 2>0 data 0 into staging of data 1 -> 3",
                                 "reduce 0>0 staging of data 1 into data 0"});
  CHECK(proof_of(schedule) == "proved");
}

TEST_CASE("a message lies in staging where it will lie in the buffer, cut as that is") {
  const Schedule schedule = build_staged(reduce_to_first(2, 8), [](ScheduleBuilder& builder) {
    const std::vector<Slice> halves = builder.split(builder.data(), 2);
    builder.split(halves[1], 2);
    builder.reduce(1, 0, halves[1]);
    builder.reduce(1, 0, halves[0]);
  });
  CHECK(schedule.buffers[1].boundaries == Boundaries{0, 4, 6, 8});
  CHECK(lines(schedule) == Lines{"copy 1>0 data 1-2 into staging of data 1-2 -> 1",
                                 "reduce 0>0 staging of data 1-2 into data 1-2",
                                 "copy 1>0 data 0 into staging of data 0 -> 3",
                                 "reduce 0>0 staging of data 0 into data 0"});
}

TEST_CASE("sums within a participant, copies and signals are not staged") {
  const auto emit = [](ScheduleBuilder& builder) {
    const Slice scratch = builder.scratch("sums", {8});
    builder.copy(0, builder.data(), 0, scratch);
    builder.signal(0, 1);
    builder.copy(0, builder.data(), 1, scratch);
    builder.reduce(1, scratch, 1, builder.data());
  };
  const Collective reduce = {CollectiveKind::reduce, 2, {8}, "int8", 1};
  CHECK(lines(build_staged(reduce, emit)) == lines(build(reduce, emit)));
}

TEST_CASE("what comes after a staged reduce at its destination comes after the sum") {
  const Schedule schedule = build_staged(reduce_to_first(3, 8), [](ScheduleBuilder& builder) {
    const OpId first = builder.reduce(1, 0, builder.data());
    builder.edge(first, builder.reduce(2, 0, builder.data()));
  });
  CHECK(lines(schedule)[1] == "reduce 0>0 staging of data 0 into data 0 -> 2");
}

TEST_CASE("what shares only the sender with a staged reduce comes after its copy") {
  const Schedule schedule = build_staged(allreduce(3, 8), [](ScheduleBuilder& builder) {
    const OpId first = builder.reduce(0, 1, builder.data());
    builder.edge(first, builder.reduce(0, 2, builder.data()));
  });
  CHECK(lines(schedule)[0] == "copy 0>1 data 0 into staging of data 0 -> 1 2");
}

TEST_CASE("a second message into one range waits until the first one is added") {
  const Schedule schedule =
      build_staged({CollectiveKind::allreduce, 2, {8}, "int8", 0}, [](ScheduleBuilder& builder) {
        builder.reduce(1, 0, builder.data());
        builder.copy(0, 1, builder.data());
        builder.reduce(1, 0, builder.data());
      });
  CHECK(lines(schedule)[1] == "reduce 0>0 staging of data 0 into data 0 -> 2 3");
}

TEST_CASE("there is to be room for the sums of staged reductions, and for their messages") {
  std::vector<ScheduleSize> asked;
  const Oversight oversight{nullptr, [&](const ScheduleSize& size) { asked.push_back(size); }};
  const auto emit = [](ScheduleBuilder& builder) {
    builder.expect(2);
    builder.reduce(1, 0, builder.data());
    builder.reduce(2, 0, builder.data());
  };
  build_schedule(reduce_to_first(3, 8), gpus(3), emit, oversight, Reduction::staged);
  REQUIRE(!asked.empty());
  CHECK(asked.back().ops == 4);
  CHECK(asked.back().chunks == 1 + 2);
}

TEST_CASE("staging that would be larger than any buffer is refused") {
  const auto emit = [](ScheduleBuilder& builder) {
    for (ParticipantId rank = 1; rank < 4; ++rank) builder.reduce(rank, 0, builder.data());
  };
  CHECK(
      testing::refusal_of([&] { build_staged(reduce_to_first(4, std::int64_t{1} << 62), emit); }) ==
      "staged reductions of 4194304 TiB from 3 lanes at once; use fewer bytes or ranks, or "
      "reductions \"on-arrival\"");
}

TEST_CASE("staged reductions on a million lanes and more are refused before they are emitted") {
  const auto emit = [](ScheduleBuilder& builder) {
    for (ParticipantId from = 0; from < 1'001; ++from)
      for (ParticipantId to = 0; to < 1'001; ++to)
        if (from != to) builder.reduce(from, to, builder.data());
  };
  CHECK(testing::refusal_of([&] { build_staged(allreduce(1'001, 8), emit); }) ==
        "staged reductions on more than 1000000 lanes; use fewer ranks, or reductions "
        "\"on-arrival\"");
}

TEST_CASE("ways to reduce have names") {
  for (const ReductionRow& row : reductions().rows())
    CHECK(parse_reduction(to_string(row.reduction)) == row.reduction);
  CHECK(testing::refusal_of([] { parse_reduction("stages"); }) ==
        "unknown reduction \"stages\"; did you mean \"staged\"?");
}

}  // namespace syncsim::staging_test
