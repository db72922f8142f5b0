#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_numbers.h"
#include "tests/engine/reference.h"

namespace syncsim::engine {
namespace {

Network random_network(Draw& draw) {
  std::vector<double> capacities(1 + draw.below(6));
  for (double& capacity : capacities)
    capacity = draw.chance(50) ? 1e9 : draw.log_uniform(1e8, 3e10);
  Network network(capacities);
  for (int route = 0; route < 6; ++route) {
    std::vector<Use> uses;
    for (ResourceIndex r = 0; r < capacities.size(); ++r)
      if (draw.chance(45)) uses.push_back({r, draw.chance(60) ? 1 : draw.log_uniform(0.25, 2)});
    network.add_route(uses);
  }
  return network;
}

Lane random_lane(Draw& draw) {
  Lane lane;
  if (draw.chance(50)) lane.latency.ps = draw.below(5'000'000);
  if (draw.chance(50)) lane.overhead.ps = draw.below(1'000'000);
  if (draw.chance(40)) lane.weight = draw.log_uniform(0.25, 4);
  if (draw.chance(30)) lane.maximum_rate = draw.log_uniform(1e8, 1e10);
  return lane;
}

std::uint32_t random_op(Draw& draw, PlainWork& work) {
  const std::uint32_t lane = draw.below(work.lane_count());
  if (draw.chance(10)) return work.join();
  if (draw.chance(10)) return work.signal(lane);
  if (draw.chance(10)) return work.compute(lane, draw.below(20'000'000));
  const std::int64_t bytes = draw.chance(50) ? 10'000 : 1 + draw.below(50'000);
  return work.transfer(lane, draw.below(6), bytes);
}

PlainWork random_work(Draw& draw) {
  PlainWork work;
  const std::uint32_t lanes = 1 + draw.below(8);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) work.add_lane(random_lane(draw));
  const std::uint32_t ops = 1 + draw.below(30);
  for (std::uint32_t count = 0; count < ops; ++count) {
    const std::uint32_t op = random_op(draw, work);
    for (std::uint32_t edges = draw.below(3); op > 0 && edges > 0; --edges)
      work.edge(draw.below(op), op);
    if (draw.chance(15)) work.release(op, draw.below(30'000'000));
  }
  return work;
}

// To 0, to others and, at the end, back to what all was. The others are near: what a picosecond
// carries at a high rate takes many at a low one.
std::vector<CapacityChange> random_changes(Draw& draw, const Network& network) {
  std::vector<CapacityChange> changes;
  std::int64_t time = 0;
  for (std::uint32_t count = 1 + draw.below(8); count > 0; --count) {
    if (draw.chance(80)) time += 1 + draw.below(20'000'000);
    for (ResourceIndex r = 0; r < network.resource_count(); ++r)
      if (draw.chance(30))
        changes.push_back(
            {time, r, draw.chance(40) ? 0 : network.capacity(r) * draw.log_uniform(0.5, 2)});
    ++time;
  }
  for (ResourceIndex r = 0; r < network.resource_count(); ++r)
    changes.push_back({time + 1'000'000, r, network.capacity(r)});
  return changes;
}

// To 1 ps an event (each completion is rounded up to a picosecond), or 1e-9 of the time.
void compare(const Network& network, const PlainWork& work,
             const std::vector<CapacityChange>& changes) {
  const Result result = simulate(network, work, changes);
  reference::Simulator naive(network, work, changes);
  const std::vector<reference::OpTimes> expected = naive.run();
  REQUIRE(result.totals.ops_done == work.size());
  for (std::uint32_t op = 0; op < work.size(); ++op) {
    CAPTURE(op);
    const auto start = static_cast<double>(expected[op].start);
    const auto finish = static_cast<double>(expected[op].finish);
    const double tolerance = std::max(static_cast<double>(naive.events()), 1e-9 * finish);
    REQUIRE(finish >= 0);
    REQUIRE(std::abs(static_cast<double>(result.start(op)) - start) <= tolerance);
    REQUIRE(std::abs(static_cast<double>(result.finish(op)) - finish) <= tolerance);
  }
}

TEST_CASE("random DAGs run as the naive simulator in continuous time runs them") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Network network = random_network(draw);
    compare(network, random_work(draw), {});
  }
}

TEST_CASE("they do so while capacities change") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Network network = random_network(draw);
    const PlainWork work = random_work(draw);
    compare(network, work, random_changes(draw, network));
  }
}

TEST_CASE("two runs of the same work give the same timeline, byte for byte") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed);
    const Network network = random_network(draw);
    const PlainWork work = random_work(draw);
    const Result first = simulate(network, work, Audit::off);
    const Result second = simulate(network, work, Audit::on);
    REQUIRE(first.table.ops == second.table.ops);
    REQUIRE(first.table.order == second.table.order);
  }
}

}  // namespace
}  // namespace syncsim::engine
