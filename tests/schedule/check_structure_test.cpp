// Whatever means nothing is refused, with the thing, the rule and what would be right.

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_structure_test {
namespace {

// Rank 1's two chunks are added to rank 0's and the sum is copied back; lanes and edges 0 -> 1.
Schedule sound() {
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 8), 2);
  made.reduce(1, 0, 0, 2);
  made.copy(0, 1, 0, 2);
  made.edge(0, 1);
  return made.build();
}

std::string message(const Schedule& schedule) {
  const auto violation = check(schedule);
  REQUIRE(violation);
  CHECK(violation->kind == Violation::Kind::structure);
  return violation->message;
}

std::string after(const std::function<void(Schedule&)>& change) {
  Schedule schedule = sound();
  change(schedule);
  return message(schedule);
}

}  // namespace

TEST_CASE("the schedule that the cases below break is sound") { CHECK_FALSE(check(sound())); }

TEST_CASE("an op's indices exist") {
  CHECK(after([](Schedule& s) { s.ops[0].source = 7; }) ==
        "op 0: reduce of data chunks 0-1 from participant 7 to rank 0 (gpu0), channel 0, phase "
        "work: source participant 7 does not exist; there are 2");
  CHECK(after([](Schedule& s) { s.ops[1].destination = 2; }) ==
        "op 1: copy of data chunks 0-1 from rank 0 (gpu0) to participant 2, channel 0, phase work: "
        "destination participant 2 does not exist; there are 2");
  CHECK(after([](Schedule& s) { s.ops[1].channel = 3; }) ==
        "op 1: copy of data chunks 0-1 from rank 0 (gpu0) to rank 1 (gpu1), channel 3, phase work: "
        "channel 3 does not exist; there is 1");
  CHECK(after([](Schedule& s) { s.ops[1].phase = 1; }) ==
        "op 1: copy of data chunks 0-1 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase 1: "
        "phase 1 does not exist; there is 1");
  CHECK(after([](Schedule& s) { s.ops[1].source_buffer = 4; }) ==
        "op 1: copy of buffer 4 chunks 0-1 from rank 0 (gpu0) into data chunks 0-1 of rank 1 "
        "(gpu1), channel 0, phase work: source buffer 4 does not exist; there is 1");
  CHECK(after([](Schedule& s) { s.ops[1].destination_chunk = 1; }) ==
        "op 1: copy of data chunks 0-1 from rank 0 (gpu0) into data chunks 1-2 of rank 1 (gpu1), "
        "channel 0, phase work: destination chunk 2 does not exist; buffer data has 2");
  CHECK(after([](Schedule& s) { s.ops[1].source_chunk = s.ops[1].chunk_count = 0xffffffffu; }) ==
        "op 1: copy of data chunks 4294967295-8589934589 from rank 0 (gpu0) into data chunks "
        "0-4294967294 of rank 1 (gpu1), channel 0, phase work: source chunk 4294967295 does not "
        "exist; buffer data has 2");
}

TEST_CASE("kinds and accesses are known") {
  CHECK(after([](Schedule& s) { s.ops[1].kind = static_cast<OpKind>(4); }) ==
        "op 1: op of kind 4, channel 0, phase work: this kind is unknown; kinds are 0 to 3");
  CHECK(after([](Schedule& s) { s.ops[0].access = static_cast<Access>(4); }) ==
        "op 0: reduce of data chunks 0-1 from rank 1 (gpu1) to rank 0 (gpu0), channel 0, phase "
        "work: access 4 is unknown; write 0 to 3");
  CHECK(after([](Schedule& s) { s.ops[0].access = Access::reads; }) ==
        "op 0: reduce of data chunks 0-1 from rank 1 (gpu1) to rank 0 (gpu0), channel 0, phase "
        "work: access 1 is of compute ops alone; write 0");
}

TEST_CASE("compute ops and joins stay at one participant, and durations exist") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1), 1);
  made.join(0);
  made.schedule.ops[0].destination = 1;
  CHECK(
      message(made.build()) ==
      "op 0: join at rank 0 (gpu0), phase work: it leads from rank 0 (gpu0) to rank 1 (gpu1); its "
      "source and destination must be the same");
  made.schedule.ops.clear();
  made.compute(0);
  made.schedule.ops[0].source_chunk = 1;
  CHECK(message(made.build()) ==
        "op 0: compute of duration 1 at rank 0 (gpu0), channel 0, phase work: duration 1 does not "
        "exist; there is 1");
  made.schedule.durations[0].ps = -3;
  CHECK(message(made.build()) == "a duration of -3 ps is negative");
}

TEST_CASE("chunks match in size one by one, not only in sum") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 8), 2);
  Buffer uneven = even_buffer("scratch", 2, 4);
  uneven.boundaries[1] = 5;
  const std::uint8_t scratch = made.buffer(uneven);
  made.add(OpKind::copy, 0, {0, 0}, 1, {scratch, 0}, 2);
  CHECK(
      message(made.build()) ==
      "op 0: copy of data chunks 0-1 from rank 0 (gpu0) into scratch chunks 0-1 of rank 1 (gpu1), "
      "channel 0, phase work: data chunk 0 has 4 B and scratch chunk 0 has 5 B; chunks must match "
      "in size one by one");
}

