// Node lists of small schedules, whole; and what planned graphs do, run in host memory.

#include "sim/exec/cuda/graph_plan.h"

#include "tests/support/graph_runs.h"
#include "tests/support/real_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::graph_plan_test {
namespace {

// Rank 1 is added to rank 0, which gives the sum back: 64 bytes.
HandMade pair() {
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 64), 1);
  made.reduce(1, 0, 0);
  made.copy(0, 1, 0);
  made.edge(0, 1);
  return made;
}

// A ring on 4 ranks: each chunk of 16 bytes goes around, added up, and around again.
Schedule ring() {
  HandMade made(collective_of(CollectiveKind::allreduce, 4, 64), 4);
  for (std::uint32_t step = 0; step < 6; ++step)
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      const std::uint32_t chunk = (rank + 8 - step) % 4;
      const ParticipantId next = (rank + 1) % 4;
      const OpId op = step < 3 ? made.reduce(rank, next, chunk) : made.copy(rank, next, chunk);
      if (step > 0) made.edge(4 * (step - 1) + (rank + 3) % 4, op);
    }
  return made.build();
}

std::string plan_text(const Schedule& schedule, int devices, bool peers = true) {
  return text_of(Planned(schedule, made_up_devices(devices, peers)).plan);
}

}  // namespace

TEST_CASE("two ranks of one device: a kernel adds, a copy stays in its memory") {
  CHECK(plan_text(pair().build(), 1) ==
        "0 add 1:64 to 1:0 of 64 B on 1\n"
        "1 copy 1:0 to 1:64 of 64 B on 1 after 0\n");
}

TEST_CASE("peers: the destination's device reads the other's memory") {
  CHECK(plan_text(pair().build(), 2) ==
        "0 add 2:0 to 1:0 of 64 B on 1\n"
        "1 copy 1:0 to 2:0 of 64 B on 2 after 0\n");
  const GraphPlan plan = Planned(pair().build(), made_up_devices(2)).plan;
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(plan.mapped == Pairs{{1, 2}, {2, 1}});
  CHECK(plan.staged == Pairs{});
}

TEST_CASE("no peers: up to pinned host memory first, a lane each its own") {
  CHECK(plan_text(pair().build(), 2, false) ==
        "0 copy 2:0 to 0:0 of 64 B on 2\n"
        "1 add 0:0 to 1:0 of 64 B on 1 after 0\n"
        "2 copy 1:0 to 0:64 of 64 B on 1 after 1\n"
        "3 copy 0:64 to 2:0 of 64 B on 2 after 2\n");
  const Measurement run = planned(pair().build(), made_up_devices(2, false));
  CHECK(run.notes[2] ==
        "staged through pinned host memory, as there is no peer access: device 0 to 1, 1 to 0");
}

TEST_CASE("a CPU adds what was copied to its memory, and devices take from there") {
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 64), 1);
  const ParticipantId cpu = made.helper("cpu0");
  const std::uint8_t kept = made.buffer(even_buffer("kept", 1, 64));
  for (ParticipantId rank = 0; rank < 2; ++rank)
    made.add(OpKind::reduce, rank, {0, 0}, cpu, {0, 0});
  made.add(OpKind::copy, cpu, {0, 0}, cpu, {kept, 0});
  for (ParticipantId rank = 0; rank < 2; ++rank)
    made.add(OpKind::copy, cpu, {kept, 0}, rank, {0, 0});
  made.order_conflicts();
  CHECK(plan_text(made.build(), 1) ==
        "0 copy 1:0 to 0:128 of 64 B on 1\n"
        "1 host add 0:128 to 0:0 of 64 B on 1 after 0\n"
        "2 copy 1:64 to 0:192 of 64 B on 1 after 1\n"  // into one range: one after the other
        "3 host add 0:192 to 0:0 of 64 B on 1 after 2\n"
        "4 host copy 0:0 to 0:64 of 64 B on 1 after 1 3\n"
        "5 copy 0:64 to 1:0 of 64 B on 1 after 1 4\n"
        "6 copy 0:64 to 1:64 of 64 B on 1 after 3 4\n");
  CHECK(fault_of(planned(made.build(), made_up_devices(2))) == "");
}

TEST_CASE("the ring: one node an op, and two where a hop is staged") {
  const Schedule schedule = ring();
  for (const int devices : {1, 2, 4}) {
    const GraphPlan direct = Planned(schedule, made_up_devices(devices)).plan;
    CHECK(direct.nodes.size() == 24);
    CHECK(std::count_if(direct.nodes.begin(), direct.nodes.end(), [](const GraphNode& node) {
            return node.action == NodeAction::add;
          }) == 12);
    const GraphPlan staged = Planned(schedule, made_up_devices(devices, false)).plan;
    CHECK(staged.nodes.size() == (devices == 1 ? 24 : 48));  // every neighbour is on another one
    CHECK(staged.bytes[kHostPlace] == (devices == 1 ? 0 : 4 * 64));  // a lane a rank
    for (const bool peers : {true, false})
      CHECK(fault_of(planned(schedule, made_up_devices(devices, peers))) == "");
  }
}

