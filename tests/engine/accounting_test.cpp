#include <doctest/doctest.h>

#include <vector>

#include "tests/engine/plain_work.h"

namespace syncsim::engine::accounting_test {
namespace {

TEST_CASE("a resource's bytes are coefficient x bytes of the ops that finished") {
  Network network({16e9, 16e9, 1e9});
  const Use uses[] = {{0, 1}, {1, 2}};
  const RouteIndex route = network.add_route(uses);
  PlainWork work;
  const auto lane = work.add_lane();
  work.transfer(lane, route, 1'000);
  work.transfer(lane, route, 500);
  const Result result = simulate(network, work);
  CHECK(result.totals.resources[0].bytes == 1'500);
  CHECK(result.totals.resources[1].bytes == 3'000);
  CHECK(result.totals.resources[2].bytes == 0);
}

TEST_CASE("busy is the time with flows, saturated the time with no capacity left") {
  // Resource 1 takes twice the rate: it is full at 8 GB/s, while resource 0 is half used.
  // 16,000 bytes in 2 us; a gap of 1 us; again.
  Network network({16e9, 16e9});
  const Use uses[] = {{0, 1}, {1, 2}};
  const RouteIndex route = network.add_route(uses);
  PlainWork work;
  const auto lane = work.add_lane();
  work.transfer(lane, route, 16'000);
  work.release(work.transfer(lane, route, 16'000), 3 * kMicrosecond);
  const Result result = simulate(network, work);
  CHECK(result.totals.finish == Time{5 * kMicrosecond});
  CHECK(result.totals.resources[0].busy == 4 * kMicrosecond);
  CHECK(result.totals.resources[0].saturated == 0);
  CHECK(result.totals.resources[1].busy == 4 * kMicrosecond);
  CHECK(result.totals.resources[1].saturated == 4 * kMicrosecond);
}

TEST_CASE("a lane that changes its route leaves the old one idle") {
  // 1 us each, on one link after the other.
  Network network({1e9, 1e9});
  const Use first[] = {{0, 1}};
  const Use second[] = {{1, 1}};
  network.add_route(first);
  network.add_route(second);
  PlainWork work;
  const auto lane = work.add_lane();
  for (RouteIndex route = 0; route < 2; ++route) work.transfer(lane, route, 1'000);
  const Result result = simulate(network, work);
  for (ResourceIndex r = 0; r < 2; ++r) {
    CHECK(result.totals.resources[r].busy == kMicrosecond);
    CHECK(result.totals.resources[r].saturated == kMicrosecond);
  }
}

TEST_CASE("a link is saturated only while its flows can use it up") {
  // Two flows of 4 GB/s at most on 8 GB/s: full while both run (1 us), then half used (1 us).
  Network network({8e9});
  const Use uses[] = {{0, 1}};
  const RouteIndex route = network.add_route(uses);
  Lane limited;
  limited.maximum_rate = 4e9;
  PlainWork work;
  work.transfer(work.add_lane(limited), route, 4'000);
  work.transfer(work.add_lane(limited), route, 8'000);
  const Result result = simulate(network, work);
  CHECK(result.totals.resources[0].busy == 2 * kMicrosecond);
  CHECK(result.totals.resources[0].saturated == kMicrosecond);
}

TEST_CASE("flows that follow each other at one instant leave no gap in busy time") {
  Network network({8e9});
  const Use uses[] = {{0, 1}};
  const RouteIndex route = network.add_route(uses);
  PlainWork work;
  const auto lane = work.add_lane();
  for (int chunk = 0; chunk < 10; ++chunk) work.transfer(lane, route, 8'000);
  const Result result = simulate(network, work);
  CHECK(result.totals.resources[0].busy == 10 * kMicrosecond);
  CHECK(result.totals.resources[0].saturated == 10 * kMicrosecond);
  CHECK(result.totals.solves == 11);
}

}  // namespace
}  // namespace syncsim::engine::accounting_test
