// Remaining bytes and the solver's sums are kept up by adding and subtracting. Over a million
// events without an idle instant, at which they could begin anew, their rounding must not add up.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_numbers.h"
#include "tests/engine/reference_run.h"
#include "tests/engine/retrace.h"

namespace syncsim::engine::drift_test {
namespace {

#ifdef NDEBUG
constexpr std::uint32_t kFlowsOfLane = 45'000;
#else  // debug and sanitizer builds are ten times slower
constexpr std::uint32_t kFlowsOfLane = 2'000;
#endif
constexpr std::uint32_t kResources = 9;
constexpr std::uint32_t kRoutes = 20;
constexpr std::uint32_t kStanding = 3;  // lanes with one flow that lasts to the end
constexpr std::uint32_t kPassing = 5;   // lanes with many flows

// Capacities within 3 times, coefficients within 4, so that bottlenecks move about. Two standing
// flows share resource 0 alone, which so never ceases to be their bottleneck; one uses them all.
Network contended_network(Draw& draw) {
  std::vector<double> capacities(kResources);
  for (double& capacity : capacities) capacity = draw.log_uniform(5e8, 1.5e9);
  Network network(capacities);
  network.add_route(std::vector<Use>{{0, 1}});
  network.add_route(std::vector<Use>{{0, 1}});
  std::vector<Use> everywhere;
  for (ResourceIndex r = 0; r < kResources; ++r)
    everywhere.push_back({r, draw.log_uniform(0.5, 2)});
  network.add_route(everywhere);
  for (std::uint32_t route = kStanding; route < kRoutes; ++route) {
    const ResourceIndex first = draw.below(kResources);
    const ResourceIndex step = 1 + draw.below(3);
    const Use uses[] = {{first, draw.log_uniform(0.5, 2)},
                        {(first + step) % kResources, draw.log_uniform(0.5, 2)},
                        {(first + 2 * step) % kResources, draw.log_uniform(0.5, 2)}};
    network.add_route(uses);
  }
  return network;
}

enum class Begin { by_clock, after_previous };

// Passing flows come again and again on every lane. `scale`: of all bytes.
PlainWork busy_work(Draw& draw, Begin begin, std::int64_t scale) {
  PlainWork work;
  for (std::uint32_t standing = 0; standing < kStanding; ++standing)
    work.transfer(work.add_lane({{}, {}, draw.log_uniform(0.05, 0.1), 0}), standing,
                  kFlowsOfLane * scale * 8'500'000);
  for (std::uint32_t passing = 0; passing < kPassing; ++passing)
    work.add_lane({Time{draw.below(2'000'000)}, Time{passing % 2 == 0 ? 0 : draw.below(100'000)},
                   draw.log_uniform(0.5, 2), passing == 0 ? 4e8 : 0});
  std::vector<std::int64_t> clocks(work.lane_count(), 0);
  for (std::uint32_t flow = 0; flow < kFlowsOfLane; ++flow)
    for (std::uint32_t lane = kStanding; lane < kStanding + kPassing; ++lane) {
      const auto bytes = static_cast<std::int64_t>(draw.log_uniform(1e4, 1e7));
      const std::uint32_t route = kStanding + draw.below(kRoutes - kStanding);
      const std::uint32_t op = work.transfer(lane, route, bytes * scale);
      if (begin == Begin::by_clock) work.release(op, clocks[lane]);
      clocks[lane] += static_cast<std::int64_t>(draw.unit() * 3e10);
    }
  return work;
}

struct Busy {
  explicit Busy(Begin begin, std::int64_t scale = 1)
      : draw(2),
        network(contended_network(draw)),
        work(busy_work(draw, begin, scale)),
        result(simulate(network, work, Audit::off)) {}
  Draw draw;
  Network network;
  PlainWork work;
  Result result;
};

void require_never_idle(const Busy& busy) {
  const auto& ops = busy.result.table.ops;
  std::int64_t last = 0;
  for (std::uint32_t op = kStanding; op < ops.size(); ++op) last = std::max(last, ops[op].finish);
  for (std::uint32_t standing = 0; standing < kStanding; ++standing) {
    REQUIRE(ops[standing].start == 0);
    REQUIRE(ops[standing].finish > last);
  }
}

// Not after the previous flow: such a loop lets 10 ps grow to a second within seconds.
TEST_CASE("a million events without rest end as in continuous time, to 1e-9 of it") {
  const Busy busy(Begin::by_clock);
  require_never_idle(busy);
  const auto expected = reference::LaneSimulator(busy.network, busy.work).run();
  std::uint64_t events = 0;
  for (std::uint32_t op = 0; op < busy.work.size(); ++op) {
    CAPTURE(op);
    const reference::OpTimes& right = expected[op];
    const auto late =
        static_cast<double>(static_cast<reference::Real>(busy.result.finish(op)) - right.finish);
    REQUIRE(std::abs(late) <=
            std::max<double>(right.rate_changes, 1e-9 * static_cast<double>(right.finish)));
    events += 2 + static_cast<std::uint64_t>(right.rate_changes);  // start, end
  }
  CHECK(events >= kFlowsOfLane * std::uint64_t{25});  // of release builds: 1,125,000
}

// A day in all, so that sums which only ever grew would have lost a picosecond.
TEST_CASE("in every state of a million events rates are right to 1e-12 and completions to 1 ps") {
  const Busy busy(Begin::after_previous, 100);
  require_never_idle(busy);
  const auto all = reference::retrace(busy.network, busy.work, busy.result.table);
  CHECK(all.flows == busy.work.size());
  CHECK(2 * all.flows + all.rate_changes >= kFlowsOfLane * std::uint64_t{25});
}

}  // namespace
}  // namespace syncsim::engine::drift_test
