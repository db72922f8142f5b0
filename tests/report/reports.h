#pragma once
// Reports of small schedules.

#include <string>
#include <utility>

#include "sim/exec/executor.h"
#include "sim/exec/rate_follower.h"
#include "sim/report/link_flows.h"
#include "sim/report/report.h"
#include "sim/schedule/builder.h"
#include "sim/topology/topology_json.h"
#include "tests/support/machines.h"
#include "tests/support/schedules.h"

namespace syncsim::testing {

inline RunFacts facts_of(const Topology& machine, const Collective& collective,
                         std::string strategy = "by hand") {
  RunFacts facts;
  facts.topology = machine.name();
  facts.strategy = std::move(strategy);
  facts.collective = collective;
  facts.executor = "simulated";
  return facts;
}

inline Report report_of(RunFacts facts, const Topology& machine, const Schedule& schedule,
                        ExecutionOptions options = {}) {
  options.audit = true;
  options.rates = facts.rates;
  const LowerBound bound = lower_bound({machine, machine.ranks(), facts.collective, facts.rates});
  PeakRates rates;
  options.rate_watch = &rates;
  Timeline timeline = execute_simulated(schedule, machine, options);
  rates.put_into(timeline);
  Report report = make_report(std::move(facts), machine, schedule, timeline, bound);
  add_link_flows(report, machine, schedule);
  add_critical_path(report, machine, schedule, timeline);
  return report;
}

// 160 MB on the textbook's machine, added up on gpu0, as strategy central_gpu does it.
inline Report textbook_report() {
  const Topology machine = load_topology("pcie_4gpu", SYNCSIM_SHELF);
  const Collective collective{CollectiveKind::allreduce, 4, {160'000'000}};
  const auto emit = [](ScheduleBuilder& builder) {
    builder.phase("reduce");
    for (const ParticipantId gpu : {1, 2, 3}) builder.reduce(gpu, 0, builder.data());
    builder.phase("broadcast");
    for (const ParticipantId gpu : {1, 2, 3}) builder.copy(0, gpu, builder.data());
  };
  RunFacts facts = facts_of(machine, collective, "central_gpu");
  facts.parameters = {{"root", "auto"}};
  return report_of(facts, machine,
                   build_schedule(collective, {"gpu0", "gpu1", "gpu2", "gpu3"}, emit));
}

// Nothing to do: no bytes, no ops.
inline Report empty_report() {
  const Topology machine(star(2));
  const Collective collective = collective_of(CollectiveKind::allreduce, 2, 0);
  return report_of(facts_of(machine, collective), machine, HandMade(collective, 1).build());
}

}  // namespace syncsim::testing
