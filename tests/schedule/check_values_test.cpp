// Every holder ends with its own chunk, every contributor in it exactly once.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_values_test {
namespace {

// Of both modes, which must agree.
Violation violation_of(const Schedule& schedule) {
  const auto exact = check(schedule, {CheckMode::exact});
  const auto fingerprint = check(schedule, {CheckMode::fingerprint});
  REQUIRE(exact);
  REQUIRE(fingerprint);
  CHECK(exact->message == fingerprint->message);
  CHECK(exact->kind == fingerprint->kind);
  return *exact;
}

// Three ranks add to rank 0, which sends the sum to two of them and to rank 3 last.
HandMade star(CollectiveKind kind = CollectiveKind::allreduce) {
  HandMade made(collective_of(kind, 4, 4), 1);
  for (ParticipantId rank = 1; rank < 4; ++rank) made.reduce(rank, 0, 0);
  for (ParticipantId rank = 1; rank < 4; ++rank) made.copy(0, rank, 0);
  return made;
}

Schedule ordered(HandMade made) {
  made.edges.clear();
  made.order_conflicts();
  return made.build();
}

void remove_op(HandMade& made, std::ptrdiff_t op) {
  made.schedule.ops.erase(made.schedule.ops.begin() + op);
}

}  // namespace

TEST_CASE("a contribution that is left out is named, with the rank and chunk that miss it") {
  HandMade made = star();
  remove_op(made, 1);
  const Violation violation = violation_of(ordered(made));
  CHECK(violation.kind == Violation::Kind::missing);
  CHECK(violation.message ==
        "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 2 (gpu2); allreduce "
        "needs those of all 4 ranks");
  CHECK(violation.participant == 0);
  CHECK(violation.chunk == 0);
}

TEST_CASE("a rank that does not get the result is named") {
  HandMade made = star();
  remove_op(made, 5);
  CHECK(violation_of(ordered(made)).message ==
        "data chunk 0 at rank 3 (gpu3) ends without the contribution of rank 0 (gpu0); allreduce "
        "needs those of all 4 ranks");
}

TEST_CASE("a contribution that is added twice is named") {
  HandMade made = star();
  made.schedule.ops.insert(made.schedule.ops.begin() + 2, made.schedule.ops[1]);
  const Violation violation = violation_of(ordered(made));
  CHECK(violation.kind == Violation::Kind::doubled);
  CHECK(violation.message ==
        "data chunk 0 at rank 0 (gpu0) gets the contribution of rank 2 (gpu2) to data chunk 0 "
        "twice; a sum takes each once: op 2: reduce of data chunk 0 from rank 2 (gpu2) to rank 0 "
        "(gpu0), channel 0, phase work");
  CHECK(violation.participant == 0);
  CHECK(violation.op == 2);
}

TEST_CASE("a double contribution is found even where its sum is never used") {
  // Rank 1 adds rank 2's data twice, then gets the result.
  HandMade made = star();
  made.schedule.ops.insert(made.schedule.ops.begin() + 3, 2, made.schedule.ops[1]);
  made.schedule.ops[3].destination = made.schedule.ops[4].destination = 1;
  CHECK(violation_of(ordered(made)).kind == Violation::Kind::doubled);
}

TEST_CASE("a reduce whose sum is never used does no harm") {
  HandMade made = star();
  made.schedule.ops.insert(made.schedule.ops.begin() + 3, made.schedule.ops[1]);
  made.schedule.ops[3].destination = 1;
  CHECK_FALSE(check(ordered(made), {CheckMode::exact}));
  CHECK_FALSE(check(ordered(made), {CheckMode::fingerprint}));
}

TEST_CASE("multiplicities that wrap a 64-bit sum around are still found") {
  // Two scratch cells add each other in turn: rank 1 is counted by growing Fibonacci numbers.
  HandMade made(collective_of(CollectiveKind::reduce, 2, 1), 1);
  const std::uint8_t a = made.buffer(even_buffer("a", 1));
  const std::uint8_t b = made.buffer(even_buffer("b", 1));
  made.add(OpKind::copy, 1, {0, 0}, 1, {a, 0});
  made.add(OpKind::copy, 1, {0, 0}, 1, {b, 0});
  for (int i = 0; i < 64; ++i) {
    made.add(OpKind::reduce, 1, {a, 0}, 1, {b, 0});
    made.add(OpKind::copy, 1, {b, 0}, 1, {a, 0});
  }
  made.add(OpKind::reduce, 1, {b, 0}, 0, {0, 0});
  made.reduce(1, 0, 0);
  const Violation violation = violation_of(ordered(made));
  CHECK(violation.kind == Violation::Kind::doubled);
  CHECK(violation.op == 2);
}

