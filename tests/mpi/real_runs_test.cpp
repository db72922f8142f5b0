// Schedules on real data in five processes: the sums are exact, ops keep the order that processes
// can know of, and what messages cannot do is refused by all.

#include "tests/support/real_runs.h"

#include "sim/exec/mpi/session.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::real_runs_test {
namespace {

constexpr int kProcesses = 5;

Measurement by_mpi(const Schedule& schedule, int iterations = 1, bool library = false) {
  static const Topology machine(star(1));  // plays no part
  return measure_by_mpi(schedule, machine,
                        {.iterations = iterations, .warmup = 0, .library = library});
}

// No op leaves its source before what the source had to have received or done for it; "" or the
// first that does.
std::string sent_too_early(const Schedule& schedule, const Timeline& timeline) {
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const OpTimes& own = timeline.ops[op];
    if (own.start < own.ready || own.finish < own.start) return describe(schedule, op);
    for (const OpId next : schedule.successors(op))
      if (schedule.ops[next].source == schedule.ops[op].destination &&
          timeline.ops[next].start < own.finish)
        return describe(schedule, next);
  }
  return "";
}

bool is_within(const Schedule& schedule) {
  return schedule.groups.empty() && schedule.participants.size() <= kProcesses;
}

void run_task(const Topology& machine, const Task& task) {
  INFO(task.strategy << ", " << to_string(task.collective.kind) << " of "
                     << task.collective.bytes.count << " B of " << task.collective.datatype
                     << " on " << task.collective.ranks);
  const Schedule schedule = emitted(machine, task);
  if (!is_within(schedule)) return;
  const Measurement run = by_mpi(schedule);
  CHECK(fault_of(run) == "");
  CHECK(sent_too_early(schedule, run.timeline) == "");
  CHECK(run.timeline.finish == run.median());
  CHECK(run.timeline.ops.size() == schedule.ops.size());
}

// More bytes than a piece has, and no multiple of it.
Schedule two_reduces(int ranks) {
  HandMade made({CollectiveKind::reduce, ranks, {300'004}, "float32"}, 1);
  for (ParticipantId rank = 1; rank < static_cast<ParticipantId>(ranks); ++rank)
    made.reduce(rank, 0, 0);
  return made.build();
}

}  // namespace

TEST_CASE("every strategy sums exactly, whatever the collective and the number of processes") {
  int ranks = 2;
  for (const Strategy& strategy : strategies().rows())
    for (const CollectiveKind kind : strategy.collectives) {
      const Topology machine(star_with_cpu(ranks, gigabytes(16)));
      if (applies(strategy, machine))
        run_task(machine, {std::string(strategy.name), {kind, ranks, {404}, "int32"}});
      ranks = ranks == 4 ? 2 : ranks + 1;
    }
}

TEST_CASE("all datatypes add up, in pieces and alone") {
  const Topology machine(star_with_cpu(4, gigabytes(16)));
  for (const DatatypeRow& datatype : datatypes().rows())
    for (const std::int64_t elements : {7, 60'001})
      run_task(machine,
               {elements == 7 ? "ring" : "central_cpu",
                {CollectiveKind::allreduce, 4, {elements * datatype.size}, datatype.name}});
}

TEST_CASE("a copy comes to its place only once what stood there has been read") {
  // Rank 0 sends its data to 1 late, after a wait; 2 overwrites it as soon as it may.
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 100'000), 1);
  made.schedule.durations.push_back({20'000'000'000});  // 20 ms
  const OpId wait = made.compute(0);
  const OpId first = made.copy(0, 1, 0);
  const OpId second = made.copy(1, 2, 0);
  const OpId back = made.copy(2, 0, 0);
  made.edge(wait, first);
  made.edge(first, second);
  made.edge(second, back);
  made.edge(first, back);
  const Schedule schedule = made.build();
  const Measurement run = by_mpi(schedule);
  CHECK(fault_of(run) == "");
  CHECK(run.timeline.ops[first].start >= Time{20'000'000'000});
  CHECK(run.timeline.ops[back].finish == run.timeline.finish);
}

TEST_CASE("all processes learn of the first wrong element") {
  HandMade made({CollectiveKind::allreduce, 3, {400}, "int32"}, 1);
  for (const ParticipantId rank : {1u, 2u}) made.reduce(rank, 0, 0);
  made.copy(0, 2, 0);
  made.copy(2, 1, 0);
  made.order_conflicts();
  made.schedule.ops[1].chunk_count = 0;  // rank 2 is not added
  made.schedule.ops[1].kind = OpKind::copy;
  const Measurement run = by_mpi(made.build(), 3);
  REQUIRE(run.wrong);
  CHECK(run.wrong->rank == 0);
  CHECK(run.wrong->element == 0);
  CHECK(run.wrong->found < run.wrong->expected);
  CHECK(run.times.size() == 1);
}

TEST_CASE("MPI's own function is timed beside it where MPI has one") {
  const Measurement run = by_mpi(two_reduces(3), 2, true);
  CHECK(fault_of(run) == "");
  CHECK(run.workers == "3 processes");
  REQUIRE(run.library);
  CHECK(run.library->name == "MPI_Reduce of " + MpiSession::library());
  CHECK(run.library->times.size() == 2);
  HandMade half({CollectiveKind::allreduce, 2, {4}, "float16"}, 1);
  half.reduce(1, 0, 0);
  half.copy(0, 1, 0);
  half.order_conflicts();
  const Measurement none = by_mpi(half.build(), 1, true);
  CHECK(!none.library);
  CHECK(none.notes == std::vector<std::string>{"not beside MPI_Allreduce: MPI has no float16"});
}

TEST_CASE("what messages between processes cannot do is refused before it runs") {
  HandMade group(collective_of(CollectiveKind::broadcast, 4, 8), 1);
  group.schedule.groups = {{0, 1, 2, 3}};
  group.copy(0, kGroupBit | 0u, 0);
  CHECK(refusal_of([&] { by_mpi(group.build()); }).find("choose a strategy without groups") !=
        std::string::npos);
  HandMade stranger(collective_of(CollectiveKind::broadcast, 4, 8), 1);
  stranger.copy(0, 1, 0);
  stranger.signal(2, 3);
  stranger.edge(0, 1);
  CHECK(refusal_of([&] {
          by_mpi(stranger.build());
        }).find("of which none of its participants knows; let a signal tell it") !=
        std::string::npos);
  HandMade relaxed(collective_of(CollectiveKind::broadcast, 2, 8), 1);
  relaxed.copy(0, 1, 0);
  relaxed.schedule.buffers[0].relaxed = true;
  CHECK(refusal_of([&] { by_mpi(relaxed.build()); }).find("use the host executor") !=
        std::string::npos);
  CHECK(refusal_of([&] { by_mpi(two_reduces(6)); }) ==
        "mpirun: the schedule is run by 6 ranks, a process each, and 5 are not enough; start "
        "\"mpirun -n 6 syncsim execute ...\"");
}

}  // namespace syncsim::testing::real_runs_test
