// What run() refuses, and with which words.
#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "sim/base/error.h"
#include "sim/engine/run_state.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::failure_test {
namespace {

constexpr const char* kOverflow =
    "simulated time would pass 2^63 - 1 ps (about 106 days); "
    "move less, over faster links, at less overhead and latency";
constexpr std::int64_t kHalf = std::int64_t{1} << 62;

Network one_link(double capacity = 16e9) {
  Network network({capacity});
  const Use uses[] = {{0, 1}};
  network.add_route(uses);
  return network;
}

Deadlock deadlock_of(const PlainWork& work) {
  const Network network = one_link();
  try {
    simulate(network, work);
  } catch (const Deadlock& deadlock) {
    return deadlock;
  }
  FAIL("the run ended");
  return Deadlock({}, 0);
}

TEST_CASE("a cycle of edges is a deadlock that names its ops and those behind it") {
  PlainWork work;
  const auto before = work.signal(work.add_lane());
  const auto first = work.signal(work.add_lane());
  const auto second = work.join();
  const auto behind = work.signal(work.add_lane());
  work.edge(before, first);
  work.edge(first, second);
  work.edge(second, first);
  work.edge(second, behind);
  const Deadlock deadlock = deadlock_of(work);
  CHECK(deadlock.blocked == std::vector<std::uint32_t>{first, second, behind});
  CHECK(deadlock.unfinished == 3);
  CHECK(std::string(deadlock.what()) == "deadlock: 3 ops can never finish: 1, 2, 3");
}

TEST_CASE("lane order counts as edges: an op that waits for a later one of its lane blocks it") {
  PlainWork work;
  const auto lane = work.add_lane();
  const auto done = work.transfer(lane, 0, 1'000);
  const auto first = work.transfer(lane, 0, 1'000);
  const auto second = work.transfer(lane, 0, 1'000);
  work.edge(second, first);
  const Deadlock deadlock = deadlock_of(work);
  CHECK(done == 0);
  CHECK(deadlock.blocked == std::vector<std::uint32_t>{first, second});
  CHECK(std::string(deadlock.what()) == "deadlock: 2 ops can never finish: 1, 2");
}

TEST_CASE("a deadlock names sixteen ops and counts all") {
  PlainWork work;
  for (std::uint32_t op = 0; op < 40; ++op) work.join();
  for (std::uint32_t op = 0; op < 40; ++op) work.edge(op, (op + 1) % 40);
  const Deadlock deadlock = deadlock_of(work);
  std::vector<std::uint32_t> named(16);
  std::iota(named.begin(), named.end(), 0u);
  CHECK(deadlock.blocked == named);
  CHECK(deadlock.unfinished == 40);
  CHECK(std::string(deadlock.what()) ==
        "deadlock: 40 ops can never finish: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
        "...");
}

TEST_CASE("times past int64 picoseconds are refused, not wrapped") {
  Lane slow;
  slow.latency.ps = kHalf;
  slow.overhead.ps = kHalf;
  const auto refused = [](const Network& network, const PlainWork& work) {
    CHECK_THROWS_WITH_AS(simulate(network, work), kOverflow, InputError);
  };
  PlainWork flow;  // 2^62 bytes at 1 B/s
  flow.transfer(flow.add_lane(), 0, kHalf);
  refused(one_link(1), flow);
  PlainWork latency;  // 2^62 + 2^62 ps
  latency.signal(latency.add_lane(slow));
  refused(one_link(), latency);
  PlainWork compute;
  const auto lane = compute.add_lane();
  compute.compute(lane, kHalf);
  compute.compute(lane, kHalf);
  refused(one_link(), compute);
}

TEST_CASE("the last picosecond of int64 can be reached") {
  PlainWork work;
  const auto lane = work.add_lane();
  work.compute(lane, kHalf);
  work.compute(lane, kHalf - 1);
  const Network network = one_link();
  CHECK(simulate(network, work).totals.finish == Time{std::numeric_limits<std::int64_t>::max()});
}

TEST_CASE("work that names what is not there is refused before the first event") {
  const Network network = one_link();
  const auto refused = [&](const PlainWork& work, const char* message) {
    CHECK_THROWS_WITH_AS(simulate(network, work), message, InternalError);
  };
  PlainWork edge;
  edge.edge(edge.join(), 7);
  refused(edge, "an edge leads to an op that is not there");
  PlainWork lane;
  lane.signal(3);
  refused(lane, "an op is on a lane that is not there");
  PlainWork route;
  route.transfer(route.add_lane(), 1, 100);
  refused(route, "an op takes a route that is not there");
}

TEST_CASE("bytes, durations, releases and lanes have no impossible figures") {
  const Network network = one_link();
  const auto refused = [&](const PlainWork& work, const char* message) {
    CHECK_THROWS_WITH_AS(simulate(network, work), message, InternalError);
  };
  PlainWork bytes;
  bytes.transfer(bytes.add_lane(), 0, -1);
  refused(bytes, "an op has less than no bytes");
  PlainWork duration;
  duration.compute(duration.add_lane(), -1);
  refused(duration, "an op takes less than no time");
  PlainWork release;
  release.release(release.join(), -1);
  refused(release, "an op is released before time 0");
  const auto refused_lane = [&](const Lane& lane, const char* message) {
    PlainWork work;
    work.add_lane(lane);
    refused(work, message);
  };
  refused_lane({Time{-1}, Time{0}, 1, 0}, "a lane's latency or overhead is below 0");
  refused_lane({Time{0}, Time{-1}, 1, 0}, "a lane's latency or overhead is below 0");
  refused_lane({Time{0}, Time{0}, 0, 0}, "a lane's weight is not finite and above 0");
  refused_lane({Time{0}, Time{0}, 1, -1}, "a lane's maximum rate is not finite and at least 0");
}

TEST_CASE("a flow that at first is too slow for int64 ends when others make room") {
  // 1e-6 of 1e6 parts of 1 GB/s would take 500 MB 16 years; after 1 s the link is its own.
  Network network({1e9, 1e9 - 0.01});
  const Use both[] = {{0, 1}, {1, 1}};
  const Use one[] = {{0, 1}};
  network.add_route(both);
  network.add_route(one);
  PlainWork work;
  Lane heavy;
  heavy.weight = 1e6;
  Lane light;
  light.weight = 1e-6;
  work.transfer(work.add_lane(heavy), 0, 500'000'000);
  work.transfer(work.add_lane(light), 1, 500'000'000);
  CHECK(simulate(network, work).finish(1) == doctest::Approx(1e12).epsilon(1e-9));
}

TEST_CASE("the audit of delivery allows rate x 1 ps + 1e-9 of the bytes, and no more") {
  // 1,000 bytes at 1e12 B/s: 1 byte and a millionth off are allowed.
  CHECK_NOTHROW(require_delivered(5, 1'000, 0, 1e12));
  CHECK_NOTHROW(require_delivered(5, 1'000, 1, 1e12));
  CHECK_NOTHROW(require_delivered(5, 1'000, -1, 1e12));
  CHECK_THROWS_WITH_AS(require_delivered(5, 1'000, 2, 1e12),
                       "op 5 ends with 2 of its 1000 bytes left", InternalError);
  CHECK_THROWS_WITH_AS(require_delivered(5, 1'000, -2, 1e12),
                       "op 5 ends with -2 of its 1000 bytes left", InternalError);
}

}  // namespace
}  // namespace syncsim::engine::failure_test
