// Real runs of schedules written op by op: what each kind of op does, and what is found wrong.

#include "tests/support/real_runs.h"

#include <string>

#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::host_executor_test {
namespace {

constexpr std::int64_t kBytes = 10'007;  // more than the period of what ranks contribute

// All add to rank 0, which gives the sum back.
HandMade allreduce(int ranks, std::string_view datatype = "int8", std::int64_t element = 1) {
  HandMade made({CollectiveKind::allreduce, ranks, {kBytes * element}, datatype}, 1);
  for (ParticipantId rank = 1; rank < static_cast<ParticipantId>(ranks); ++rank)
    made.reduce(rank, 0, 0);
  for (ParticipantId rank = 1; rank < static_cast<ParticipantId>(ranks); ++rank)
    made.copy(0, rank, 0);
  made.order_conflicts();
  return made;
}

}  // namespace

TEST_CASE("many runs, each shorter than the time between two looks, end when the watch says so") {
  struct Impatient : Watch {
    int looks = 0;
    bool goes_on(const Progress&) override { return ++looks < 5; }
  } watch;
  RealOptions options{.iterations = 100'000, .warmup = 0, .threads = 2};
  options.watch = &watch;
  const Schedule schedule = allreduce(2).build();
  CHECK_THROWS_AS(measure_on_host(schedule, Topology(star(1)), options), Interrupted);
  CHECK(watch.looks == 5);
}

TEST_CASE("sums are exact in every datatype, on any number of threads") {
  for (const DatatypeRow& datatype : datatypes().rows())
    for (const int ranks : {2, 5, 300})
      for (const int threads : {1, 4}) {
        const Schedule schedule = allreduce(ranks, datatype.name, datatype.size).build();
        const Measurement run = measured(schedule, threads);
        CHECK_MESSAGE(fault_of(run) == "", datatype.name << ", " << ranks << " ranks");
        CHECK(out_of_order(schedule, run.timeline) == "");
      }
}

TEST_CASE("a reduce that is missing or done twice gives wrong data, which is named") {
  HandMade missing = allreduce(3);
  missing.schedule.ops[1].kind = OpKind::copy;
  missing.schedule.ops[1].chunk_count = 0;
  const Measurement run = measured(missing.build());
  REQUIRE(run.wrong);
  CHECK(run.wrong->rank == 0);
  CHECK(run.wrong->element == 0);
  CHECK(run.wrong->buffer == "data");
  CHECK(fault_of(run) == "rank 0: element 0 of data is " + std::to_string(run.wrong->found) +
                             ", not " + std::to_string(run.wrong->expected));
  CHECK(run.timeline.ops.size() == 4);  // what was measured is still there

  HandMade twice = allreduce(3);
  twice.reduce(2, 1, 0);
  twice.order_conflicts();
  CHECK(measured(twice.build()).wrong->rank == 1);
}

TEST_CASE("values of another rank are not taken for those that belong there") {
  HandMade gather(collective_of(CollectiveKind::all_gather, 3, 3 * kBytes), 3);
  for (ParticipantId from = 0; from < 3; ++from)
    for (ParticipantId to = 0; to < 3; ++to)
      if (from != to) gather.copy(from, to, from);
  CHECK(fault_of(measured(gather.build())) == "");
  gather.schedule.ops[3].source_chunk = 0;  // rank 1 gives rank 2 the wrong block
  gather.edge(0, 3);
  CHECK(measured(gather.build()).wrong->rank == 2);
}

TEST_CASE("a group adds up at once, and one copy reaches all its members") {
  HandMade made(collective_of(CollectiveKind::allreduce, 4, kBytes), 1);
  made.schedule.groups = {{0, 1, 2, 3}};
  made.reduce(kGroupBit | 0u, 0, 0);
  made.copy(0, kGroupBit | 0u, 0);
  made.edge(0, 1);
  const Schedule schedule = made.build();
  REQUIRE(!check(schedule));
  CHECK(fault_of(measured(schedule)) == "");
}

TEST_CASE("scratch and helpers begin empty, in every iteration anew") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, kBytes), 1);
  const ParticipantId cpu = made.helper("cpu0");
  const std::uint8_t scratch = made.buffer(even_buffer("scratch", 2, kBytes));
  for (ParticipantId rank = 0; rank < 3; ++rank)
    made.add(OpKind::reduce, rank, {0, 0}, cpu, {scratch, 1});
  for (ParticipantId rank = 0; rank < 3; ++rank)
    made.add(OpKind::copy, cpu, {scratch, 1}, rank, {0, 0});
  made.order_conflicts();
  const Schedule schedule = made.build();
  REQUIRE(!check(schedule));
  const Measurement run = measured(schedule, 3, 4);
  CHECK(fault_of(run) == "");
  CHECK(run.times.size() == 4);
}

