// The checker against a brute-force oracle, on thousands of schedules that are nearly right.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/oracle.h"

namespace syncsim::testing::check_mutations_test {
namespace {

// mt19937 is the same everywhere, unlike the distributions.
class Dice {
 public:
  std::uint32_t below(std::size_t count) {
    return static_cast<std::uint32_t>(generator_() % count);
  }

 private:
  std::mt19937 generator_{20240607};
};

bool share(const Op& a, const Op& b) {
  return a.source == b.source || a.source == b.destination || a.destination == b.source ||
         a.destination == b.destination;
}

// Edges between ops that a mutation has moved apart would be refused as malformed.
void drop_barriers(HandMade& made) {
  const auto& ops = made.schedule.ops;
  std::erase_if(made.edges, [&](const auto& e) { return !share(ops[e.from], ops[e.to]); });
}

void drop_op(HandMade& made, OpId gone) {
  made.schedule.ops.erase(made.schedule.ops.begin() + gone);
  std::erase_if(made.edges, [&](const auto& e) { return e.from == gone || e.to == gone; });
  for (auto& edge : made.edges) {
    if (edge.from > gone) --edge.from;
    if (edge.to > gone) --edge.to;
  }
}

// The copy comes last, with the edges of the original.
void duplicate_op(HandMade& made, OpId original) {
  const auto copy = static_cast<OpId>(made.schedule.ops.size());
  made.schedule.ops.push_back(made.schedule.ops[original]);
  const std::vector<HandMade::Edge> edges = made.edges;
  for (const auto& edge : edges) {
    if (edge.from == original) made.edge(copy, edge.to);
    if (edge.to == original) made.edge(edge.from, copy);
  }
}

void swap_ops(HandMade& made, OpId a, OpId b) {
  std::swap(made.schedule.ops[a], made.schedule.ops[b]);
  drop_barriers(made);
}

void mutate(HandMade& made, Dice& dice) {
  Schedule& schedule = made.schedule;
  if (schedule.ops.empty()) return;
  const OpId op = dice.below(schedule.ops.size());
  Op& changed = schedule.ops[op];
  switch (dice.below(8)) {
    case 0:
      return drop_op(made, op);
    case 1:
      return duplicate_op(made, op);
    case 2:
      changed.destination_chunk = dice.below(schedule.buffers[changed.destination_buffer].chunks());
      return;
    case 3:
      changed.destination = dice.below(schedule.participants.size());
      return drop_barriers(made);
    case 4:
      if (!made.edges.empty()) made.edges.erase(made.edges.begin() + dice.below(made.edges.size()));
      return;
    case 5:
      changed.kind = changed.kind == OpKind::copy ? OpKind::reduce : OpKind::copy;
      return;
    case 6:
      return swap_ops(made, op, dice.below(schedule.ops.size()));
    default:
      made.schedule.channels.resize(2);
      changed.channel = 1;
  }
}

bool well_formed(const Schedule& schedule) {
  const auto violation = check(schedule);
  return !violation || violation->kind != Violation::Kind::structure;
}

// Both modes say the same, and what they say is among what the oracle found; a race or a cycle is
// found whatever else is wrong.
void agree(const Schedule& schedule) {
  const Oracle oracle(schedule);
  const auto order = check_order_only(schedule);
  REQUIRE(order.has_value() == (oracle.faults().contains(Violation::Kind::race) ||
                                oracle.faults().contains(Violation::Kind::cycle)));
  const auto exact = check(schedule, {CheckMode::exact});
  const auto fingerprint = check(schedule, {CheckMode::fingerprint});
  REQUIRE(exact.has_value() == !oracle.faults().empty());
  REQUIRE(fingerprint.has_value() == exact.has_value());
  if (!exact) return;
  CHECK(oracle.faults().contains(exact->kind));
  CHECK(fingerprint->message == exact->message);
}

}  // namespace

TEST_CASE("on mutated algorithms the checker finds a fault exactly where brute force finds one") {
  Dice dice;
  int faulty = 0;
  int sound = 0;
  for (const Algorithm& algorithm : kAlgorithms)
    for (const CollectiveKind kind : kEveryCollective)
      for (int i = 0; i < 150; ++i) {
        const int ranks = 2 + static_cast<int>(dice.below(3));
        HandMade made = algorithm.make(kind, ranks, ranks - 1);
        const std::uint32_t mutations = 1 + dice.below(3);
        for (std::uint32_t m = 0; m < mutations; ++m) mutate(made, dice);
        const Schedule schedule = made.build();
        if (!well_formed(schedule)) continue;
        CAPTURE(algorithm.name);
        CAPTURE(to_string(kind));
        CAPTURE(i);
        agree(schedule);
        ++(check(schedule) ? faulty : sound);
      }
  CHECK(faulty > 1'000);
  CHECK(sound > 100);
}

TEST_CASE("on random ops the checker finds each kind of fault that brute force finds") {
  // Five ops among three ranks, with random edges in both directions.
  Dice dice;
  std::array<int, 7> found{};
  for (int i = 0; i < 4'000; ++i) {
    HandMade made = in_parts(kEveryCollective[dice.below(5)], 3, 1);
    for (int op = 0; op < 5; ++op) {
      const std::uint32_t chunk = dice.below(2);
      const ParticipantId from = dice.below(3);
      made.add(dice.below(2) == 0 ? OpKind::copy : OpKind::reduce, from, {0, chunk},
               (from + 1 + dice.below(2)) % 3, {0, dice.below(9) == 0 ? 1 - chunk : chunk});
    }
    for (int edge = 0; edge < 7; ++edge) {
      const OpId a = dice.below(5);
      const OpId b = dice.below(5);
      const auto [low, high] = std::minmax(a, b);
      if (a != b) dice.below(20) == 0 ? made.edge(high, low) : made.edge(low, high);
    }
    drop_barriers(made);
    const Schedule schedule = made.build();
    agree(schedule);
    if (const auto violation = check(schedule)) ++found[static_cast<std::size_t>(violation->kind)];
  }
  using Kind = Violation::Kind;
  for (const Kind kind : {Kind::cycle, Kind::race, Kind::doubled, Kind::origin, Kind::missing}) {
    CAPTURE(static_cast<int>(kind));
    CHECK(found[static_cast<std::size_t>(kind)] > 50);
  }
}

TEST_CASE("among many accesses to few cells races are found exactly where brute force finds them") {
  Dice dice;
  int races = 0;
  int sound = 0;
  for (int i = 0; i < 4'000; ++i) {
    HandMade made = in_parts(CollectiveKind::allreduce, 3, 0);
    for (int op = 0; op < 9; ++op) {
      const ParticipantId from = dice.below(3);
      made.add(dice.below(3) == 0 ? OpKind::copy : OpKind::reduce, from, {0, 0},
               (from + 1 + dice.below(2)) % 3, {0, 0});
    }
    made.order_conflicts();
    const std::uint32_t dropped = dice.below(4);
    for (std::uint32_t edge = 0; edge < dropped && !made.edges.empty(); ++edge)
      made.edges.erase(made.edges.begin() + dice.below(made.edges.size()));
    const Schedule schedule = made.build();
    const bool race = Oracle(schedule).faults().contains(Violation::Kind::race);
    REQUIRE(check_order_only(schedule).has_value() == race);
    ++(race ? races : sound);
  }
  CHECK(races > 500);
  CHECK(sound > 500);
}

}  // namespace syncsim::testing::check_mutations_test