TEST_CASE("values of two chunks are not added") {
  // Rank 1's chunks are added crosswise: both sums have the right ranks, of the wrong chunks.
  HandMade made(collective_of(CollectiveKind::reduce, 2, 2), 2);
  made.add(OpKind::reduce, 1, {0, 0}, 0, {0, 1});
  made.add(OpKind::reduce, 1, {0, 1}, 0, {0, 0});
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::origin);
  CHECK(
      violation.message ==
      "data chunk 1 at rank 0 (gpu0) holds values of data chunk 1, and values of data chunk 0 are "
      "added to them; a sum is of one chunk: op 0: reduce of data chunk 0 from rank 1 (gpu1) into "
      "data chunk 1 of rank 0 (gpu0), channel 0, phase work");
}

TEST_CASE("a result that is put in the wrong place is told from a missing one") {
  // Rank 1's copies of the two chunks are swapped.
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 2), 2);
  made.add(OpKind::copy, 0, {0, 0}, 1, {0, 1});
  made.add(OpKind::copy, 0, {0, 1}, 1, {0, 0});
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::origin);
  CHECK(violation.message ==
        "data chunk 0 at rank 1 (gpu1) ends with values of data chunk 1; broadcast must leave its "
        "own there");
}

TEST_CASE("a schedule for another root misses what the right one needs") {
  HandMade to_root = star(CollectiveKind::reduce);
  CHECK_FALSE(check(ordered(to_root)));
  to_root.schedule.ops.resize(3);
  to_root.schedule.collectives[0].collective.root = 1;
  CHECK(
      violation_of(ordered(to_root)).message ==
      "data chunk 0 at rank 1 (gpu1) ends without the contribution of rank 0 (gpu0); reduce needs "
      "those of all 4 ranks");

  HandMade from_root(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  from_root.copy(0, 1, 0);
  from_root.copy(0, 2, 0);
  CHECK_FALSE(check(ordered(from_root)));
  from_root.schedule.collectives[0].collective.root = 1;
  CHECK(violation_of(ordered(from_root)).message ==
        "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 1 (gpu1); broadcast "
        "needs those of rank 1 (gpu1)");
}

TEST_CASE("only contributors hold data at first: others add nothing and take what comes") {
  // Broadcast by adding: the other ranks' cells are empty.
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  made.reduce(0, 1, 0);
  made.reduce(1, 2, 0);
  CHECK_FALSE(check(ordered(made)));
  // Rank 2 is empty: adding it changes nothing, copying it takes the result away.
  made.schedule.ops.insert(made.schedule.ops.begin() + 1, made.schedule.ops[1]);
  made.schedule.ops[1].source = 2;
  made.schedule.ops[1].destination = 1;
  CHECK_FALSE(check(ordered(made)));
  made.schedule.ops[1].kind = OpKind::copy;
  CHECK(violation_of(ordered(made)).message ==
        "data chunk 0 at rank 1 (gpu1) ends without the contribution of rank 0 (gpu0); broadcast "
        "needs those of rank 0 (gpu0)");
}

TEST_CASE("through a relaxed buffer each push is applied once, and pulls take what is there") {
  // Three workers push to a server and pull; each pull comes before the next worker's push.
  HandMade made(collective_of(CollectiveKind::allreduce, 3, 1), 1);
  const ParticipantId server = made.helper("server0");
  const std::uint8_t parameters = made.buffer(even_buffer("parameters", 1));
  made.schedule.buffers[parameters].relaxed = true;
  for (ParticipantId worker = 0; worker < 3; ++worker) {
    const OpId push = made.add(OpKind::reduce, worker, {0, 0}, server, {parameters, 0});
    made.edge(push, made.add(OpKind::copy, server, {parameters, 0}, worker, {0, 0}));
  }
  CHECK_FALSE(check(made.build()));

  HandMade strict = made;
  strict.schedule.buffers[parameters].relaxed = false;
  CHECK(violation_of(strict.build()).kind == Violation::Kind::race);

  HandMade twice = made;
  twice.add(OpKind::reduce, 1, {0, 0}, server, {parameters, 0});
  twice.edge(3, 6);
  CHECK(violation_of(twice.build()).kind == Violation::Kind::doubled);

  HandMade never = made;  // worker 2 pushes elsewhere
  never.schedule.ops[4].destination_buffer = never.buffer(even_buffer("elsewhere", 1));
  const Violation violation = violation_of(never.build());
  CHECK(violation.kind == Violation::Kind::missing);
  CHECK(violation.message ==
        "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 1 (gpu1); allreduce "
        "needs those of all 3 ranks");

  HandMade outside = made;  // worker 0 keeps its own data, which no relaxed buffer excuses
  outside.schedule.ops[1] = outside.schedule.ops[0];
  outside.schedule.ops[1].chunk_count = 0;
  CHECK(violation_of(outside.build()).kind == Violation::Kind::missing);
}

}  // namespace syncsim::testing::check_values_test
