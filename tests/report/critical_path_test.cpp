#include "sim/report/critical_path.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/exec/executor.h"
#include "tests/support/machines.h"
#include "tests/support/routed.h"
#include "tests/support/schedules.h"

namespace syncsim::critical_path_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::HandMade;

using Path = std::vector<OpId>;

// 1 GB/s, so that a byte takes 1,000 ps; a route has 2 x 10,000 ps of latency.
Topology machine() {
  Topology::Parts parts = testing::star(3, gigabytes(1));
  for (Link& link : parts.links) link.latency = {10'000};
  return Topology(parts);
}

// Chunks of 100 bytes, which take 100,000 ps.
HandMade plan() { return HandMade(collective_of(CollectiveKind::allreduce, 3, 400), 4); }

OpId compute(HandMade& parts, ParticipantId at, std::int64_t ps) {
  parts.schedule.durations.push_back({ps});
  const OpId op = parts.compute(at);
  parts.schedule.ops.back().source_chunk =
      static_cast<std::uint32_t>(parts.schedule.durations.size() - 1);
  return op;
}

Path path_of(const HandMade& parts, const Topology& topology, ExecutionOptions options = {}) {
  options.audit = true;
  const Schedule schedule = parts.build();
  return critical_path(topology, schedule, execute_simulated(schedule, topology, options),
                       options.rates);
}

Path path_of(const HandMade& parts) { return path_of(parts, machine()); }

}  // namespace

TEST_CASE("the path leads from the last op to finish back over its dependencies") {
  HandMade parts = plan();
  const OpId first = parts.copy(0, 1, 0);
  const OpId aside = parts.copy(2, 0, 1);
  const OpId second = parts.copy(1, 2, 0);
  parts.edge(first, second);
  CHECK(path_of(parts) == Path{first, second});
  CHECK(aside == 1);
}

TEST_CASE("a group's op is on the path like any other, by the latency of its tree") {
  Topology::Parts machine_parts = machine().parts();
  machine_parts.nodes.back().abilities = {true, true};
  HandMade parts = plan();
  parts.schedule.groups = {{0, 1, 2}};
  const OpId before = parts.copy(2, 1, 1);
  const OpId sum = parts.reduce(kGroupBit, 0, 0);
  const OpId spread = parts.copy(0, kGroupBit, 0);
  parts.edge(before, sum);
  parts.edge(sum, spread);
  CHECK(path_of(parts, Topology(machine_parts)) == Path{before, sum, spread});
}

TEST_CASE("of several dependencies the last to finish holds an op up") {
  HandMade parts = plan();
  const OpId brief = parts.copy(0, 2, 0);
  const OpId lasting = parts.copy(1, 2, 1, 3);
  const OpId then = parts.copy(2, 0, 0);
  parts.edge(brief, then);
  parts.edge(lasting, then);
  CHECK(path_of(parts) == Path{lasting, then});
}

TEST_CASE("of dependencies that finish together the first one is named") {
  HandMade parts = plan();
  const OpId one = parts.copy(0, 2, 0);
  const OpId other = parts.copy(1, 2, 0);
  const OpId then = parts.copy(2, 0, 0);
  parts.edge(one, then);
  parts.edge(other, then);
  CHECK(path_of(parts) == Path{one, then});
}

TEST_CASE("an op without dependencies is held up by the one before it on its lane") {
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1);
  parts.copy(0, 1, 2);
  CHECK(path_of(parts) == Path{0, 1, 2});
}

TEST_CASE("ops of other channels are on other lanes") {
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1, 2);
  parts.on_channel(1);
  CHECK(path_of(parts) == Path{1});
}

TEST_CASE("the lane holds up what could have arrived earlier, the dependency what could not") {
  // The lane's first op runs from 20,000 to 120,000 ps; the second's data can arrive at
  // `duration` + 20,000.
  const auto path_after = [](std::int64_t duration) {
    HandMade parts = plan();
    parts.copy(0, 1, 0);
    const OpId before = compute(parts, 0, duration);
    parts.edge(before, parts.copy(0, 1, 1));
    return path_of(parts);
  };
  CHECK(path_after(99'999) == Path{0, 2});
  CHECK(path_after(100'000) == Path{1, 2});  // both at once: the data decides
  CHECK(path_after(100'001) == Path{1, 2});
}

TEST_CASE("overhead moves lane and dependency alike") {
  ExecutionOptions options;
  options.overhead = {5'000};
  // The lane's first op ends at 125,000 ps.
  const auto path_after = [&](std::int64_t duration) {
    HandMade parts = plan();
    parts.copy(0, 1, 0);
    const OpId before = compute(parts, 0, duration);
    parts.edge(before, parts.copy(0, 1, 1));
    return path_of(parts, machine(), options);
  };
  CHECK(path_after(104'999) == Path{0, 2});
  CHECK(path_after(105'000) == Path{1, 2});
}

TEST_CASE("the path leads through joins") {
  HandMade parts = plan();
  const OpId first = parts.copy(0, 1, 0);
  const OpId join = parts.join(1);
  const OpId second = parts.copy(1, 2, 0);
  parts.edge(first, join);
  parts.edge(join, second);
  CHECK(path_of(parts) == Path{first, join, second});
}

TEST_CASE("latencies are those of the run's rates") {
  // Widest at line rates by s0, without latency; at usable rates by s1, with 1 us of it.
  Topology::Parts parts = testing::two_gpus(2);
  Link quick = testing::link_of(LinkKind::pcie, gigabytes(2));
  quick.usable = gigabytes(0.5);
  const Link steady = testing::timed(testing::link_of(LinkKind::pcie, gigabytes(1)), 500'000);
  for (const NodeId gpu : {0, 1}) testing::add_cable(parts, gpu, testing::s(0), quick);
  for (const NodeId gpu : {0, 1}) testing::add_cable(parts, gpu, testing::s(1), steady);

  // At usable rates the first copy ends at 1,100,000 ps, the data of the second arrives at
  // 1,200,000.
  HandMade ops(collective_of(CollectiveKind::allreduce, 2, 400), 4);
  ops.copy(0, 1, 0);
  const OpId before = compute(ops, 0, 200'000);
  ops.edge(before, ops.copy(0, 1, 1));
  ExecutionOptions options;
  options.rates = Rates::usable;
  CHECK(path_of(ops, Topology(parts), options) == Path{1, 2});
}

TEST_CASE("without ops there is no path") {
  CHECK(path_of(plan()).empty());
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  ExecutionOptions totals_only;
  totals_only.record_ops = false;
  CHECK(path_of(parts, machine(), totals_only).empty());
}

}  // namespace syncsim::critical_path_test
