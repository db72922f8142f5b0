// What a transfer costs beside its bytes, and how many chunks strategies make of their data by it.

#include "strategies/overheads.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::overheads_test {
namespace {

using strategy::overhead_bytes;
using testing::gigabytes;
using testing::Task;

const Parameters kNoParameters("ring", {}, {});

std::int64_t picoseconds(const Topology& machine, const Task& task, Time overhead) {
  const RunTerms terms{Reduction::on_arrival, overhead};
  const Schedule schedule = testing::emitted(machine, machine.ranks(), task, terms);
  return testing::simulated(schedule, machine, {.overhead = overhead}).finish.ps;
}

Task allreduce(const std::string& strategy, int ranks, std::int64_t bytes,
               const std::string& chunks) {
  return {strategy,
          testing::collective_of(CollectiveKind::allreduce, ranks, bytes),
          {{"chunks", chunks}}};
}

// Of 1, 4, 16, ... 256 chunks.
std::int64_t best_of_all(const std::string& strategy, const Topology& machine, std::int64_t bytes,
                         Time overhead) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  const int ranks = static_cast<int>(machine.ranks().size());
  for (int chunks = 1; chunks <= 256; chunks *= 4)
    best = std::min(
        best,
        picoseconds(machine, allreduce(strategy, ranks, bytes, std::to_string(chunks)), overhead));
  return best;
}

}  // namespace

TEST_CASE("o B: what the slowest hop carries within the overheads of the run and of its links") {
  const Topology star = testing::slow_star(3, gigabytes(10), Time{0}, parse_time("2 us"));
  const std::vector<NodeId> ranks = star.ranks();
  StrategyInput input{star, ranks, kNoParameters};
  const std::vector<strategy::NodeHop> hops = strategy::hops_along(ranks);
  CHECK(hops.size() == 2);
  CHECK(overhead_bytes(input, hops) == doctest::Approx(20'000));
  CHECK(overhead_bytes(input, hops, 1e9) == doctest::Approx(2'000));
  input.overhead = parse_time("3 us");
  CHECK(overhead_bytes(input, hops) == doctest::Approx(50'000));
  CHECK(overhead_bytes(input, {}) == 0);
}

TEST_CASE("where nothing costs anything beside its bytes, that is 0") {
  const Topology star(testing::star(3, gigabytes(10)));
  const std::vector<NodeId> ranks = star.ranks();
  const StrategyInput input{star, ranks, kNoParameters};
  CHECK(overhead_bytes(input, strategy::hops_along(ranks)) == 0);
}

TEST_CASE("a chain of n hops takes the number of chunks that is best, sqrt(n M / (o B))") {
  // 2 x 3 hops of 64 MB at 10 GB/s, 100 us each: sqrt(6 x 64 / 1) = 19.6
  const Topology star(testing::star(4, gigabytes(10)));
  const Schedule schedule =
      testing::emitted(star, star.ranks(), allreduce("chain", 4, 64'000'000, "auto"),
                       {Reduction::on_arrival, parse_time("100 us")});
  CHECK(schedule.buffers.front().chunks() == 19);
}

TEST_CASE("with overheads of transfers, chunks=auto is near the best number of chunks") {
  for (const char* name : {"hgx_h100", "dgx1v"}) {
    const Topology machine = testing::shelf_machine(name);
    for (const std::string strategy :
         {"packed_trees", "chain", "binary_tree", "double_binary_tree", "hierarchical"}) {
      CAPTURE(name);
      CAPTURE(strategy);
      const Time cost = parse_time("10 us");
      const std::int64_t chosen =
          picoseconds(machine, allreduce(strategy, 8, 64'000'000, "auto"), cost);
      CHECK(static_cast<double>(chosen) <=
            1.3 * static_cast<double>(best_of_all(strategy, machine, 64'000'000, cost)));
    }
  }
}

TEST_CASE("links' own overheads count as the run's do") {
  const Topology plain(testing::star(4, gigabytes(10)));
  const Topology costly = testing::slow_star(4, gigabytes(10), Time{0}, parse_time("50 us"));
  for (const std::string strategy : {"packed_trees", "chain", "binary_tree"}) {
    CAPTURE(strategy);
    const Task task = allreduce(strategy, 4, 64'000'000, "auto");
    CHECK(picoseconds(costly, task, Time{0}) == picoseconds(plain, task, parse_time("50 us")));
  }
}

}  // namespace syncsim::overheads_test
