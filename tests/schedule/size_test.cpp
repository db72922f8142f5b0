// How large a schedule is said to be before it is emitted, and who may refuse or interrupt it.

#include "sim/schedule/size.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/schedule/builder.h"
#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::size_test {
namespace {

using testing::collective_of;

std::vector<std::string> nodes(int ranks) {
  std::vector<std::string> result;
  for (int rank = 0; rank < ranks; ++rank) result.push_back("gpu" + std::to_string(rank));
  return result;
}

// What the overseer is asked while `emit` writes a schedule of 4 ranks and 8 bytes.
std::vector<ScheduleSize> asked(const std::function<void(ScheduleBuilder&)>& emit) {
  std::vector<ScheduleSize> sizes;
  build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), emit,
                 {nullptr, [&](const ScheduleSize& size) { sizes.push_back(size); }});
  return sizes;
}

void send_around(ScheduleBuilder& builder, std::size_t ops) {
  for (std::size_t op = 0; op < ops; ++op)
    builder.copy(static_cast<ParticipantId>(op % 4), static_cast<ParticipantId>((op + 1) % 4),
                 builder.data());
}

struct StopAt : Watch {
  explicit StopAt(std::uint64_t least) : stop(least) {}
  bool goes_on(const Progress& progress) override {
    last = progress;
    return progress.done < stop;
  }
  std::uint64_t stop;
  Progress last;
};

constexpr ScheduleSize kSmall{
    .ranks = 4, .ops = 100, .edges = 150, .lanes = 12, .chunks = 10, .moves = 100};

}  // namespace

TEST_CASE("a schedule takes 32 bytes an op, 4 an edge, 8 a chunk") {
  CHECK(schedule_bytes(kSmall) == 3'200 + 600 + 80);
}

TEST_CASE("emission adds the waits, ten bytes an op, and 12 a chunk at every rank") {
  CHECK(emission_bytes(kSmall) == schedule_bytes(kSmall) + 600 + 1'000 + 12 * 40);
}

TEST_CASE("the proof adds 8 bytes a transfer, 64 a chunk, and a column laid out") {
  // a column of 10 steps of 40 bytes, 4 cells of 88, and 4 x 4 bits
  CHECK(check_bytes(kSmall) == 800 + 640 + 400 + 352 + 2);
  ScheduleSize many = kSmall;
  many.ranks = kMostRanksExactly;
  const std::uint64_t exactly = check_bytes(many);
  many.ranks += 1;
  CHECK(exactly == 800 + 640 + 400 + 88 * 4'096 + 4'096 * 4'096 / 8);
  CHECK(check_bytes(many) == 800 + 640 + 400 + 88 * 4'097);
}

TEST_CASE("sizes that no machine has do not wrap") {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  CHECK(emission_bytes({.ranks = huge, .chunks = huge}) >= std::uint64_t{1} << 60);
}

TEST_CASE("what is announced is asked for, once, before the first op") {
  const auto sizes = asked([](ScheduleBuilder& builder) {
    const auto halves = builder.split(builder.data(), 2);
    builder.expect({.ops = 6, .lanes = 3});
    builder.expect(2);  // of those
    send_around(builder, 6);
  });
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].ranks == 4);
  CHECK(sizes[0].ops == 6);
  CHECK(sizes[0].edges == 9);
  CHECK(sizes[0].lanes == 3);
  CHECK(sizes[0].chunks == 2);
  CHECK(sizes[0].moves == 6);
}

TEST_CASE("ops that move several chunks count with each") {
  const auto sizes = asked([](ScheduleBuilder& builder) {
    builder.split(builder.data(), 8);
    builder.expect({.ops = 5, .chunks_an_op = 8});
    send_around(builder, 5);
  });
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].moves == 40);
  CHECK(sizes[0].edges == 5 + 20);
  CHECK(sizes[0].lanes == 5);  // unknown: as many as there can be
}

