// Correct schedules are proved, whichever way they are written.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_accepts_test {
namespace {

// The checker's message, or "" when it proves the schedule.
std::string verdict(const Schedule& schedule, CheckMode mode) {
  const auto violation = check(schedule, {mode});
  return violation ? violation->message : "";
}

}  // namespace

TEST_CASE("textbook algorithms for every collective are proved in every mode") {
  for (const Algorithm& algorithm : kAlgorithms)
    for (const CollectiveKind kind : kEveryCollective)
      for (const int ranks : {1, 2, 3, 5, 7})
        for (const CheckMode mode :
             {CheckMode::automatic, CheckMode::exact, CheckMode::fingerprint}) {
          CAPTURE(algorithm.name);
          CAPTURE(to_string(kind));
          CAPTURE(ranks);
          CHECK(verdict(algorithm.make(kind, ranks, ranks / 2).build(), mode) == "");
        }
}

TEST_CASE("sets of more ranks than a machine word has bits are proved") {
  for (const ParticipantId ranks : {63u, 64u, 65u, 130u})
    for (const CheckMode mode : {CheckMode::exact, CheckMode::fingerprint}) {
      HandMade made(collective_of(CollectiveKind::allreduce, static_cast<int>(ranks), 1), 1);
      for (ParticipantId rank = 1; rank < ranks; ++rank) made.reduce(rank, 0, 0);
      for (ParticipantId rank = 1; rank < ranks; ++rank) made.copy(0, rank, 0);
      made.order_conflicts();
      CHECK(verdict(made.build(), mode) == "");
      made.schedule.ops[ranks - 2].kind = OpKind::copy;  // of the last rank, over the sum
      made.order_conflicts();
      CHECK(verdict(made.build(), mode) ==
            "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 0 (gpu0); "
            "allreduce needs those of all " +
                std::to_string(ranks) + " ranks");
    }
}

TEST_CASE("beyond 4,096 ranks the automatic mode proves by fingerprints and still names ranks") {
  // One sum over all ranks at rank 0, in one chunk.
  HandMade made(collective_of(CollectiveKind::reduce, 5'000, 1), 1);
  for (ParticipantId rank = 1; rank < 5'000; ++rank) made.reduce(rank, 0, 0);
  CHECK(verdict(made.build(), CheckMode::automatic) == "");
  made.schedule.ops.erase(made.schedule.ops.begin() + 4'321);
  CHECK(verdict(made.build(), CheckMode::automatic) ==
        "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 4322 (gpu4322); "
        "reduce needs those of all 5000 ranks");
}

TEST_CASE("ops of many chunks are proved chunk by chunk") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, 12), 4);
  made.reduce(1, 0, 0, 4);
  made.reduce(2, 0, 0, 4);
  made.copy(0, 1, 0, 4);
  made.copy(0, 2, 0, 4);
  made.order_conflicts();
  CHECK(verdict(made.build(), CheckMode::exact) == "");
}

TEST_CASE("each of several collectives on disjoint chunks is proved") {
  // Chunks 0-1: allreduce; chunk 2: broadcast from rank 1.
  HandMade made(collective_of(CollectiveKind::allreduce, 2, 12), 3);
  made.schedule.collectives = {
      {collective_of(CollectiveKind::allreduce, 2, 8), 0, 0, 2},
      {collective_of(CollectiveKind::broadcast, 2, 4, 1), 0, 2, 1},
  };
  made.reduce(1, 0, 0, 2);
  made.copy(0, 1, 0, 2);
  made.copy(1, 0, 2);
  made.order_conflicts();
  CHECK(verdict(made.build(), CheckMode::exact) == "");
  made.schedule.ops.pop_back();
  made.edges.clear();
  made.order_conflicts();
  CHECK(verdict(made.build(), CheckMode::exact) ==
        "data chunk 2 at rank 0 (gpu0) ends without the contribution of rank 1 (gpu1); broadcast "
        "needs those of rank 1 (gpu1)");
}

TEST_CASE("a part that begins inside the collective counts from its first chunk") {
  // Chunk 0 belongs to no collective; of chunks 1 and 2, rank 0 owns the first, rank 1 the second.
  HandMade made(collective_of(CollectiveKind::all_gather, 2, 3), 3);
  made.schedule.collectives = {{collective_of(CollectiveKind::all_gather, 2, 2), 0, 1, 2}};
  made.copy(0, 1, 1);
  made.copy(1, 0, 2);
  CHECK(verdict(made.build(), CheckMode::exact) == "");
}

TEST_CASE("chunks and collectives of no bytes have nothing to prove") {
  HandMade made(collective_of(CollectiveKind::all_gather, 2, 2), 2);
  made.schedule.buffers[0].boundaries = {0, 1, 1, 2};
  made.schedule.collectives[0].chunk_count = 3;
  made.copy(0, 1, 0, 2);
  made.copy(1, 0, 1, 2);  // of chunk 1, in conflict with the op before if it had bytes
  CHECK(verdict(made.build(), CheckMode::exact) == "");

  HandMade nothing(collective_of(CollectiveKind::allreduce, 2, 0), 1);
  CHECK(verdict(nothing.build(), CheckMode::exact) == "");
}

TEST_CASE("signals, joins and compute ops carry order and change no data") {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 1), 1);
  const OpId first = made.copy(0, 1, 0);
  const OpId join = made.join(1);
  const OpId compute = made.compute(1);
  const OpId signal = made.signal(1, 2);
  const OpId last = made.copy(1, 2, 0);
  made.on_channel(1);
  made.edge(first, join);
  made.edge(join, compute);
  made.edge(compute, signal);
  made.edge(signal, last);
  CHECK(verdict(made.build(), CheckMode::exact) == "");
}

TEST_CASE("ranks that hold nothing in the end may hold anything") {
  // Rank 1 is left with the sum of two of the three ranks.
  HandMade made(collective_of(CollectiveKind::reduce, 3, 1), 1);
  const OpId first = made.reduce(2, 1, 0);
  const OpId second = made.reduce(1, 0, 0);
  made.edge(first, second);
  CHECK(verdict(made.build(), CheckMode::exact) == "");
}

}  // namespace syncsim::testing::check_accepts_test
