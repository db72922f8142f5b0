// Exchanges in pairs: who meets whom, what folds, which phases there are.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/schedule/check.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::exchange_test {
namespace {

using testing::collective_of;

constexpr auto kAllreduce = CollectiveKind::allreduce;

Schedule on_star(const std::string& strategy, const Collective& collective) {
  return testing::emitted(Topology(testing::star(collective.ranks)), {strategy, collective});
}

struct Message {
  ParticipantId from;
  ParticipantId to;
  std::int64_t bytes;
  bool operator==(const Message&) const = default;
};

// What a rank sends to others in a phase, in order.
std::vector<Message> sent_by(const Schedule& schedule, ParticipantId rank, std::string_view phase) {
  std::vector<Message> result;
  for (const Op& op : schedule.ops)
    if (op.source == rank && op.destination != rank && schedule.phases[op.phase] == phase)
      result.push_back({op.source, op.destination, schedule.bytes(op).count});
  return result;
}

std::vector<std::pair<ParticipantId, ParticipantId>> pairs_in(const Schedule& schedule,
                                                              std::string_view phase) {
  std::vector<std::pair<ParticipantId, ParticipantId>> result;
  for (const Op& op : schedule.ops)
    if (schedule.phases[op.phase] == phase) result.push_back({op.source, op.destination});
  return result;
}

using Pairs = std::vector<std::pair<ParticipantId, ParticipantId>>;

}  // namespace

TEST_CASE("halving_doubling sends half of the data half way, a quarter a quarter of it, and back") {
  const Schedule schedule = on_star("halving_doubling", collective_of(kAllreduce, 8, 800));
  CHECK(sent_by(schedule, 3, "reduce-scatter") ==
        std::vector<Message>{{3, 7, 400}, {3, 1, 200}, {3, 2, 100}});
  CHECK(sent_by(schedule, 3, "all-gather") ==
        std::vector<Message>{{3, 2, 100}, {3, 1, 200}, {3, 7, 400}});
}

TEST_CASE("recursive_doubling sends all data to the ranks 1, 2 and 4 away") {
  const Schedule schedule = on_star("recursive_doubling", collective_of(kAllreduce, 8, 800));
  CHECK(sent_by(schedule, 3, "exchange") ==
        std::vector<Message>{{3, 2, 800}, {3, 1, 800}, {3, 7, 800}});
}

TEST_CASE("recursive_doubling gathers one part, two, four") {
  const Schedule schedule =
      on_star("recursive_doubling", collective_of(CollectiveKind::all_gather, 8, 800));
  CHECK(sent_by(schedule, 5, "all-gather") ==
        std::vector<Message>{{5, 4, 100}, {5, 7, 200}, {5, 1, 400}});
}

TEST_CASE("recursive_doubling scatters no sums that only its own side needs") {
  const Schedule schedule =
      on_star("recursive_doubling", collective_of(CollectiveKind::reduce_scatter, 4, 400));
  CHECK(sent_by(schedule, 1, "reduce-scatter") ==
        std::vector<Message>{{1, 0, 100}, {1, 0, 200}, {1, 3, 0}, {1, 3, 200}});
}

TEST_CASE("bruck hands parts to the ranks 1, 2 and 4 before, in two slices around the end") {
  const Schedule schedule = on_star("bruck", collective_of(CollectiveKind::all_gather, 7, 700));
  CHECK(sent_by(schedule, 0, "all-gather") ==
        std::vector<Message>{{0, 6, 100}, {0, 5, 200}, {0, 3, 300}});
  CHECK(sent_by(schedule, 6, "all-gather") ==
        std::vector<Message>{{6, 5, 100}, {6, 4, 100}, {6, 4, 100}, {6, 2, 100}, {6, 2, 200}});
}

TEST_CASE("bruck exchanges one message a step, of blocks padded to the largest") {
  // Blocks of 2 or 3 bytes; of distances 1 to 4 two have bit 0, two bit 1, one bit 2.
  const Schedule schedule = on_star("bruck", collective_of(CollectiveKind::all_to_all, 5, 13));
  CHECK(sent_by(schedule, 4, "exchange") == std::vector<Message>{{4, 0, 6}, {4, 1, 6}, {4, 3, 3}});
}

TEST_CASE("of ranks that fold, those with an extra are spread evenly among the members") {
  for (const std::string strategy : {"halving_doubling", "recursive_doubling", "swing"}) {
    CAPTURE(strategy);
    const Schedule schedule = on_star(strategy, collective_of(kAllreduce, 6, 60));
    CHECK(pairs_in(schedule, "fold") == Pairs{{2, 1}, {5, 4}});
    CHECK(pairs_in(schedule, "unfold") == Pairs{{1, 2}, {4, 5}});
  }
}

TEST_CASE("a root is never an extra") {
  const auto fold_to = [](int root) {
    return pairs_in(on_star("halving_doubling", collective_of(CollectiveKind::reduce, 3, 60, root)),
                    "fold");
  };
  CHECK(fold_to(0) == Pairs{{2, 1}});
  CHECK(fold_to(1) == Pairs{{2, 1}});
  CHECK(fold_to(2) == Pairs{{1, 2}});
}

TEST_CASE("halving_doubling reduces to any root, and broadcasts from it") {
  for (const int ranks : {3, 6, 7, 8, 11})
    for (int root = 0; root < ranks; ++root)
      for (const CollectiveKind kind : {CollectiveKind::reduce, CollectiveKind::broadcast}) {
        CAPTURE(ranks);
        CAPTURE(root);
        const auto violation =
            check(on_star("halving_doubling", collective_of(kind, ranks, 1'003, root)));
        CHECK((violation ? violation->message : "proved") == "proved");
      }
}

TEST_CASE("what is there already does not run ahead of the rounds") {
  // A root that broadcasts has all parts from the start; its all-gather still waits for the
  // scatter.
  const Schedule schedule =
      on_star("halving_doubling", collective_of(CollectiveKind::broadcast, 4, 400));
  const Timeline timeline = testing::simulated(schedule, Topology(testing::star(4)));
  CHECK(timeline.finish.ps == 2 * 300 * 125 / 2);  // 62.5 ps a byte
  CHECK(schedule.phases == std::vector<std::string>{"scatter", "all-gather"});
}

}  // namespace syncsim::exchange_test
