// A run's utilization, by link and node.

#include "sim/report/heat.h"

#include <doctest/doctest.h>

#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim::heat_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::collective_of;
using testing::facts_of;
using testing::gigabytes;
using testing::HandMade;
using testing::link_of;
using testing::report_of;

// gpu0 to cpu0 by a full-duplex cable, cpu0 to gpu1 by a half-duplex one of twice its rate.
Topology::Parts bridge() {
  Topology::Parts parts;
  parts.name = "bridge";
  testing::add_gpus(parts, 2);
  const NodeId cpu = add_node(parts, "cpu0", NodeKind::cpu);
  parts.nodes[cpu].transit_bandwidth = gigabytes(4);
  add_cable(parts, 0, cpu, link_of(LinkKind::pcie, gigabytes(1)));
  Link shared = link_of(LinkKind::pcie, gigabytes(2));
  shared.half_duplex = true;
  add_cable(parts, cpu, 1, shared);
  return parts;
}

Report one_copy(const Topology& machine) {
  HandMade plan(collective_of(CollectiveKind::broadcast, 2, 1'000'000), 1);
  plan.copy(0, 1, 0);
  const Schedule schedule = plan.build();
  return report_of(facts_of(machine, schedule.collectives.front().collective), machine, schedule);
}

}  // namespace

TEST_CASE("each direction has its utilization, a half-duplex cable one for both") {
  const Topology machine(bridge());
  const Heat heat = heat_of(one_copy(machine), machine);
  CHECK(heat.links == std::vector<double>{1, 0, 0.5, 0.5});
}

TEST_CASE("nodes have that of what passes through them, 0 where it has no limit") {
  const Topology machine(bridge());
  CHECK(heat_of(one_copy(machine), machine).transit == std::vector<double>{0, 0, 0.25});
}

TEST_CASE("the title says what ran, how much, and for how long") {
  const Topology machine(bridge());
  const Report report = one_copy(machine);
  CHECK(heat_of(report, machine).title ==
        "broadcast by " + report.facts.strategy_text() + ", 1 MB in 1.0000 ms");
}

TEST_CASE("a report of another machine is an error of ours") {
  const Topology machine(bridge());
  Topology::Parts other = bridge();
  other.nodes[0].id = "gpu7";
  CHECK(testing::failure_of([&] { heat_of(one_copy(machine), Topology(other)); }) ==
        "a report's links are those of another machine");
}

}  // namespace syncsim::heat_test
