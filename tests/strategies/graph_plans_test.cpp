// Every strategy of the registry as a CUDA graph, on devices that reach each other, that do not and
// that ranks share: its nodes, in any order that the graph allows, give exact sums.

#include "tests/support/graph_runs.h"

#include "tests/support/real_runs.h"
#include "tests/support/runs.h"

namespace syncsim::testing::graph_plans_test {
namespace {

struct Devices {
  int count;
  bool peers;
};
constexpr Devices kDevices[] = {{1, true}, {2, true}, {2, false}, {5, true}, {5, false}};

Topology machine_of(int ranks) {
  return with_abilities(star_with_cpu(ranks, gigabytes(16)).parts());
}

void run_everywhere(const Schedule& schedule) {
  for (const Devices& devices : kDevices) {
    const CudaFacts facts = made_up_devices(devices.count, devices.peers);
    INFO(devices.count << " devices, " << (devices.peers ? "peers" : "no peers"));
    for (const unsigned seed : {1u, 2u}) {
      const Measurement run = planned(schedule, facts, {.iterations = 1, .warmup = 0}, seed);
      CHECK(fault_of(run) == "");
      CHECK(out_of_order(schedule, run.timeline) == "");
    }
    if (schedule.ops.size() < 200) CHECK(unordered_conflict(Planned(schedule, facts).plan) == "");
  }
}

}  // namespace

TEST_CASE("every strategy as a graph gives exact sums on one, two and five devices") {
  for (const int ranks : {2, 5}) {
    const Topology machine = machine_of(ranks);
    for (const Strategy& strategy : strategies().rows()) {
      if (!applies(strategy, machine)) continue;
      for (const CollectiveKind kind : strategy.collectives) {
        const Task task{std::string(strategy.name), {kind, ranks, {808}, "float32"}};
        INFO(task.strategy << ", " << to_string(kind) << " on " << ranks);
        run_everywhere(emitted(machine, task));
      }
    }
  }
}

TEST_CASE("so it does with staged sums, and in the short datatypes") {
  const Topology machine = machine_of(5);
  for (const Strategy& strategy : strategies().rows()) {
    if (!applies(strategy, machine)) continue;
    INFO(strategy.name);
    const Collective collective{strategy.collectives.front(), 5, {406}, "bfloat16"};
    run_everywhere(staged(machine, {std::string(strategy.name), collective}));
  }
}

TEST_CASE("every op of every strategy has its nodes, and they wait as their op does") {
  const Topology machine = machine_of(5);
  for (const Strategy& strategy : strategies().rows()) {
    if (!applies(strategy, machine)) continue;
    INFO(strategy.name);
    const Collective collective{strategy.collectives.front(), 5, {808}, "float32"};
    const Schedule schedule = emitted(machine, {std::string(strategy.name), collective});
    const GraphPlan plan = Planned(schedule, made_up_devices(2, false)).plan;
    REQUIRE(plan.ops.size() == schedule.ops.size());
    for (GraphNodeId id = 0; id < plan.nodes.size(); ++id) {
      const GraphPlan::OpNodes& own = plan.ops[plan.nodes[id].op];
      CHECK((own.first <= id && id <= own.last));
      for (const GraphNodeId before : plan.waits_of(id)) CHECK(before < id);
    }
    for (OpId op = 0; op < schedule.ops.size(); ++op)
      for (const OpId next : schedule.successors(op)) {
        const auto waits = plan.waits_of(plan.ops[next].first);
        CHECK(std::find(waits.begin(), waits.end(), plan.ops[op].last) != waits.end());
      }
  }
}

}  // namespace syncsim::testing::graph_plans_test