TEST_CASE("a compute takes its time, holds no thread, and what it produces comes at its end") {
  constexpr std::int64_t kPause = 20'000'000'000;  // 20 ms
  HandMade made(collective_of(CollectiveKind::allreduce, 4, kBytes), 1);
  made.schedule.durations = {{kPause}};
  for (ParticipantId rank = 0; rank < 4; ++rank) {
    made.compute(rank);
    made.schedule.ops.back().access = Access::produces;
    made.schedule.ops.back().chunk_count = 1;
  }
  for (ParticipantId rank = 1; rank < 4; ++rank) made.reduce(rank, 0, 0);
  for (OpId compute = 0; compute < 4; ++compute)
    for (OpId reduce = 4; reduce < 7; ++reduce)
      if (compute == 0 || compute == reduce - 3) made.edge(compute, reduce);
  made.signal(0, 1);
  const OpId join = made.join(0);
  for (OpId reduce = 4; reduce < 7; ++reduce) made.edge(reduce, join);
  for (ParticipantId rank = 1; rank < 4; ++rank) made.edge(join, made.copy(0, rank, 0));
  const Schedule schedule = made.build();
  const Measurement run = measured(schedule, 1);
  CHECK(fault_of(run) == "");
  CHECK(out_of_order(schedule, run.timeline) == "");
  for (OpId compute = 0; compute < 4; ++compute)
    CHECK(run.timeline.ops[compute].finish.ps >= kPause);
  CHECK(run.timeline.finish.ps < 3 * kPause);  // side by side on one thread

  HandMade early = made;  // rank 3 computes longer, and is read before it has
  early.schedule.durations.push_back({2 * kPause});
  early.schedule.ops[3].source_chunk = 1;
  std::erase(early.edges, HandMade::Edge{3, 6});
  CHECK(measured(early.build(), 1).wrong);
}

TEST_CASE("ops of one lane keep their order though nothing else orders them") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 64 * kBytes), 64);
  for (std::uint32_t chunk = 0; chunk < 64; ++chunk) made.copy(0, 1, 63 - chunk);
  const Schedule schedule = made.build();
  const Measurement run = measured(schedule, 4);
  CHECK(fault_of(run) == "");
  for (OpId op = 1; op < 64; ++op)
    CHECK(run.timeline.ops[op].start >= run.timeline.ops[op - 1].finish);
}

TEST_CASE("each push into a relaxed buffer is applied once, whatever was pulled meanwhile") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, kBytes), 1);
  const ParticipantId server = made.helper("cpu0");
  Buffer store = even_buffer("store", 1, kBytes);
  store.relaxed = true;
  const std::uint8_t kept = made.buffer(store);
  for (ParticipantId rank = 0; rank < 3; ++rank)
    made.add(OpKind::reduce, rank, {0, 0}, server, {kept, 0});
  for (ParticipantId rank = 0; rank < 3; ++rank) {
    made.add(OpKind::copy, server, {kept, 0}, rank, {0, 0});
    made.edge(rank, 3 + rank);  // behind its own push alone
  }
  const Schedule schedule = made.build();
  REQUIRE(!check(schedule));
  for (int i = 0; i < 20; ++i) CHECK(fault_of(measured(schedule, 3)) == "");

  HandMade lost = made;  // rank 2 does not push
  lost.schedule.ops[2].chunk_count = 0;
  CHECK(measured(lost.build(), 3).wrong);
}

TEST_CASE("a schedule without ops takes no time") {
  const Schedule schedule = HandMade(collective_of(CollectiveKind::allreduce, 1, 8), 1).build();
  const Measurement run = measured(schedule);
  CHECK(fault_of(run) == "");
  CHECK(run.median() == Time{0});
}

TEST_CASE("ops that wait for each other are named, instead of waiting for ever") {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 8), 1);
  made.copy(0, 1, 0);
  made.copy(1, 2, 0);
  made.edge(0, 1);
  made.edge(1, 0);
  const Schedule schedule = made.build();
  for (const int threads : {1, 3})
    CHECK(failure_of([&] { measured(schedule, threads); }) ==
          "the schedule cannot finish: 2 of 2 ops wait for ever\n  " + describe(schedule, 0) +
              "\n  " + describe(schedule, 1));
}

TEST_CASE("what cannot be run is refused before anything is allocated") {
  const Topology machine(star(1));
  const auto refusal = [&](const HandMade& made, MemoryLimit memory = {}) {
    return refusal_of([&] { measure_on_host(made.build(), machine, {.memory = memory}); });
  };
  HandMade cut({CollectiveKind::broadcast, 2, {12}, "float32"}, 2);
  CHECK(refusal(cut) ==
        "data is cut at byte 6, inside an element of float32; choose a size that the chunks "
        "divide, or int8");
  HandMade mixed = allreduce(2, "float32", 4);
  mixed.schedule.collectives.push_back(mixed.schedule.collectives.front());
  mixed.schedule.collectives.back().collective.datatype = "int32";
  CHECK(refusal(mixed) == "the schedule sums float32 and int32; a real run takes one datatype");
  const std::int64_t huge = std::int64_t{1} << 50;
  HandMade large(collective_of(CollectiveKind::broadcast, 2, huge), 1);
  large.copy(0, 1, 0);
  CHECK(refusal(large, {1'000'000, "there is 1 MB"}) ==
        "a run on the host needs about 2.3 PB (the buffers of 2 participants), there is 1 MB; use "
        "fewer ranks, less data or fewer iterations, or allow more with --memory");
}

TEST_CASE("a watch that says stop ends a run between two ops") {
  struct Stop : Watch {
    bool goes_on(const Progress&) override { return false; }
  } stop;
  HandMade made(collective_of(CollectiveKind::allreduce, 1, 8), 1);
  made.schedule.durations = {{60'000'000'000'000}};  // a minute
  made.compute(0);
  const Topology machine(star(1));
  CHECK_THROWS_AS(measure_on_host(made.build(), machine, {.watch = &stop}), Interrupted);
}

}  // namespace syncsim::testing::host_executor_test