TEST_CASE("signals, joins and empty transfers are empty nodes that order") {
  HandMade made = pair();
  made.edge(1, made.signal(1, 0));
  made.edge(2, made.join(0));
  CHECK(plan_text(made.build(), 2) ==
        "0 add 2:0 to 1:0 of 64 B on 1\n"
        "1 copy 1:0 to 2:0 of 64 B on 2 after 0\n"
        "2 none on 1 after 0 1\n"  // its lane's first is the reduce
        "3 none on 1 after 2\n");
}

TEST_CASE("a compute spins, and copies what it produces from where it waits ready") {
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 64), 1);
  made.schedule.durations = {{5'000'000}};
  for (ParticipantId rank = 0; rank < 2; ++rank) {
    made.compute(rank);
    made.schedule.ops.back().access = Access::produces;
    made.schedule.ops.back().chunk_count = 1;
  }
  made.reduce(1, 0, 0);
  made.copy(0, 1, 0);
  made.edge(0, 2);
  made.edge(1, 2);
  made.edge(2, 3);
  const Schedule schedule = made.build();
  CHECK(plan_text(schedule, 2) ==
        "0 spin on 1\n"
        "1 copy 1:64 to 1:0 of 64 B on 1 after 0\n"
        "2 spin on 2\n"
        "3 copy 2:64 to 2:0 of 64 B on 2 after 2\n"
        "4 add 2:0 to 1:0 of 64 B on 1 after 1 3\n"
        "5 copy 1:0 to 2:0 of 64 B on 2 after 4\n");
  CHECK(fault_of(planned(schedule, made_up_devices(2))) == "");
}

TEST_CASE("a group: side by side where it copies, one after the other where it adds") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, 64), 1);
  made.schedule.groups = {{0, 1, 2}};
  made.reduce(kGroupBit | 0u, 0, 0);
  made.copy(0, kGroupBit | 0u, 0);
  made.edge(0, 1);
  CHECK(plan_text(made.build(), 1) ==
        "0 none on 1\n"
        "1 add 1:64 to 1:0 of 64 B on 1 after 0\n"
        "2 add 1:128 to 1:0 of 64 B on 1 after 1\n"
        "3 none on 1 after 1 2\n"
        "4 none on 1 after 3\n"
        "5 copy 1:0 to 1:64 of 64 B on 1 after 4\n"
        "6 copy 1:0 to 1:128 of 64 B on 1 after 4\n"
        "7 none on 1 after 5 6\n");
}

TEST_CASE("stamps stand around each op's own nodes, and what waited for it waits for the last") {
  HandMade made = pair();
  made.edge(1, made.join(1));
  const GraphPlan plan = Planned(made.build(), made_up_devices(2, false)).plan;
  CHECK(text_of(with_stamps(plan)) ==
        "0 stamp 0 on 2\n"
        "1 copy 2:0 to 0:0 of 64 B on 2 after 0\n"
        "2 add 0:0 to 1:0 of 64 B on 1 after 1\n"
        "3 stamp 1 on 1 after 2\n"
        "4 stamp 2 on 1 after 3\n"
        "5 copy 1:0 to 0:64 of 64 B on 1 after 4\n"
        "6 copy 0:64 to 2:0 of 64 B on 2 after 5\n"
        "7 stamp 3 on 2 after 6\n"
        "8 stamp 5 on 2 after 7\n");
}

TEST_CASE("pushes into a relaxed buffer and pulls out of it take turns") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, 64), 1);
  const ParticipantId server = made.helper("cpu0");
  Buffer store = even_buffer("store", 1, 64);
  store.relaxed = true;
  const std::uint8_t kept = made.buffer(store);
  for (ParticipantId rank = 0; rank < 3; ++rank)
    made.add(OpKind::reduce, rank, {0, 0}, server, {kept, 0});
  for (ParticipantId rank = 0; rank < 3; ++rank) {
    made.add(OpKind::copy, server, {kept, 0}, rank, {0, 0});
    made.edge(rank, 3 + rank);
  }
  const Schedule schedule = made.build();
  CHECK(unordered_conflict(Planned(schedule, made_up_devices(3)).plan) == "");
  CHECK(fault_of(planned(schedule, made_up_devices(3))) == "");
}

TEST_CASE("a reduce that is missing is found in the data") {
  HandMade made = pair();
  made.schedule.ops[0].chunk_count = 0;
  const Measurement run = planned(made.build(), made_up_devices(2));
  REQUIRE(run.wrong);
  CHECK(run.wrong->rank == 0);
  CHECK(run.times.size() == 1);
  CHECK(run.timeline.ops.size() == 2);
}

TEST_CASE("ops that wait for each other never become a graph") {
  HandMade made = pair();
  made.edge(1, 0);
  const std::string failure = failure_of([&] { planned(made.build(), made_up_devices(2)); });
  CHECK(failure.starts_with("the schedule cannot run: "));
}

TEST_CASE("a graph of too many nodes is refused with advice") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 64), 1);
  made.schedule.ops.resize(kMostGraphNodes + 1);
  for (Op& op : made.schedule.ops) op.destination = 1;
  const Schedule schedule = made.build();
  CHECK(refusal_of([&] { Planned(schedule, made_up_devices(2)); }) ==
        "the schedule of 1000001 ops makes more than the 1000000 nodes that a graph takes; choose "
        "fewer chunks or ranks");
}

}  // namespace syncsim::testing::graph_plan_test
