// Rule 10: capacities that change at given times.

#include "sim/engine/capacity_changes.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "sim/base/error.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::capacity_changes_test {
namespace {

using Changes = std::vector<CapacityChange>;

// 16 GB/s: 160 MB take 10 ms.
Network one_link() {
  Network network({16e9});
  network.add_route(std::vector<Use>{{0, 1}});
  return network;
}

constexpr std::int64_t kBytes = 160'000'000;

PlainWork transfers(int count, std::int64_t bytes = kBytes) {
  PlainWork work;
  for (int i = 0; i < count; ++i) work.transfer(work.add_lane(), 0, bytes);
  return work;
}

Result with(const Changes& changes, const PlainWork& work = transfers(1)) {
  return simulate(one_link(), work, changes);
}

Time milliseconds(std::int64_t count) { return {count * kMillisecond}; }

Deadlock deadlock_of(const Network& network, const PlainWork& work, const Changes& changes) {
  try {
    simulate(network, work, changes);
  } catch (const Deadlock& deadlock) {
    return deadlock;
  }
  FAIL("the run ended");
  return Deadlock({}, 0);
}

}  // namespace

TEST_CASE("what is carried stays carried: 80 MB at 16 GB/s, then 80 MB at 8 GB/s, end at 15 ms") {
  CHECK(with({{5 * kMillisecond, 0, 8e9}}).totals.finish == milliseconds(15));
  CHECK(with({{5 * kMillisecond, 0, 32e9}}).totals.finish == Time{7'500'000'000});
}

TEST_CASE("at 0 a flow stalls, and goes on with its bytes: an outage of 2 ms costs 2 ms") {
  const Result result = with({{5 * kMillisecond, 0, 0}, {7 * kMillisecond, 0, 16e9}});
  CHECK(result.totals.finish == milliseconds(12));
  CHECK(result.totals.resources[0].bytes == kBytes);
  CHECK(result.totals.resources[0].busy == 12 * kMillisecond);
  CHECK(result.totals.resources[0].saturated == 12 * kMillisecond);
}

TEST_CASE("a flow that starts on a resource of capacity 0 begins with it: start 1 ms, end 13 ms") {
  PlainWork work = transfers(1);
  work.release(0, kMillisecond);
  const Result result = with({{0, 0, 0}, {3 * kMillisecond, 0, 16e9}}, work);
  CHECK(result.start(0) == kMillisecond);
  CHECK(result.totals.finish == milliseconds(13));
  CHECK(result.totals.resources[0].busy == 12 * kMillisecond);
}

TEST_CASE("two flows share what there is: 8 GB/s each until 5 ms, then 2 GB/s each: 65 ms") {
  // 40 MB each in 5 ms; 120 MB at 2 GB/s in 60 ms
  const Result result = with({{5 * kMillisecond, 0, 4e9}}, transfers(2));
  CHECK(result.finish(0) == 65 * kMillisecond);
  CHECK(result.finish(1) == 65 * kMillisecond);
}

TEST_CASE("others get what a flow that is slowed elsewhere leaves") {
  // Links of 16 and 16 GB/s; flow 0 over both, flow 1 over the first. From 1 ms on the second has
  // 4 GB/s: flow 0 has 4, flow 1 12. Flow 1: 8 MB in 1 ms, 120 MB in 10 ms.
  Network network({16e9, 16e9});
  network.add_route(std::vector<Use>{{0, 1}, {1, 1}});
  network.add_route(std::vector<Use>{{0, 1}});
  PlainWork work;
  work.transfer(work.add_lane(), 0, kBytes);
  work.transfer(work.add_lane(), 1, 128'000'000);
  const Result result = simulate(network, work, Changes{{kMillisecond, 1, 4e9}});
  CHECK(result.finish(1) == 11 * kMillisecond);
  CHECK(result.finish(0) == 39 * kMillisecond);  // 8 MB, then 152 MB at 4 GB/s
}

TEST_CASE("a flow ends at the instant of its completion, whatever its link comes to then") {
  CHECK(with({{10 * kMillisecond, 0, 0}}).totals.finish == milliseconds(10));
  CHECK(with({{10 * kMillisecond, 0, 8e9}}).totals.finish == milliseconds(10));
  // One picosecond earlier there is a byte left, at a byte a picosecond.
  Network network({1e12});
  network.add_route(std::vector<Use>{{0, 1}});
  const Changes outage = {{999, 0, 0}, {2'000, 0, 1e12}};
  CHECK(simulate(network, transfers(1, 1'000), outage).totals.finish == Time{2'001});
}

TEST_CASE("a change at time 0 is the other network, to the bit") {
  Network other({5e9});
  other.add_route(std::vector<Use>{{0, 1}});
  const PlainWork work = transfers(3);
  const Result expected = simulate(other, work);
  const Result result = with({{0, 0, 5e9}}, work);
  CHECK(result.table.ops == expected.table.ops);
  CHECK(result.table.order == expected.table.order);
  CHECK(result.totals.solves == expected.totals.solves);
  CHECK(result.totals.resources[0].saturated == expected.totals.resources[0].saturated);
}

TEST_CASE("a change to what is, and one after the end, change nothing") {
  const Result plain = with({}, transfers(3));
  for (const Changes& changes :
       {Changes{{kMillisecond, 0, 16e9}}, Changes{{30 * kMillisecond, 0, 1e9}},
        Changes{{std::numeric_limits<std::int64_t>::max(), 0, 0}}}) {
    const Result result = with(changes, transfers(3));
    CHECK(result.totals.finish == milliseconds(30));
    CHECK(result.table.ops == plain.table.ops);
    CHECK(result.totals.solves == plain.totals.solves);
  }
}

TEST_CASE("the finish is the last op's, though a change comes while nothing flows") {
  // 10 ms, 10 ms of compute, then 160 MB at 8 GB/s
  PlainWork work;
  const auto lane = work.add_lane();
  work.transfer(lane, 0, kBytes);
  work.compute(lane, 10 * kMillisecond);
  CHECK(with({{15 * kMillisecond, 0, 8e9}}, work).totals.finish == milliseconds(20));
  work.transfer(lane, 0, kBytes);
  const Result result = with({{15 * kMillisecond, 0, 8e9}}, work);
  CHECK(result.totals.finish == milliseconds(40));
  CHECK(result.totals.resources[0].busy == 30 * kMillisecond);
  CHECK(result.totals.resources[0].saturated == 30 * kMillisecond);
}

TEST_CASE("saturated time is against the capacity of the moment") {
  // A flow of 4 GB/s at most: 16 GB/s until 10 ms, 4 GB/s until 20 ms, then 16 again.
  Lane limited;
  limited.maximum_rate = 4e9;
  PlainWork work;
  work.transfer(work.add_lane(limited), 0, kBytes);
  const Result result = with({{10 * kMillisecond, 0, 4e9}, {20 * kMillisecond, 0, 16e9}}, work);
  CHECK(result.totals.finish == milliseconds(40));
  CHECK(result.totals.resources[0].saturated == 10 * kMillisecond);
}

TEST_CASE("latency and overhead do not change: only the bytes wait") {
  Lane lane;
  lane.latency.ps = 3 * kMillisecond;
  lane.overhead.ps = kMillisecond;
  PlainWork work;
  work.transfer(work.add_lane(lane), 0, kBytes);
  const Result result = with({{0, 0, 0}, {2 * kMillisecond, 0, 16e9}}, work);
  CHECK(result.start(0) == 4 * kMillisecond);
  CHECK(result.totals.finish == milliseconds(14));
}

TEST_CASE("twice the capacities at half the times: half the time") {
  const Changes slow = {
      {4 * kMillisecond, 0, 3e9}, {8 * kMillisecond, 0, 0}, {10 * kMillisecond, 0, 7e9}};
  Changes fast = slow;
  for (CapacityChange& change : fast) change = {change.time / 2, 0, change.capacity * 2};
  Network network({32e9});
  network.add_route(std::vector<Use>{{0, 1}});
  const std::int64_t whole = with(slow, transfers(2)).totals.finish.ps;
  const std::int64_t half = simulate(network, transfers(2), fast).totals.finish.ps;
  CHECK(whole > 10 * kMillisecond);
  CHECK(std::abs(whole - 2 * half) <= 1);
}

TEST_CASE("a link so slow that int64 would not hold the end may still be raised") {
  const Changes changes = {{5 * kMillisecond, 0, 1}, {7 * kMillisecond, 0, 16e9}};
  CHECK(with(changes).totals.finish == milliseconds(12));  // 0.002 bytes in 2 ms
  CHECK_THROWS_AS(with({{5 * kMillisecond, 0, 1}}), InputError);
  // The last change is of another resource.
  Network network({16e9, 16e9});
  network.add_route(std::vector<Use>{{0, 1}});
  CHECK_THROWS_AS(simulate(network, transfers(1), Changes{{0, 0, 1}, {kMillisecond, 1, 1}}),
                  InputError);
}

TEST_CASE("a stall without end is a deadlock that names ops and resources, and counts what waits") {
  PlainWork work;
  const auto lane = work.add_lane();
  const auto first = work.transfer(lane, 0, kBytes);
  const auto behind = work.transfer(lane, 0, kBytes);
  const auto join = work.join();
  work.edge(behind, join);
  const Deadlock deadlock = deadlock_of(one_link(), work, {{kMillisecond, 0, 0}});
  CHECK(deadlock.blocked == std::vector<std::uint32_t>{first, behind, join});
  CHECK(deadlock.unfinished == 3);
  CHECK(deadlock.stalls == std::vector<Stall>{{first, 0}});
  CHECK(deadlock.stalled == 1);
  CHECK(std::string(deadlock.what()) ==
        "deadlock: 3 ops can never finish: 0, 1, 2; op 0 waits for resource 0, of capacity 0");
}

TEST_CASE("a deadlock names sixteen stalls, one for each resource of capacity 0, and counts all") {
  Network network({16e9, 16e9, 16e9});
  network.add_route(std::vector<Use>{{0, 1}, {1, 1}, {2, 1}});
  const Deadlock deadlock = deadlock_of(network, transfers(20), {{0, 0, 0}, {0, 2, 0}});
  CHECK(deadlock.stalled == 20);
  CHECK(deadlock.stalls.size() == 16);
  CHECK(deadlock.stalls[0] == Stall{0, 0});
  CHECK(deadlock.stalls[1] == Stall{0, 2});
  CHECK(deadlock.stalls[2] == Stall{1, 0});
}

TEST_CASE("flows that do not stall run to their end before the deadlock") {
  Network network({16e9, 16e9});
  network.add_route(std::vector<Use>{{0, 1}});
  network.add_route(std::vector<Use>{{1, 1}});
  PlainWork work;
  work.transfer(work.add_lane(), 0, kBytes);
  work.transfer(work.add_lane(), 1, kBytes);
  const Deadlock deadlock = deadlock_of(network, work, {{kMillisecond, 0, 0}});
  CHECK(deadlock.blocked == std::vector<std::uint32_t>{0});
}

TEST_CASE("changes that are no changes of this network are refused before the first event") {
  const auto refused = [](const Changes& changes, const char* message) {
    CHECK_THROWS_WITH_AS(with(changes), message, InternalError);
  };
  refused({{-1, 0, 1e9}}, "a capacity changes before time 0");
  refused({{0, 1, 1e9}}, "the capacity of a resource that is not there changes");
  refused({{0, 0, -1}}, "a capacity changes to what is not finite and at least 0");
  refused({{0, 0, std::numeric_limits<double>::infinity()}},
          "a capacity changes to what is not finite and at least 0");
  const char* order = "capacity changes do not ascend by time and resource";
  refused({{2, 0, 1e9}, {1, 0, 1e9}}, order);
  refused({{1, 0, 1e9}, {1, 0, 2e9}}, order);
}

}  // namespace syncsim::engine::capacity_changes_test
