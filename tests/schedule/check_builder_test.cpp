// What the builder writes is proved, and of its edges none can go unnoticed.

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/schedule/builder.h"
#include "sim/schedule/check.h"
#include "tests/schedule/oracle.h"

namespace syncsim::testing::check_builder_test {
namespace {

// Copies and reduces of random pieces between random participants, a scratch buffer among them.
struct Program {
  struct Call {
    bool adds;
    bool into_scratch;
    ParticipantId from;
    ParticipantId to;
    std::uint32_t piece;
    std::uint16_t channel;
  };
  std::vector<Call> calls;
};

constexpr std::uint32_t kRanks = 3;
constexpr std::uint32_t kPieces = 3;

Program random_program(std::mt19937& generator) {
  const auto below = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(generator() % count);
  };
  Program program;
  for (int i = 0; i < 14; ++i) {
    const ParticipantId from = below(kRanks + 1);
    program.calls.push_back({below(2) == 0, below(4) == 0, from,
                             (from + 1 + below(kRanks)) % (kRanks + 1), below(kPieces),
                             static_cast<std::uint16_t>(below(2))});
  }
  return program;
}

Schedule build(const Program& program) {
  const Collective collective =
      collective_of(CollectiveKind::allreduce, static_cast<int>(kRanks), kPieces);
  return build_schedule(collective, {"gpu0", "gpu1", "gpu2"}, [&](ScheduleBuilder& builder) {
    builder.phase("work");
    builder.helper("cpu0");
    const std::vector<Slice> data = builder.split(builder.data(), int{kPieces});
    const std::vector<Slice> scratch =
        builder.split(builder.scratch("scratch", {kPieces}), int{kPieces});
    for (const Program::Call& call : program.calls) {
      const Slice& target = (call.into_scratch ? scratch : data)[call.piece];
      if (call.adds)
        builder.reduce(call.from, data[call.piece], call.to, target, call.channel);
      else
        builder.copy(call.from, data[call.piece], call.to, target, call.channel);
    }
  });
}

bool at_join(const Schedule& schedule, const HandMade::Edge& edge) {
  return schedule.ops[edge.from].kind == OpKind::join || schedule.ops[edge.to].kind == OpKind::join;
}

Schedule build(void (*emit)(ScheduleBuilder&), int ranks) {
  std::vector<std::string> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back("gpu" + std::to_string(rank));
  return build_schedule(collective_of(CollectiveKind::allreduce, ranks, 1'000), nodes, emit);
}

void emit_sharded(ScheduleBuilder& builder) {
  const auto ranks = static_cast<ParticipantId>(builder.ranks());
  const std::vector<Slice> parts = builder.split(builder.data(), builder.ranks());
  builder.phase("reduce");
  for (ParticipantId owner = 0; owner < ranks; ++owner)
    for (ParticipantId rank = 0; rank < ranks; ++rank)
      if (rank != owner) builder.reduce(rank, owner, parts[owner]);
  builder.phase("broadcast");
  for (ParticipantId owner = 0; owner < ranks; ++owner)
    for (ParticipantId rank = 0; rank < ranks; ++rank)
      if (rank != owner) builder.copy(owner, rank, parts[owner]);
}

}  // namespace

TEST_CASE("the builder's schedules of random programs have no races and no cycles") {
  std::mt19937 generator(11);
  for (int i = 0; i < 300; ++i) {
    const Schedule schedule = build(random_program(generator));
    const Oracle oracle(schedule);
    CHECK_FALSE(oracle.faults().contains(Violation::Kind::race));
    CHECK_FALSE(oracle.faults().contains(Violation::Kind::cycle));
    const auto violation = check(schedule);
    REQUIRE(violation.has_value() == !oracle.faults().empty());
    if (violation) CHECK(oracle.faults().contains(violation->kind));
  }
}

TEST_CASE("of a random program's edges each one that is taken away is a race or redundant") {
  std::mt19937 generator(12);
  int races = 0;
  int redundant = 0;
  for (int i = 0; i < 60; ++i) {
    const Schedule whole = build(random_program(generator));
    const HandMade parts = taken_apart(whole);
    for (std::size_t edge = 0; edge < parts.edges.size(); ++edge) {
      HandMade less = parts;
      less.edges.erase(less.edges.begin() + static_cast<std::ptrdiff_t>(edge));
      const Schedule schedule = less.build();
      const Oracle oracle(schedule);
      const auto violation = check_order_only(schedule);
      REQUIRE(violation.has_value() == oracle.faults().contains(Violation::Kind::race));
      ++(violation ? races : redundant);
      // An edge at a join stands for others, some of which may be there besides.
      if (at_join(whole, parts.edges[edge])) continue;
      CHECK(violation.has_value() != oracle.before(parts.edges[edge].from, parts.edges[edge].to));
    }
  }
  CHECK(races > 200);
  CHECK(redundant > 20);
}

TEST_CASE("a sharded allreduce of many ranks, with its joins, is proved in two steps a question") {
  // From an op that adds, past its reader, to the join, from which one edge leads to each copy.
  const Schedule schedule = build(emit_sharded, 33);
  CHECK_FALSE(check(schedule, {CheckMode::exact, 2}));
  CHECK_FALSE(check(schedule, {CheckMode::fingerprint, 2}));
}

}  // namespace syncsim::testing::check_builder_test
