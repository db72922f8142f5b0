// A run that is watched, and one that is told to stop (rule 11).

#include <doctest/doctest.h>

#include "tests/support/counting_watch.h"

#include "sim/base/watch.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::watch_test {
namespace {

// A chain of 10,000 transfers of 1 kB at 1 GB/s on one lane: op k ends at k us. In parallel, one
// flow on a resource of its own.
struct Chain {
  Chain() : network({1e9, 1e9}) {
    const Use own[] = {{0, 1}};
    const Use other[] = {{1, 1}};
    network.add_route(own);
    network.add_route(other);
    const auto lane = work.add_lane();
    for (int op = 0; op < 10'000; ++op) work.transfer(lane, 0, 1'000);
    work.transfer(work.add_lane(), 1, 100'000'000);
  }
  Result run_with(Watch* watch) const {
    Timetable table(work);
    Totals totals = run(network, work, table, Audit::off, {}, watch);
    return {std::move(table), std::move(totals)};
  }

  Network network;
  PlainWork work;
};

}  // namespace

TEST_CASE("a run that is told to stop tells what was done until then, to the byte") {
  testing::CountingWatch watch(3);
  const Result result = Chain().run_with(&watch);
  // at t = 0, then after 4,096 of ops + 64 x solves: an op and a solve each microsecond, 65 of them
  const std::uint64_t ops = watch.seen[2].done;
  CHECK(watch.seen.size() == 3);
  CHECK(watch.seen[0].done == 0);
  CHECK(watch.seen[1].done == 64);
  CHECK(ops == 128);
  CHECK(watch.seen[2].total == 10'001);
  CHECK(watch.seen[2].simulated == Time{128 * kMicrosecond});
  CHECK(result.totals.stopped);
  CHECK(result.totals.ops_done == ops);
  CHECK(result.totals.finish == Time{128 * kMicrosecond});
  CHECK(result.totals.resources[0].bytes == 128'000);
  CHECK(result.totals.resources[1].bytes == 128'000);  // of the flow on its way
  CHECK(result.totals.resources[1].busy == 128 * kMicrosecond);
  CHECK(result.table.order.size() == ops);
}

TEST_CASE("a watch that never says stop changes nothing") {
  testing::CountingWatch watch(1'000'000);
  const Chain chain;
  const Result watched = chain.run_with(&watch);
  const Result alone = chain.run_with(nullptr);
  CHECK(watch.seen.size() == 157);  // 1 + floor(10,000 / 64)
  CHECK(!watched.totals.stopped);
  CHECK(watched.totals.finish == alone.totals.finish);
  CHECK(watched.totals.ops_done == 10'001);
  CHECK(watched.totals.solves == alone.totals.solves);
  CHECK(watched.table.ops == alone.table.ops);
}

TEST_CASE("a run that is stopped at once has done nothing and is no deadlock") {
  testing::CountingWatch watch(1);
  const Result result = Chain().run_with(&watch);
  CHECK(result.totals.stopped);
  CHECK(result.totals.ops_done == 0);
  CHECK(result.totals.finish == Time{});
  CHECK(result.totals.resources[0].bytes == 0);
}

}  // namespace syncsim::engine::watch_test
