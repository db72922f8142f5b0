// Training steps on real data: their computes take their time, and gradients add up exactly, also
// in stores that workers push to and pull from at any time.

#include "tests/support/real_runs.h"

#include "sim/schedule/check.h"
#include "sim/workload/key_value_store.h"
#include "sim/workload/training_step.h"
#include "tests/support/graph_runs.h"
#include "tests/support/runs.h"

namespace syncsim::testing::real_runs_test {
namespace {

Model small_model() {
  Model model;
  model.name = "small";
  for (const char* name : {"a", "b", "c"})
    model.layers.push_back({name, parse_time("200 us"), parse_time("400 us"), {{"w", {4'004}}}});
  return model;
}

Schedule steps(const Topology& machine, const StoreOptions* store) {
  const Model model = small_model();
  const Strategy& strategy = strategies().at("ring");
  const Parameters parameters(strategy.name, strategy.parameters, {});
  const StepOptions options{.steps = 3};
  const std::vector<std::vector<RankPace>> paces(3, std::vector<RankPace>(machine.ranks().size()));
  return plan_steps({.topology = machine,
                     .ranks = machine.ranks(),
                     .model = model,
                     .strategy = strategy,
                     .parameters = parameters,
                     .options = options,
                     .paces = paces,
                     .store = store},
                    {}, Reduction::on_arrival)
      .schedule;
}

void check_run(const Schedule& schedule) {
  REQUIRE(!check(schedule));
  const Measurement run = measured(schedule, 3, 2);
  CHECK(fault_of(run) == "");
  CHECK(out_of_order(schedule, run.timeline) == "");
  CHECK(run.least() >= parse_time("5.4 ms"));  // 3 steps of 3 layers
  for (const bool peers : {true, false})
    CHECK(fault_of(planned(schedule, made_up_devices(2, peers))) == "");
}

}  // namespace

TEST_CASE("training steps run for real, and every gradient is summed exactly") {
  const Topology machine(star(3));
  check_run(steps(machine, nullptr));
}

TEST_CASE("so they do with a key-value store, and with one that is stale") {
  const Topology machine(star(3));
  for (const int staleness : {0, 1, kUnboundedStaleness}) {
    CAPTURE(staleness);
    const StoreOptions store{.type = StoreType::device, .staleness = staleness};
    check_run(steps(machine, &store));
  }
}

TEST_CASE("a push that is lost is found, though a stale store may hand out any part of the sum") {
  const Topology machine(star(3));
  const StoreOptions store{.type = StoreType::device, .staleness = kUnboundedStaleness};
  Schedule schedule = steps(machine, &store);
  REQUIRE(!measured(schedule).wrong);
  for (Op& op : schedule.ops)
    if (op.kind == OpKind::reduce && schedule.buffers[op.destination_buffer].relaxed) {
      op.chunk_count = 0;
      break;
    }
  CHECK(measured(schedule).wrong);
}

}  // namespace syncsim::testing::real_runs_test
