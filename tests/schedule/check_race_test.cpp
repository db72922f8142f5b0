// Of two accesses to a cell, one of them a write, one must come first.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_race_test {
namespace {

Violation violation_of(const Schedule& schedule, const CheckOptions& options = {}) {
  const auto violation = check(schedule, options);
  REQUIRE(violation);
  return *violation;
}

// From rank 0 to rank 1 and on to rank 2: the second copy reads what the first one writes.
HandMade chain() {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  made.copy(0, 1, 0);
  made.copy(1, 2, 0);
  return made;
}

// `writers` ranks add to rank 0 and `readers` copies of the sum leave it, with a join between.
HandMade fan(std::uint32_t ranks) {
  HandMade made(collective_of(CollectiveKind::allreduce, static_cast<int>(ranks), 1), 1);
  for (ParticipantId rank = 1; rank < ranks; ++rank) made.reduce(rank, 0, 0);
  const OpId join = made.join(0);
  for (OpId op = 0; op < join; ++op) made.edge(op, join);
  for (ParticipantId rank = 1; rank < ranks; ++rank) made.edge(join, made.copy(0, rank, 0));
  return made;
}

}  // namespace

TEST_CASE("a read that no edge puts after the write is a race") {
  HandMade made = chain();
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::race);
  CHECK(
      violation.message ==
      "race on data chunk 0 at rank 1 (gpu1): overwritten by one op and read by another, and no "
      "edges or lanes order them: op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), "
      "channel 0, phase work; op 1: copy of data chunk 0 from rank 1 (gpu1) to rank 2 (gpu2), "
      "channel 0, phase work");
  CHECK(violation.participant == 1);
  CHECK(violation.chunk == 0);
  CHECK(violation.op == 1);
  made.edge(0, 1);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("two copies into one cell race unless a lane or an edge orders them") {
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1), 1);
  made.copy(0, 1, 0);
  made.copy(0, 1, 0);
  CHECK_FALSE(check(made.build()));
  made.on_channel(1);
  CHECK(violation_of(made.build()).message ==
        "race on data chunk 0 at rank 1 (gpu1): overwritten by one op and overwritten by another, "
        "and no edges or lanes order them: op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 "
        "(gpu1), channel 0, phase work; op 1: copy of data chunk 0 from rank 0 (gpu0) to rank 1 "
        "(gpu1), channel 1, phase work");
  made.edge(0, 1);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("a copy and a reduce into one cell race") {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  made.copy(0, 1, 0);
  made.copy(0, 2, 0);
  made.reduce(2, 1, 0);
  made.edge(1, 2);
  CHECK(violation_of(made.build()).message ==
        "race on data chunk 0 at rank 1 (gpu1): overwritten by one op and added to by another, and "
        "no edges or lanes order them: op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 "
        "(gpu1), channel 0, phase work; op 2: reduce of data chunk 0 from rank 2 (gpu2) to rank 1 "
        "(gpu1), channel 0, phase work");
}

TEST_CASE("overwriting what an unordered op still reads is a race") {
  // Rank 1's sum is copied over rank 0's data, which rank 1 reads in op 0.
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 1), 1);
  made.reduce(0, 1, 0);
  made.copy(1, 0, 0);
  CHECK(violation_of(made.build()).kind == Violation::Kind::race);
  made.edge(0, 1);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("reduces into one cell commute - whoever reads the sum comes after all of them") {
  HandMade made(collective_of(CollectiveKind::reduce, 4, 1), 1);
  made.reduce(2, 1, 0);
  made.reduce(3, 1, 0);
  made.reduce(1, 0, 0);
  made.edge(1, 2);
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::race);
  CHECK(violation.message ==
        "race on data chunk 0 at rank 1 (gpu1): added to by one op and read by another, and no "
        "edges or lanes order them: op 0: reduce of data chunk 0 from rank 2 (gpu2) to rank 1 "
        "(gpu1), channel 0, phase work; op 2: reduce of data chunk 0 from rank 1 (gpu1) to rank 0 "
        "(gpu0), channel 0, phase work");
  made.edge(0, 2);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("every reduce of a group follows the reads before the group, not only the first") {
  // Rank 1's data is read by op 0; ops 1 and 2 add to it, op 2 without waiting.
  HandMade made(collective_of(CollectiveKind::reduce, 4, 1), 1);
  made.reduce(1, 0, 0);
  made.reduce(2, 1, 0);
  made.reduce(3, 1, 0);
  made.edge(0, 1);
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::race);
  CHECK(violation.op == 2);
}

TEST_CASE("a join between many writers and many readers orders all pairs, and no fewer") {
  HandMade made = fan(40);
  CHECK_FALSE(check(made.build()));
  // Without writer 17's edge into the join; without the join's edge to the reader of rank 23.
  HandMade late = made;
  std::erase(late.edges, HandMade::Edge{16, 39});
  CHECK(violation_of(late.build()).message ==
        "race on data chunk 0 at rank 0 (gpu0): added to by one op and read by another, and no "
        "edges or lanes order them: op 16: reduce of data chunk 0 from rank 17 (gpu17) to rank 0 "
        "(gpu0), channel 0, phase work; op 40: copy of data chunk 0 from rank 0 (gpu0) to rank 1 "
        "(gpu1), channel 0, phase work");
  HandMade early = made;
  std::erase(early.edges, HandMade::Edge{39, 62});
  const Violation violation = violation_of(early.build());
  CHECK(violation.kind == Violation::Kind::race);
  CHECK(violation.op == 62);
}

