// Rule 9: a work whose first ops are essential ends with them.

#include <doctest/doctest.h>

#include "tests/engine/plain_work.h"

namespace syncsim::engine::essential_test {
namespace {

struct EarlyWork : PlainWork {
  std::uint32_t essential() const { return essential_ops; }
  std::uint32_t essential_ops = 0;
};

struct Outcome {
  Timetable table;
  Totals totals;
};

// All over one resource of 1 byte a nanosecond.
Outcome run_early(const EarlyWork& work, const std::vector<CapacityChange>& changes = {}) {
  Network network({1e9});
  network.add_route(std::vector<Use>{{0, 1}});
  Timetable table(work);
  Totals totals = run(network, work, table, Audit::on, changes);
  return {std::move(table), std::move(totals)};
}

}  // namespace

TEST_CASE("the run ends with the essential ops - bytes, busy and saturated time count until then") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 1'000);
  const std::uint32_t longer = work.transfer(work.add_lane(), 0, 1'001);
  work.essential_ops = 1;
  const Outcome outcome = run_early(work);
  CHECK(outcome.totals.finish == Time{2 * kMicrosecond});
  CHECK(outcome.totals.ops_done == 1);
  CHECK(outcome.table.ops[longer].finish == -1);
  CHECK(outcome.totals.resources[0].bytes == 2'000);
  CHECK(outcome.totals.resources[0].busy == 2 * kMicrosecond);
  CHECK(outcome.totals.resources[0].saturated == 2 * kMicrosecond);
}

TEST_CASE("what ends at the same instant has ended") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 1'000);
  work.transfer(work.add_lane(), 0, 1'000);
  work.transfer(work.add_lane(), 0, 1'000);
  work.release(2, 2 * kMicrosecond);  // begins as the others end
  work.essential_ops = 1;
  const Outcome outcome = run_early(work);
  CHECK(outcome.totals.finish == Time{2 * kMicrosecond});
  CHECK(outcome.table.ops[1].finish == 2 * kMicrosecond);
  CHECK(outcome.table.ops[2].finish == -1);
  CHECK(outcome.totals.ops_done == 1);
  CHECK(outcome.totals.resources[0].bytes == 2'000);
  CHECK(outcome.totals.resources[0].busy == 2 * kMicrosecond);
}

TEST_CASE("others that are done before, or never begin, do not hold up the end") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 3'000);
  work.transfer(work.add_lane(), 0, 500);
  work.transfer(work.add_lane(), 0, 500);
  work.release(2, kMillisecond);
  work.essential_ops = 1;
  const Outcome outcome = run_early(work);
  CHECK(outcome.table.ops[1].finish == kMicrosecond);
  CHECK(outcome.totals.finish == Time{3'500'000});
  CHECK(outcome.totals.resources[0].bytes == 3'500);
}

TEST_CASE("essential ops that wait for ever are a deadlock once the others are done") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 1);
  work.edge(0, 0);
  work.transfer(work.add_lane(), 0, 1'000);
  work.essential_ops = 1;
  try {
    run_early(work);
    FAIL("it ended");
  } catch (const Deadlock& deadlock) {
    CHECK(deadlock.blocked == std::vector<std::uint32_t>{0});
    CHECK(deadlock.unfinished == 1);
  }
}

TEST_CASE("others that stall do not hold up the end, and count with what they carried") {
  // Essential: a computation. 500 bytes in 0.5 us, then nothing.
  EarlyWork work;
  work.compute(work.add_lane(), 3 * kMicrosecond);
  work.transfer(work.add_lane(), 0, 1'000);
  work.essential_ops = 1;
  const Outcome outcome = run_early(work, {{kMicrosecond / 2, 0, 0}});
  CHECK(outcome.totals.finish == Time{3 * kMicrosecond});
  CHECK(outcome.totals.resources[0].bytes == 500);
  CHECK(outcome.totals.resources[0].busy == 3 * kMicrosecond);
  CHECK(outcome.totals.resources[0].saturated == 3 * kMicrosecond);
}

TEST_CASE("a deadlock names the stalls of essential ops only") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 1'000);
  work.transfer(work.add_lane(), 0, 1'000);
  work.essential_ops = 1;
  try {
    run_early(work, {{0, 0, 0}});
    FAIL("it ended");
  } catch (const Deadlock& deadlock) {
    CHECK(deadlock.stalls == std::vector<Stall>{{0, 0}});
    CHECK(deadlock.stalled == 1);
    CHECK(deadlock.unfinished == 1);
  }
}

TEST_CASE("with all ops essential nothing is cut off - with none the run ends at once") {
  EarlyWork work;
  work.transfer(work.add_lane(), 0, 1'000);
  work.essential_ops = 1;
  CHECK(run_early(work).totals.finish == Time{kMicrosecond});
  work.essential_ops = 0;
  const Outcome nothing = run_early(work);
  CHECK(nothing.totals.finish == Time{0});
  CHECK(nothing.totals.resources[0].bytes == 0);
  CHECK(nothing.totals.resources[0].busy == 0);
}

}  // namespace syncsim::engine::essential_test