TEST_CASE("ops that nobody announced are asked for as they come") {
  const auto sizes = asked([](ScheduleBuilder& builder) { send_around(builder, 20'000); });
  REQUIRE(sizes.size() == 3);
  CHECK(sizes[0].ops == 5'120);  // 4,096 and a quarter more
  CHECK(sizes[1].ops == 10'240);
  CHECK(sizes[2].ops == 15'360);
  CHECK(sizes[2].lanes == 16);
}

TEST_CASE("a refusal comes before any op") {
  const auto emit = [](ScheduleBuilder& builder) {
    builder.expect(1'000'000'000'000);  // reserving this would fail
    FAIL("it went on");
  };
  const Oversight strict{nullptr, [](const ScheduleSize&) { throw InputError("no", "less"); }};
  CHECK(testing::refusal_of([&] {
          build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), emit, strict);
        }) == "no; less");
}

TEST_CASE("emission stops when the watch says so, and tells how far it came") {
  StopAt watch(8'192);
  const auto emit = [](ScheduleBuilder& builder) {
    builder.expect(50'000);
    send_around(builder, 50'000);
  };
  try {
    build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), emit, {&watch, {}});
    FAIL("it went on");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.progress.stage == Stage::emitting);
    CHECK(interrupted.progress.done == 8'192);
    CHECK(interrupted.progress.total == 50'000);
  }
}

TEST_CASE("of what was announced too low no more is done than there is") {
  StopAt watch(8'192);
  const auto emit = [](ScheduleBuilder& builder) {
    builder.expect(8'000);
    send_around(builder, 8'500);
  };
  CHECK_THROWS_AS(
      build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), emit, {&watch, {}}),
      Interrupted);
  CHECK(watch.last.done == 8'192);
  CHECK(watch.last.total == 8'192);
}

// One op, and then cuts that come too late for it: the pass is stale. In scopes, which emit little
// by themselves.
void cut_late(ScheduleBuilder& builder) {
  builder.copy(0, 1, builder.data());
  for (int i = 0; i < 5'000; ++i)
    builder.scope({}, [&] { builder.copy(0, 1, builder.split(builder.data(), 2)[0]); });
}

TEST_CASE("a pass whose ops are dropped heeds the watch too, and counts what it would emit") {
  StopAt watch(0);
  CHECK_THROWS_AS(
      build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4),
                     [](ScheduleBuilder& builder) { builder.heed_watch(); }, {&watch, {}}),
      Interrupted);
  StopAt later(1);
  CHECK_THROWS_AS(build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), cut_late,
                                 {&later, {}}),
                  Interrupted);
  CHECK(later.last.done == 4'096);  // of the second pass
  const auto sizes = asked(cut_late);
  REQUIRE(sizes.size() > 1);
  CHECK(sizes[0].ops > 200);
  CHECK(asked([](ScheduleBuilder& builder) {
          builder.copy(0, 1, builder.data());
          builder.split(builder.data(), 2);  // stale from here on
          builder.expect(10);
          CHECK(builder.ops() == (builder.ops() > 1 ? builder.ops() : 1));
        })[0]
            .ops == 11);
}

TEST_CASE("a proof stops when the watch says so, and one that goes on sees all of it") {
  const auto emit = [](ScheduleBuilder& builder) { send_around(builder, 30'000); };
  const Schedule schedule =
      build_schedule(collective_of(CollectiveKind::broadcast, 4, 8), nodes(4), emit);
  StopAt never(1'000'000);
  CHECK(!check(schedule, {.watch = &never}));
  CHECK(never.last.stage == Stage::checking);
  CHECK(never.last.total == 30'000);
  CHECK(never.last.done > 9'000);  // a third, and then one column
  StopAt soon(2'000);
  CHECK_THROWS_AS(check(schedule, {.watch = &soon}), Interrupted);
  CHECK(soon.last.done >= 2'000);
  CHECK(soon.last.done < 4'000);
}

}  // namespace syncsim::size_test