TEST_CASE("a join after some of the writers does not stand for all of them") {
  // Ops 0 and 1 lead to the join, op 2 straight to the first reader and not to the second.
  HandMade made(collective_of(CollectiveKind::allreduce, 6, 1), 1);
  made.schedule.collectives.clear();
  for (ParticipantId rank = 1; rank < 4; ++rank) made.reduce(rank, 0, 0);
  const OpId join = made.join(0);
  made.edge(0, join);
  made.edge(1, join);
  const OpId first = made.copy(0, 4, 0);
  made.edge(join, first);
  made.edge(2, first);
  made.edge(join, made.copy(0, 5, 0));
  CHECK(violation_of(made.build()).message ==
        "race on data chunk 0 at rank 0 (gpu0): added to by one op and read by another, and no "
        "edges or lanes order them: op 2: reduce of data chunk 0 from rank 3 (gpu3) to rank 0 "
        "(gpu0), channel 0, phase work; op 5: copy of data chunk 0 from rank 0 (gpu0) to rank 5 "
        "(gpu5), channel 0, phase work");
}

TEST_CASE("an earlier op of a writer's lane does not stand for the writer") {
  // Op 1 follows op 0 and precedes op 2 on its lane; the second reader waits for op 1 only.
  HandMade made(collective_of(CollectiveKind::allreduce, 5, 1), 1);
  made.schedule.collectives.clear();
  made.reduce(1, 0, 0);
  made.signal(2, 0);
  made.reduce(2, 0, 0);
  made.copy(0, 3, 0);
  made.copy(0, 4, 0);
  made.edges = {{0, 1}, {1, 3}, {2, 3}, {1, 4}};
  CHECK(violation_of(made.build()).message ==
        "race on data chunk 0 at rank 0 (gpu0): added to by one op and read by another, and no "
        "edges or lanes order them: op 2: reduce of data chunk 0 from rank 2 (gpu2) to rank 0 "
        "(gpu0), channel 0, phase work; op 4: copy of data chunk 0 from rank 0 (gpu0) to rank 4 "
        "(gpu4), channel 0, phase work");
}

TEST_CASE("a later group of reduces follows the reads right before it, not those of the first") {
  // Rank 1's cell: read (0), added to (1), read (2), added to (3) and (4); op 4 follows op 0 only.
  HandMade made(collective_of(CollectiveKind::allreduce, 4, 1), 1);
  made.schedule.collectives.clear();
  made.reduce(1, 0, 0);
  made.reduce(2, 1, 0);
  made.reduce(1, 0, 0);
  made.reduce(2, 1, 0);
  made.reduce(3, 1, 0);
  made.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}};
  const Violation violation = violation_of(made.build());
  CHECK(violation.kind == Violation::Kind::race);
  CHECK(violation.op == 4);
  made.edge(2, 4);
  CHECK_FALSE(check(made.build()));
}

TEST_CASE("two ops are ordered through any mix of edges and lanes") {
  // 0 -> 1 by an edge, 1 before 2 on their lane, 2 -> 3 by an edge.
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 2), 2);
  made.copy(0, 1, 0);
  made.copy(1, 2, 1);
  made.copy(1, 2, 1);
  made.copy(0, 1, 0);
  made.on_channel(1);
  made.edge(0, 1);
  made.edge(2, 3);
  made.schedule.collectives.clear();
  CHECK_FALSE(check(made.build()));
  made.edges.pop_back();
  CHECK(violation_of(made.build()).kind == Violation::Kind::race);
}

TEST_CASE("a search that spends its budget refuses the schedule") {
  // Op 0 comes before the last op through 20 joins.
  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1), 1);
  made.copy(0, 1, 0);
  for (OpId join = 1; join <= 20; ++join) made.edge(join - 1, made.join(0));
  made.edge(20, made.copy(0, 1, 0));
  made.on_channel(1);
  CHECK_FALSE(check(made.build(), {CheckMode::exact, 20}));
  const Violation violation = violation_of(made.build(), {CheckMode::exact, 19});
  CHECK(violation.kind == Violation::Kind::budget);
  CHECK(violation.message ==
        "data chunk 0 at rank 1 (gpu1): the order of two ops could not be proved within 19 steps, "
        "so the schedule is refused; add an edge from one to the other: op 0: copy of data chunk 0 "
        "from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work; op 21: copy of data chunk 0 "
        "from rank 0 (gpu0) to rank 1 (gpu1), channel 1, phase work");
}

TEST_CASE("cells of a relaxed buffer are exempt from ordering, others are not") {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  const std::uint8_t scratch = made.buffer(even_buffer("scratch", 1));
  made.add(OpKind::copy, 0, {0, 0}, 1, {scratch, 0});
  made.add(OpKind::copy, 0, {0, 0}, 1, {scratch, 0});
  made.on_channel(1);
  made.schedule.collectives.clear();
  CHECK(violation_of(made.build()).message.starts_with("race on scratch chunk 0 at rank 1"));
  made.schedule.buffers[scratch].relaxed = true;
  CHECK_FALSE(check(made.build()));
  made.copy(0, 1, 0);
  made.copy(1, 2, 0);
  CHECK(violation_of(made.build()).message.starts_with("race on data chunk 0 at rank 1"));
}

}  // namespace syncsim::testing::check_race_test
