// The rates of resources, followed through a run.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/executor.h"
#include "sim/exec/rate_follower.h"
#include "sim/exec/traffic.h"
#include "sim/topology/resources.h"
#include "tests/support/machines.h"
#include "tests/support/schedules.h"

namespace syncsim::rate_follower_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

struct Step {
  Time from;
  double rate = 0;
  friend bool operator==(const Step&, const Step&) = default;
};
using Steps = std::vector<Step>;

struct Kept : RateWatch {
  std::map<std::uint32_t, Steps> steps;
  void carries(std::uint32_t resource, double rate, Time from) override {
    steps[resource].push_back({from, rate});
  }
};

// Bytes x 10^12 / second are bytes x picoseconds.
double carried(const Steps& steps) {
  double bytes = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i)
    bytes += steps[i].rate * seconds(steps[i + 1].from - steps[i].from);
  return bytes;
}

struct Followed {
  Timeline timeline;
  Kept kept;
  Resources resources;

  const Steps& of(const std::string& name) const {
    const auto& all = resources.all();
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const Resource& each) { return each.name == name; });
    return kept.steps.at(static_cast<std::uint32_t>(at - all.begin()));
  }
};

Followed follow(const Topology& machine, const Schedule& schedule, ExecutionOptions options = {}) {
  Followed run{{}, {}, Resources(machine, Rates::line)};
  options.rate_watch = &run.kept;
  run.timeline = execute_simulated(schedule, machine, options);
  return run;
}

constexpr Time at_us(std::int64_t us) { return {us * 1'000'000}; }

// gpu0 sends 1 kB to gpu1 and 3 kB to gpu2 at once over its one GB/s: halves until 2 us, then all.
Followed two_flows() {
  const Topology machine(testing::star(3, gigabytes(1)));
  testing::HandMade plan(collective_of(CollectiveKind::broadcast, 3, 4'000), 4);
  plan.copy(0, 1, 0);
  plan.copy(0, 2, 1, 3);
  return follow(machine, plan.build());
}

}  // namespace

TEST_CASE("a link tells each rate from when on it holds, and 0 at the end") {
  const Followed run = two_flows();
  CHECK(run.of("gpu0>switch0") == Steps{{at_us(0), 1e9}, {at_us(4), 0}});
  CHECK(run.of("switch0>gpu1") == Steps{{at_us(0), 0.5e9}, {at_us(2), 0}});
  CHECK(run.of("switch0>gpu2") == Steps{{at_us(0), 0.5e9}, {at_us(2), 1e9}, {at_us(4), 0}});
}

TEST_CASE("a link that carries nothing tells nothing") {
  CHECK_THROWS_AS(two_flows().of("gpu1>switch0"), std::out_of_range);
}

TEST_CASE("flows that follow each other at the same rate are no step") {
  const Topology machine(testing::star(2, gigabytes(1)));
  testing::HandMade plan(collective_of(CollectiveKind::broadcast, 2, 4'000), 4);
  for (std::uint32_t chunk = 0; chunk < 4; ++chunk) plan.copy(0, 1, chunk);
  CHECK(follow(machine, plan.build()).of("gpu0>switch0") == Steps{{at_us(0), 1e9}, {at_us(4), 0}});
}

TEST_CASE("the integral of the rates is what each resource carried, to a run's rates no change") {
  const Followed run = two_flows();
  for (std::uint32_t id = 0; id < run.timeline.resources.size(); ++id) {
    const auto steps = run.kept.steps.find(id);
    const double bytes = steps == run.kept.steps.end() ? 0 : carried(steps->second);
    CHECK(bytes == doctest::Approx(run.timeline.resources[id].bytes).epsilon(1e-9));
  }
}

}  // namespace syncsim::rate_follower_test
