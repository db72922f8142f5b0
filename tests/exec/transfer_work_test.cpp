#include "sim/exec/transfer_work.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/machines.h"
#include "tests/support/schedules.h"

namespace syncsim::transfer_work_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::HandMade;

// A star of three; of every link the latency is 5 ps and the overhead 7 ps. gpu2 adds at 4 GB/s.
Topology machine() {
  Topology::Parts parts = testing::star(3, gigabytes(1));
  for (Link& link : parts.links) {
    link.latency = {5};
    link.overhead = {7};
  }
  parts.nodes[2].reduce_bandwidth = gigabytes(4);
  return Topology(parts);
}

HandMade plan() { return HandMade(collective_of(CollectiveKind::allreduce, 3, 30), 3); }

// What the engine sees of a schedule. The members keep references to each other.
struct Seen {
  explicit Seen(const HandMade& parts, const ExecutionOptions& options = {})
      : topology(machine()),
        resources(topology, options.rates),
        schedule(parts.build()),
        work(schedule, topology, resources, options) {}
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  std::vector<std::string> route(std::uint32_t op) const {
    std::vector<std::string> names;
    for (const engine::Use& use : work.network().route(work.route_of(op)))
      names.push_back(resources.all()[use.resource].name);
    return names;
  }

  Topology topology;
  Resources resources;
  Schedule schedule;
  TransferWork work;
};

}  // namespace

TEST_CASE("a lane is a source, a destination and a channel, numbered by first use") {
  HandMade parts = plan();
  parts.copy(1, 0, 0);
  parts.copy(0, 1, 0);
  parts.copy(1, 0, 1);
  parts.copy(1, 0, 2);
  parts.on_channel(1);
  parts.copy(0, 1, 1);
  const Seen seen(parts);
  CHECK(seen.work.size() == 5);
  CHECK(seen.work.lane_count() == 3);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t op = 0; op < 5; ++op) lanes.push_back(seen.work.lane_of(op));
  CHECK(lanes == std::vector<std::uint32_t>{0, 1, 0, 2, 1});
}

TEST_CASE("a lane has its route's latency, and its links' overhead plus the run's") {
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  ExecutionOptions options;
  options.overhead = {100};
  const Seen seen(parts, options);
  CHECK(seen.work.lane(0).latency == Time{10});
  CHECK(seen.work.lane(0).overhead == Time{107});
}

TEST_CASE("what stays at one participant has neither latency nor overhead") {
  HandMade parts = plan();
  parts.compute(0);
  ExecutionOptions options;
  options.overhead = {100};
  const Seen seen(parts, options);
  CHECK(seen.work.lane(0).latency == Time{0});
  CHECK(seen.work.lane(0).overhead == Time{0});
  CHECK(seen.work.duration_of(0) == 1'000);
  CHECK(seen.work.bytes_of(0) == 0);
}

TEST_CASE("a lane has its channel's weight and maximum rate") {
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1);
  parts.on_channel(1);
  parts.schedule.channels[1] = {3, 2e9};
  const Seen seen(parts);
  CHECK(seen.work.lane(0).weight == 1);
  CHECK(seen.work.lane(0).maximum_rate == 0);
  CHECK(seen.work.lane(1).weight == 3);
  CHECK(seen.work.lane(1).maximum_rate == 2e9);
}

TEST_CASE("a maximum rate is of what goes to another participant") {
  HandMade parts = plan();
  parts.schedule.channels[0] = {1, 2e9};
  parts.add(OpKind::reduce, 0, {0, 0}, 0, {0, 1});
  CHECK(Seen(parts).work.lane(0).maximum_rate == 0);
}

TEST_CASE("joins have no lane") {
  HandMade parts = plan();
  parts.join(0);
  const Seen seen(parts);
  CHECK(seen.work.lane_of(0) == engine::kNoLane);
  CHECK(seen.work.lane_count() == 0);
}

TEST_CASE("a reduce crosses the destination's reduce engine, a copy does not") {
  HandMade parts = plan();
  parts.copy(0, 2, 0);
  parts.reduce(0, 2, 1);
  parts.reduce(2, 0, 2);
  const Seen seen(parts);
  CHECK(seen.route(0) == std::vector<std::string>{"gpu0>switch0", "switch0>gpu2"});
  CHECK(seen.route(1) == std::vector<std::string>{"gpu0>switch0", "switch0>gpu2", "gpu2:reduce"});
  CHECK(seen.route(2) == std::vector<std::string>{"gpu2>switch0", "switch0>gpu0"});
}

TEST_CASE("lanes that share a route share its entry in the network") {
  HandMade parts = plan();
  parts.reduce(0, 2, 0);
  parts.reduce(0, 2, 1);
  parts.on_channel(1);
  const Seen seen(parts);
  CHECK(seen.work.lane_count() == 2);
  CHECK(seen.work.route_of(0) == seen.work.route_of(1));
  CHECK(seen.work.network().route_count() == 2);  // copying and adding
}

TEST_CASE("bytes are those of the chunks - signals have none") {
  HandMade parts = plan();
  parts.copy(0, 1, 1, 2);
  parts.signal(0, 1);
  const Seen seen(parts);
  CHECK(seen.work.bytes_of(0) == 20);
  CHECK(seen.work.bytes_of(1) == 0);
  CHECK(seen.work.duration_of(1) == 0);
}

TEST_CASE("capacities are the line rates, or the usable ones where asked for") {
  const Seen line(plan());
  CHECK(line.work.network().resource_count() == 7);  // 6 link directions, 1 reduce engine
  CHECK(line.work.network().capacity(0) == 1e9);
  Topology::Parts parts = machine().parts();
  for (Link& link : parts.links) link.usable = gigabytes(0.75);
  const Topology slower(parts);
  const Resources resources(slower, Rates::usable);
  const Schedule schedule = plan().build();
  const TransferWork work(schedule, slower, resources, {});
  CHECK(work.network().capacity(0) == 0.75e9);
}

}  // namespace syncsim::transfer_work_test
