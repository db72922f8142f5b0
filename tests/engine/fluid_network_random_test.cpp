#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_works.h"
#include "tests/engine/reference.h"
#include "tests/engine/retrace.h"

namespace syncsim::engine::fluid_network_random_test {
namespace {

// Of random_network and of RandomMachine in turn.
struct Case {
  Case(std::uint64_t seed, const WorkSize& most)
      : draw(seed),
        network(seed % 2 == 0 ? random_network(draw) : RandomMachine(draw).network(12)),
        work(random_work(draw, network, most)) {}
  Draw draw;
  Network network;
  PlainWork work;
};

struct Compared {
  std::uint64_t flows = 0;
  std::uint64_t solves = 0;
  std::uint64_t rate_changes = 0;
};

double distance(std::int64_t time, reference::Real right) {
  return std::abs(static_cast<double>(static_cast<reference::Real>(time) - right));
}

// Picoseconds in which a flow of the timetable is on the resource.
std::int64_t busy_time(const Case& random, const Result& result, ResourceIndex resource) {
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  for (std::uint32_t op = 0; op < random.work.size(); ++op)
    if (random.work.lane_of(op) != kNoLane && random.work.bytes_of(op) > 0 &&
        reference::takes(random.network, random.work.route_of(op), resource))
      intervals.emplace_back(result.start(op), result.finish(op));
  std::sort(intervals.begin(), intervals.end());
  std::int64_t busy = 0;
  std::int64_t end = 0;
  for (const auto& [start, finish] : intervals) {
    busy += std::max<std::int64_t>(0, finish - std::max(start, end));
    end = std::max(end, finish);
  }
  return busy;
}

// Every start and finish.
void compare_with_naive(const Case& random, Compared& all,
                        const std::vector<CapacityChange>& changes = {}) {
  const Result result = simulate(random.network, random.work, changes);
  const auto expected = reference::Simulator(random.network, random.work, changes).run();
  REQUIRE(result.totals.ops_done == random.work.size());
  for (std::uint32_t op = 0; op < random.work.size(); ++op) {
    CAPTURE(op);
    const reference::OpTimes& right = expected[op];
    const double most =
        std::max<double>(right.rate_changes, 1e-9 * static_cast<double>(right.finish));
    REQUIRE(right.finish >= 0);
    REQUIRE(distance(result.start(op), right.start) <= most);
    REQUIRE(distance(result.finish(op), right.finish) <= most);
    all.flows += right.rate_changes > 0;
    all.rate_changes += static_cast<std::uint64_t>(right.rate_changes);
  }
  all.solves += result.totals.solves;
  for (ResourceIndex r = 0; r < random.network.resource_count(); ++r) {
    CAPTURE(r);
    const ResourceUsage& usage = result.totals.resources[r];
    REQUIRE(usage.busy == busy_time(random, result, r));
    REQUIRE(usage.saturated <= usage.busy);
  }
}

// Counts are asserted, so that no test falls silent. Flows take milliseconds: every completion is
// rounded up to 1 ps, what waits for it starts later by that, and a flow that then loses a high
// rate ends later by more.
TEST_CASE("random DAGs run as in continuous time, to 1 ps a change of rate or 1e-9 of the time") {
  Compared all;
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    CAPTURE(seed);
    compare_with_naive(Case(seed, {.bytes = 500'000'000, .least_bytes = 50'000'000}), all);
  }
  CHECK(all.flows >= 60'000);
  CHECK(all.solves >= 100'000);
  CHECK(all.rate_changes >= 110'000);
}

// To 0, to others and, at the end, back to what all was. The others are near: what a picosecond
// carries at a high rate takes many at a low one.
std::vector<CapacityChange> random_changes(Draw& draw, const Network& network) {
  std::vector<CapacityChange> changes;
  std::int64_t time = 0;
  for (std::uint32_t count = 1 + draw.below(8); count > 0; --count) {
    if (draw.chance(80)) time += 1 + draw.below(2'000'000'000);
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

TEST_CASE("they do so while capacities change") {
  Compared all;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    CAPTURE(seed);
    Case random(seed, {.bytes = 500'000'000, .least_bytes = 50'000'000});
    compare_with_naive(random, all, random_changes(random.draw, random.network));
  }
  CHECK(all.flows >= 20'000);
  CHECK(all.rate_changes >= 40'000);
}

TEST_CASE("in every state of random runs rates are right to 1e-12 and completions to 1 ps") {
  reference::Retraced all;
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    CAPTURE(seed);
    const Case random(seed, {.lanes = 14, .ops = 60});
    const Result result = simulate(random.network, random.work);
    REQUIRE(result.totals.ops_done == random.work.size());
    const auto one = reference::retrace(random.network, random.work, result.table);
    all.flows += one.flows;
    all.solves += one.solves;
    all.rates += one.rates;
  }
  CHECK(all.flows >= 120'000);
  CHECK(all.solves >= 200'000);
  CHECK(all.rates >= 480'000);
}

TEST_CASE("two runs of the same work give the same timeline, byte for byte, audited or not") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case random(seed, {});
    const Result first = simulate(random.network, random.work, Audit::off);
    const Result second = simulate(random.network, random.work, Audit::on);
    REQUIRE(first.table.ops == second.table.ops);
    REQUIRE(first.table.order == second.table.order);
  }
}

}  // namespace
}  // namespace syncsim::engine::fluid_network_random_test
