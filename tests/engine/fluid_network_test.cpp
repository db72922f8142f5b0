// The numbered rules of sim/engine/fluid_network.h, one by one.
#include "sim/engine/fluid_network.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "sim/base/error.h"
#include "sim/engine/clock.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::fluid_network_test {
namespace {

// One link of 16 GB/s: 16 bytes a nanosecond, 62.5 ps a byte.
struct OneLink {
  explicit OneLink(double capacity = 16e9) : network({capacity}) {
    const Use uses[] = {{0, 1}};
    route = network.add_route(uses);
  }
  Network network;
  RouteIndex route = 0;
};

Lane lane_of(std::int64_t latency, std::int64_t overhead) {
  Lane lane;
  lane.latency.ps = latency;
  lane.overhead.ps = overhead;
  return lane;
}

TEST_CASE("time = bytes / rate: 160 MB at 16 GB/s take 10 ms, at 16/3 GB/s 30 ms, to the ps") {
  CHECK(completion(0, 160e6, 16e9) == 10 * kMillisecond);
  CHECK(completion(0, 160e6, 16e9 / 3) == 30 * kMillisecond);
  CHECK(completion(5, 160e6, 16e9) == 5 + 10 * kMillisecond);
}

TEST_CASE("time = k bytes / capacity to the ps for each of k sharers, whatever 1/k rounds to") {
  for (std::int64_t k = 1; k <= 2000; ++k) {
    const auto sharers = static_cast<double>(k);
    CHECK(completion(0, 160e6, 16e9 / sharers) == k * 10 * kMillisecond);
    CHECK(completion(0, 1e6, 25e9 / sharers) == k * 40 * kMicrosecond);
    CHECK(completion(0, 300e6, 6e9 / sharers) == k * 50 * kMillisecond);
  }
}

TEST_CASE("a completion is rounded up to the next picosecond, never to the one before") {
  CHECK(completion(0, 1, 16e9) == 63);   // 62.5 ps
  CHECK(completion(0, 2, 16e9) == 125);  // exactly
  CHECK(completion(0, 1, 1e15) == 1);    // 0.001 ps
  CHECK(completion(7, 0, 16e9) == 7);    // nothing left
  CHECK(completion(0, 1e6 + 1, 1e12) == 1'000'001);
}

TEST_CASE("three flows into one port: 160 MB each at 16/3 GB/s end together at 30 ms") {
  OneLink link;
  PlainWork work;
  for (int i = 0; i < 3; ++i) work.transfer(work.add_lane(), link.route, 160'000'000);
  const Result result = simulate(link.network, work);
  for (std::uint32_t op = 0; op < 3; ++op) CHECK(result.finish(op) == 30 * kMillisecond);
}

TEST_CASE("an op is blocked at t - 1 and starts at t = ready + o + L") {
  OneLink link;
  PlainWork work;
  const auto first = work.transfer(work.add_lane(), link.route, 16'000);  // 1 us
  const auto second = work.transfer(work.add_lane(lane_of(300, 20)), link.route, 16'000);
  work.edge(first, second);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[first] == OpRecord{0, 0, kMicrosecond});
  CHECK(result.table.ops[second] ==
        OpRecord{kMicrosecond, kMicrosecond + 320, 2 * kMicrosecond + 320});
}

TEST_CASE("two flows have half each - the survivor has the whole link from the first one's end") {
  // 16,000 and 48,000 bytes at 8 bytes/ns: the short ends at 2 us, then 32,000 left at 16: 2 us.
  OneLink link;
  PlainWork work;
  const auto short_op = work.transfer(work.add_lane(), link.route, 16'000);
  const auto long_op = work.transfer(work.add_lane(), link.route, 48'000);
  const Result result = simulate(link.network, work);
  CHECK(result.finish(short_op) == 2 * kMicrosecond);
  CHECK(result.finish(long_op) == 4 * kMicrosecond);
}

TEST_CASE("a latecomer halves the rate from its start on") {
  // 16,000 bytes alone take 1 us; at 500,000 ps the other starts: 8,000 left at half rate.
  OneLink link;
  PlainWork work;
  const auto early = work.transfer(work.add_lane(), link.route, 16'000);
  const auto late = work.transfer(work.add_lane(), link.route, 16'000);
  work.release(late, 500'000);
  const Result result = simulate(link.network, work);
  CHECK(result.finish(early) == 1'500'000);
  CHECK(result.finish(late) == 2'000'000);
}

TEST_CASE("rates in a run follow weights and maximum rates of the lanes") {
  // 12 GB/s to weights 1 and 2, and 4 GB/s at most to the third: 4, 8 and 4 of 16 GB/s.
  OneLink link;
  PlainWork work;
  Lane heavy;
  heavy.weight = 2;
  Lane limited;
  limited.maximum_rate = 4e9;
  const auto light_op = work.transfer(work.add_lane(), link.route, 4'000);
  const auto heavy_op = work.transfer(work.add_lane(heavy), link.route, 8'000);
  const auto limited_op = work.transfer(work.add_lane(limited), link.route, 4'000);
  const Result result = simulate(link.network, work);
  CHECK(result.finish(light_op) == kMicrosecond);
  CHECK(result.finish(heavy_op) == kMicrosecond);
  CHECK(result.finish(limited_op) == kMicrosecond);
}

TEST_CASE("half duplex: two directions share one resource and take twice as long") {
  OneLink cable;
  PlainWork one_way;
  one_way.transfer(one_way.add_lane(), cable.route, 16'000);
  PlainWork both_ways = one_way;
  both_ways.transfer(both_ways.add_lane(), cable.route, 16'000);
  CHECK(simulate(cable.network, one_way).totals.finish == Time{kMicrosecond});
  CHECK(simulate(cable.network, both_ways).totals.finish == Time{2 * kMicrosecond});
}

TEST_CASE("a stream pays latency once and overhead for every op: o + L + t + (k-1)(o + t)") {
  const std::int64_t t = kMicrosecond;
  const std::int64_t o = 250;
  const std::int64_t latency = 7'000'000;
  for (const std::int64_t k : {1, 2, 5}) {
    OneLink link;
    PlainWork work;
    const auto lane = work.add_lane(lane_of(latency, o));
    for (int i = 0; i < k; ++i) work.transfer(lane, link.route, 16'000);
    CHECK(simulate(link.network, work).totals.finish == Time{o + latency + t + (k - 1) * (o + t)});
  }
}

TEST_CASE("a pipeline of p ranks and k chunks takes (p-1)(o + L + t) + (k-1)(o + t)") {
  const std::int64_t t = kMicrosecond;
  for (const std::int64_t o : {0, 1, 40'000}) {
    for (const std::int64_t latency : {0, 3, 2'000'000}) {
      for (const std::uint32_t p : {2u, 3u, 8u}) {
        for (const std::uint32_t k : {1u, 2u, 7u}) {
          Network network(std::vector<double>(p - 1, 16e9));
          PlainWork work;
          for (std::uint32_t hop = 0; hop + 1 < p; ++hop) {
            const Use uses[] = {{hop, 1}};
            network.add_route(uses);
            work.add_lane(lane_of(latency, o));
          }
          for (std::uint32_t chunk = 0; chunk < k; ++chunk)
            for (std::uint32_t hop = 0; hop + 1 < p; ++hop) {
              const auto op = work.transfer(hop, hop, 16'000);
              if (hop > 0) work.edge(op - 1, op);
            }
          CHECK(simulate(network, work).totals.finish ==
                Time{(p - 1) * (o + latency + t) + (k - 1) * (o + t)});
        }
      }
    }
  }
}

TEST_CASE("ops of a lane never overtake: a ready op waits for the one before it") {
  OneLink link;
  PlainWork work;
  const auto lane = work.add_lane();
  const auto gate = work.compute(work.add_lane(), 5 * kMicrosecond);
  const auto first = work.transfer(lane, link.route, 16'000);
  const auto second = work.transfer(lane, link.route, 16'000);
  work.edge(gate, first);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[first] == OpRecord{5 * kMicrosecond, 5 * kMicrosecond, 6 * kMicrosecond});
  CHECK(result.table.ops[second] == OpRecord{0, 6 * kMicrosecond, 7 * kMicrosecond});
}

TEST_CASE("flows that start and end together are solved once each time") {
  OneLink link;
  PlainWork work;
  for (int i = 0; i < 100; ++i) work.transfer(work.add_lane(), link.route, 16'000);
  const Result result = simulate(link.network, work);
  CHECK(result.totals.solves == 2);
  CHECK(result.totals.finish == Time{100 * kMicrosecond});
}

TEST_CASE("equal times run in sequence order: the end that was known first comes first") {
  OneLink link;
  PlainWork work;
  const auto late = work.compute(work.add_lane(), 5);
  const auto early = work.compute(work.add_lane(), 10);
  work.release(late, 5);
  const Result result = simulate(link.network, work);
  CHECK(result.finish(late) == result.finish(early));
  CHECK(result.table.order == std::vector<std::uint32_t>{early, late});
}

TEST_CASE("an op of no bytes pays overhead and latency and finishes when it starts") {
  OneLink link;
  PlainWork work;
  const auto lane = work.add_lane(lane_of(1'000, 10));
  const auto signal = work.signal(lane);
  const auto next = work.signal(lane);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[signal] == OpRecord{0, 1'010, 1'010});
  CHECK(result.table.ops[next] == OpRecord{0, 1'020, 1'020});
  CHECK(result.totals.solves == 0);
}

TEST_CASE("over no resources a flow takes no time, unless its lane has a maximum rate") {
  OneLink link;
  const RouteIndex nowhere = link.network.add_route({});
  PlainWork work;
  Lane limited;
  limited.maximum_rate = 1e9;
  const auto free = work.transfer(work.add_lane(), nowhere, 1'000'000);
  const auto slow = work.transfer(work.add_lane(limited), nowhere, 1'000'000);
  const Result result = simulate(link.network, work);
  CHECK(result.finish(free) == 0);
  CHECK(result.finish(slow) == kMillisecond);
}

TEST_CASE("a compute op finishes its duration after its start, and its lane waits") {
  OneLink link;
  PlainWork work;
  const auto lane = work.add_lane();
  const auto first = work.compute(lane, 123);
  const auto second = work.compute(lane, 1);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[first] == OpRecord{0, 0, 123});
  CHECK(result.table.ops[second] == OpRecord{0, 123, 124});
}

TEST_CASE("a join finishes with the last of its dependencies") {
  OneLink link;
  PlainWork work;
  const auto soon = work.compute(work.add_lane(), 10);
  const auto late = work.compute(work.add_lane(), 20);
  const auto join = work.join();
  const auto after = work.compute(work.add_lane(), 5);
  work.edge(soon, join);
  work.edge(late, join);
  work.edge(join, after);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[join] == OpRecord{20, 20, 20});
  CHECK(result.table.ops[after] == OpRecord{20, 20, 25});
}

TEST_CASE("an op is not ready before its release, a join neither") {
  OneLink link;
  PlainWork work;
  const auto timed = work.compute(work.add_lane(lane_of(3, 0)), 10);
  const auto first_join = work.join();
  const auto join = work.join();
  const auto late = work.join();
  work.release(timed, 100);
  work.release(first_join, 40);
  work.release(join, 250);
  work.release(late, 5);
  work.edge(timed, join);
  work.edge(timed, late);
  const Result result = simulate(link.network, work);
  CHECK(result.table.ops[timed] == OpRecord{100, 103, 113});
  CHECK(result.table.ops[first_join] == OpRecord{40, 40, 40});
  CHECK(result.table.ops[join] == OpRecord{250, 250, 250});
  CHECK(result.table.ops[late] == OpRecord{113, 113, 113});
}

TEST_CASE("a chain of a million joins, or of zero-byte ops over two lanes, is a loop") {
  OneLink link;
  constexpr std::uint32_t kLength = 1'000'000;
  PlainWork joins;
  PlainWork signals;
  const std::uint32_t lanes[] = {signals.add_lane(), signals.add_lane()};
  for (std::uint32_t op = 0; op < kLength; ++op) {
    joins.join();
    signals.signal(lanes[op % 2]);
    if (op == 0) continue;
    joins.edge(op - 1, op);
    signals.edge(op - 1, op);
  }
  CHECK(simulate(link.network, joins).totals.ops_done == kLength);
  const Result result = simulate(link.network, signals);
  CHECK(result.totals.ops_done == kLength);
  CHECK(result.totals.finish == Time{0});
}

TEST_CASE("no work takes no time") {
  OneLink link;
  const Result result = simulate(link.network, PlainWork{});
  CHECK(result.totals.finish == Time{0});
  CHECK(result.totals.ops_done == 0);
  CHECK(result.totals.resources.size() == 1);
}

}  // namespace
}  // namespace syncsim::engine::fluid_network_test