TEST_CASE("an op does not write what it reads") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 3), 3);
  made.add(OpKind::reduce, 0, {0, 1}, 0, {0, 1});
  CHECK(message(made.build()) ==
        "op 0: reduce of data chunk 1 from rank 0 (gpu0) to rank 0 (gpu0), channel 0, phase work: "
        "it writes data chunk 1, which it reads; source and destination must not overlap");
  made.schedule.ops.clear();
  made.add(OpKind::copy, 0, {0, 0}, 0, {0, 1}, 2);
  CHECK(
      message(made.build()) ==
      "op 0: copy of data chunks 0-1 from rank 0 (gpu0) into data chunks 1-2 of rank 0 (gpu0), "
      "channel 0, phase work: it writes data chunk 1, which it reads; source and destination must "
      "not overlap");
}

TEST_CASE("an edge between ops that share no participant would be a free barrier") {
  HandMade made(collective_of(CollectiveKind::broadcast, 4, 1), 1);
  made.copy(0, 1, 0);
  made.copy(2, 3, 0);
  made.edge(0, 1);
  CHECK(
      message(made.build()) ==
      "edge from op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase "
      "work to op 1: copy of data chunk 0 from rank 2 (gpu2) to rank 3 (gpu3), channel 0, phase "
      "work: they share no participant, which would be a free barrier; send a signal from one to "
      "the other");
}

TEST_CASE("edges lead to ops, and their table is in order") {
  CHECK(after([](Schedule& s) { s.edges[0] = 9; }) == "op 0: an edge leads to op 9; there are 2");
  CHECK(after([](Schedule& s) {
          s.edges = {1, 0};
          s.ops[1].successors = 2;
        }) == "op 0: an edge to op 0 comes after one to op 1; an op's edges must ascend");
  CHECK(after([](Schedule& s) { s.ops[0].successors = 1; }) ==
        "op 0: its edges begin at 1; the first op's begin at 0");
  CHECK(after([](Schedule& s) { s.ops[1].successors = 5; }) ==
        "op 1: its edges begin at 5; there is 1");
  CHECK(after([](Schedule& s) {
          s.ops.push_back(s.ops[1]);
          s.ops[2].successors = 0;
        }) == "op 2: its edges begin at 0, before those of op 1 at 1; offsets must not descend");
  CHECK(after([](Schedule& s) { s.ops.clear(); }) == "edges without ops");
}

TEST_CASE("the tables of a schedule are sound") {
  CHECK(after([](Schedule& s) { s.ranks = 0; }) ==
        "the schedule has no ranks; it needs at least 1");
  CHECK(after([](Schedule& s) { s.participants.pop_back(); }) ==
        "2 ranks among 1 participant; every rank is a participant");
  CHECK(after([](Schedule& s) { s.buffers[0].boundaries = {}; }) ==
        "buffer data: its boundaries do not begin at 0");
  CHECK(after([](Schedule& s) {
          s.buffers[0].boundaries = {0, 8, 4};
        }) == "buffer data: boundary 4 comes after 8; boundaries must ascend");
  CHECK(after([](Schedule& s) { s.buffers.resize(257, s.buffers[0]); }) ==
        "257 buffers; at most 256");
}

TEST_CASE("a collective lies on chunks of its buffer that hold its bytes") {
  CHECK(after([](Schedule& s) { s.collectives[0].chunk_count = 3; }) ==
        "collective 0 (allreduce): chunk 2 does not exist; buffer data has 2");
  CHECK(after([](Schedule& s) { s.collectives[0].buffer = 1; }) ==
        "collective 0 (allreduce): buffer 1 does not exist; there is 1");
  CHECK(after([](Schedule& s) { s.collectives[0].chunk_count = 1; }) ==
        "collective 0 (allreduce): it is over 8 B; its chunks hold 4 B");
  CHECK(after([](Schedule& s) { s.collectives.push_back(s.collectives[0]); }) ==
        "collective 1 (allreduce): data chunk 0 belongs to collective 0 already; place collectives "
        "on disjoint chunks");
}

TEST_CASE("a collective is over the schedule's ranks and valid in itself") {
  CHECK(after([](Schedule& s) { s.collectives[0].collective.ranks = 3; }) ==
        "collective 0 (allreduce): it is over 3 ranks; the schedule has 2");
  CHECK(after([](Schedule& s) { s.collectives[0].collective.root = 2; }) ==
        "collective 0 (allreduce): root 2 is no rank; write a rank from 0 to 1");
  CHECK(after([](Schedule& s) {
          s.collectives[0].collective.kind = static_cast<CollectiveKind>(10);
        }) == "collective 0: kind 10 is unknown; kinds are 0 to 9");
}

TEST_CASE("where blocks matter, no chunk straddles two of them") {
  // Parts of 4 bytes; the second chunk is bytes 3 to 7.
  HandMade made(collective_of(CollectiveKind::reduce_scatter, 2, 8), 2);
  made.schedule.buffers[0].boundaries = {0, 3, 8};
  CHECK(message(made.build()) ==
        "collective 0 (reduce-scatter): data chunk 1 straddles blocks 0 and 1; cut chunks "
        "where blocks begin");
  CHECK(check(made.build())->chunk == 1);
}

}  // namespace syncsim::testing::check_structure_test
