#include "sim/report/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/report/reports.h"

namespace syncsim::report_test {
namespace {

using testing::collective_of;
using testing::facts_of;
using testing::gigabytes;
using testing::HandMade;
using testing::report_of;
using testing::textbook_report;

Topology star(int gpus) { return Topology(testing::star(gpus, gigabytes(1))); }

HandMade plan(int ranks = 2, std::uint32_t chunks = 4) {
  return HandMade(collective_of(CollectiveKind::allreduce, ranks, 1'000 * chunks), chunks);
}

// The last op belongs to another phase.
void in_phase(HandMade& parts, const std::string& name) {
  auto& phases = parts.schedule.phases;
  const auto known = std::find(phases.begin(), phases.end(), name);
  parts.schedule.ops.back().phase = static_cast<std::uint16_t>(known - phases.begin());
  if (known == phases.end()) phases.push_back(name);
}

Report report_on(const Topology& machine, const HandMade& parts) {
  return report_of(facts_of(machine, parts.schedule.collectives.front().collective), machine,
                   parts.build());
}

struct PhaseTimes {
  std::string name;
  std::int64_t start;
  std::int64_t finish;
  bool operator==(const PhaseTimes&) const = default;
};

std::vector<PhaseTimes> phases_of(const Report& report) {
  std::vector<PhaseTimes> result;
  for (const PhaseReport& phase : report.phases)
    result.push_back({phase.name, phase.start.ps, phase.finish.ps});
  return result;
}

}  // namespace

TEST_CASE("a phase runs from its first start to its last finish, whatever runs beside it") {
  HandMade parts = plan();  // a chunk takes 1,000,000 ps
  const OpId first = parts.copy(0, 1, 0);
  in_phase(parts, "work");
  const OpId second = parts.copy(1, 0, 1);
  in_phase(parts, "other");
  parts.edge(first, second);
  const OpId third = parts.copy(0, 1, 2, 2);
  in_phase(parts, "work");
  parts.edge(second, third);
  const Report report = report_on(star(2), parts);
  CHECK(phases_of(report) ==
        std::vector<PhaseTimes>{{"work", 0, 4'000'000}, {"other", 1'000'000, 2'000'000}});
  CHECK(report.phases[1].time() == Time{1'000'000});
}

TEST_CASE("a phase ends with its last finish, not with its last op") {
  HandMade parts = plan();
  parts.copy(0, 1, 0, 3);
  parts.copy(1, 0, 3);
  CHECK(phases_of(report_on(star(2), parts)) == std::vector<PhaseTimes>{{"work", 0, 3'000'000}});
}

TEST_CASE("a phase starts when its first byte leaves, after latency") {
  Topology::Parts machine = testing::star(2, gigabytes(1));
  for (Link& link : machine.links) link.latency = {70};
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  CHECK(phases_of(report_on(Topology(machine), parts)) ==
        std::vector<PhaseTimes>{{"work", 140, 1'000'140}});
}

TEST_CASE("phases without ops, or with joins only, are left out") {
  HandMade parts = plan();
  const OpId join = parts.join(0);
  in_phase(parts, "joining");
  parts.edge(join, parts.copy(0, 1, 0));
  parts.schedule.phases.emplace_back("unused");
  CHECK(phases_of(report_on(star(2), parts)) == std::vector<PhaseTimes>{{"work", 0, 1'000'000}});
}

TEST_CASE("algbw is bytes over time, busbw that times nccl-tests' factor") {
  const std::map<CollectiveKind, double> factors = {{CollectiveKind::allreduce, 1.5},
                                                    {CollectiveKind::reduce, 1},
                                                    {CollectiveKind::broadcast, 1},
                                                    {CollectiveKind::reduce_scatter, 0.75},
                                                    {CollectiveKind::all_gather, 0.75}};
  HandMade parts = plan(4);
  parts.copy(0, 1, 0, 4);  // 4,000 bytes in 4 us
  for (const auto& [kind, factor] : factors) {
    CAPTURE(to_string(kind));
    RunFacts facts = facts_of(star(4), collective_of(kind, 4, 4'000));
    const Report report = report_of(facts, star(4), parts.build());
    CHECK(report.time == Time{4'000'000});
    CHECK(report.algbw == doctest::Approx(1e9).epsilon(1e-14));
    CHECK(report.busbw == doctest::Approx(factor * 1e9).epsilon(1e-14));
  }
}

TEST_CASE("efficiency is bound over time") {
  const Report report = textbook_report();
  CHECK(report.time == Time{60'000'000'000});
  CHECK(report.bound.seconds == doctest::Approx(0.015).epsilon(1e-14));
  CHECK(report.efficiency == doctest::Approx(0.25).epsilon(1e-14));
  CHECK(report.ops == 7);  // three in, three out, and the join between them
}

TEST_CASE("a link's rate is bytes over the run, its utilization that over its capacity") {
  HandMade parts = plan();
  const OpId first = parts.copy(0, 1, 0);
  parts.edge(first, parts.copy(1, 0, 1, 3));
  const Report report = report_on(star(2), parts);
  REQUIRE(report.links.size() == 4);
  const LinkReport& out = report.links[0];
  CHECK(out.link == "gpu0-switch0");
  CHECK(out.direction == "gpu0>switch0");
  CHECK(out.bytes == 1'000);
  CHECK(out.capacity == 1e9);
  CHECK(out.rate == doctest::Approx(0.25e9).epsilon(1e-14));
  CHECK(out.utilization == doctest::Approx(0.25).epsilon(1e-14));
  CHECK(out.busy == Time{1'000'000});
  CHECK(out.saturated == Time{1'000'000});
  CHECK(report.links[1].direction == "switch0>gpu0");
  CHECK(report.links[1].utilization == doctest::Approx(0.75).epsilon(1e-14));
}

TEST_CASE("the busiest link has the highest utilization, not the highest rate") {
  Topology::Parts machine = testing::star(2, gigabytes(4));
  machine.links[3].bandwidth = machine.links[3].usable = gigabytes(1);  // switch0>gpu1
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  parts.copy(1, 0, 1, 3);
  const Report report = report_on(Topology(machine), parts);
  REQUIRE(report.busiest_link() != nullptr);
  CHECK(report.busiest_link()->direction == "switch0>gpu1");
  CHECK(report.busiest_link()->utilization == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("of links that are equally busy the first of the machine is named") {
  HandMade parts = plan();
  parts.copy(1, 0, 0);
  parts.copy(0, 1, 1);
  CHECK(report_on(star(2), parts).busiest_link()->direction == "gpu0>switch0");
}

TEST_CASE("a half-duplex cable is one link whose direction is both") {
  Topology::Parts machine = testing::star(2, gigabytes(1));
  for (Link& link : machine.links) link.half_duplex = true;
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  parts.copy(1, 0, 1);
  const Report report = report_on(Topology(machine), parts);
  REQUIRE(report.links.size() == 2);
  CHECK(report.links[1].link == "gpu1-switch0");
  CHECK(report.links[1].direction == "both");
  CHECK(report.links[1].bytes == 2'000);
  CHECK(report.links[1].utilization == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("links have the capacity of the run's rates") {
  Topology::Parts machine = testing::star(2, gigabytes(1));
  for (Link& link : machine.links) link.usable = gigabytes(0.8);
  HandMade parts = plan();
  parts.copy(0, 1, 0);
  RunFacts facts = facts_of(Topology(machine), collective_of(CollectiveKind::allreduce, 2, 4'000));
  facts.rates = Rates::usable;
  const Report report = report_of(facts, Topology(machine), parts.build());
  CHECK(report.links[0].capacity == 0.8e9);
  CHECK(report.links[0].utilization == doctest::Approx(1).epsilon(1e-14));
  CHECK(report.time == Time{1'250'000});
}

TEST_CASE("a run of no time has no bandwidth, no busiest link and nothing to improve") {
  const Report report = testing::empty_report();
  CHECK(report.time == Time{0});
  CHECK(report.algbw == 0);
  CHECK(report.busbw == 0);
  CHECK(report.efficiency == 1);
  CHECK(report.busiest_link() == nullptr);
  CHECK(report.phases.empty());
  CHECK(report.critical_path.empty());
  CHECK(report.ops == 0);
}

TEST_CASE("the critical path tells what each op was, where and when") {
  Topology::Parts machine = testing::star(2, gigabytes(1));
  for (Link& link : machine.links) link.latency = {70};
  HandMade parts = plan();
  const OpId compute = parts.compute(0);
  const OpId there = parts.copy(0, 1, 0);
  const OpId notice = parts.signal(1, 0);
  parts.on_channel(2);
  const OpId join = parts.join(0);
  const OpId again = parts.reduce(0, 1, 1);
  in_phase(parts, "adding");
  parts.edge(compute, there);
  parts.edge(there, notice);
  parts.edge(notice, join);
  parts.edge(join, again);
  const Report report = report_on(Topology(machine), parts);
  REQUIRE(report.critical_path.size() == 5);
  const auto check_op = [&](std::size_t i, const std::string& kind, std::int64_t bytes,
                            std::int64_t start, std::int64_t finish) {
    const CriticalOp& op = report.critical_path[i];
    CAPTURE(i);
    CHECK(op.op == i);
    CHECK(op.kind == kind);
    CHECK(op.bytes == Bytes{bytes});
    CHECK(op.start == Time{start});
    CHECK(op.finish == Time{finish});
  };
  check_op(0, "compute", 0, 0, 1'000);
  check_op(1, "copy", 1'000, 1'140, 1'001'140);
  check_op(2, "signal", 0, 1'001'280, 1'001'280);
  check_op(3, "join", 0, 1'001'280, 1'001'280);
  check_op(4, "reduce", 1'000, 1'001'420, 2'001'420);
  CHECK(report.critical_path[2].from == "gpu1");
  CHECK(report.critical_path[2].to == "gpu0");
  CHECK(report.critical_path[2].channel == 2);
  CHECK(report.critical_path[2].phase == "work");
  CHECK(report.critical_path[4].phase == "adding");
}

}  // namespace syncsim::report_test
