// How fast we are: emission, check and simulation apart, single thread, CPU seconds. With --scale
// the works of scale_works.h instead of those of works.h.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "bench/flow_work.h"
#include "bench/peak_memory.h"
#include "bench/scale_works.h"
#include "bench/works.h"
#include "sim/base/error.h"
#include "sim/engine/fluid_network.h"
#include "sim/exec/executor.h"
#include "sim/schedule/check.h"

namespace syncsim::bench {
namespace {

struct NoRecorder {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
};

std::uint64_t transfers(const Schedule& schedule) {
  return static_cast<std::uint64_t>(
      std::count_if(schedule.ops.begin(), schedule.ops.end(),
                    [&](const Op& op) { return schedule.moves_data(op); }));
}

void report(benchmark::State& state, std::uint64_t transfers, Time finish) {
  state.counters["transfers"] = static_cast<double>(transfers);
  state.counters["simulated_ps"] = static_cast<double>(finish.ps);
  state.counters["peak_bytes"] = static_cast<double>(peak_memory());
}

void emission(benchmark::State& state, const ScheduleCase& work) {
  const Topology machine = work.machine();
  std::uint64_t count = 0;
  reset_peak_memory();
  for (auto _ : state) count = transfers(work.schedule(machine));
  report(state, count, {});
}

void checking(benchmark::State& state, const ScheduleCase& work) {
  const Schedule schedule = work.schedule(work.machine());
  reset_peak_memory();
  for (auto _ : state) require(!check(schedule), "the schedule is wrong");
  report(state, transfers(schedule), {});
}

// From the schedule to its times: routes, lanes and events.
void simulation(benchmark::State& state, const ScheduleCase& work) {
  const Topology machine = work.machine();
  const Schedule schedule = work.schedule(machine);
  ExecutionOptions options;
  options.record_ops = false;
  Time finish;
  reset_peak_memory();
  for (auto _ : state) finish = execute_simulated(schedule, machine, options).finish;
  report(state, transfers(schedule), finish);
}

void simulation(benchmark::State& state, const FlowCase& work) {
  const FlowGraph flows = work.flows();
  Time finish;
  reset_peak_memory();
  for (auto _ : state) {
    const FlowWork on_lanes(flows);
    NoRecorder recorder;
    finish = engine::run(on_lanes.network(), on_lanes, recorder, engine::Audit::off).finish;
  }
  report(state, flows.transfers(), finish);
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime();
}

void add_schedules(const std::vector<ScheduleCase>& cases) {
  for (const ScheduleCase& work : cases) {
    add("emission/" + work.name, [=](benchmark::State& state) { emission(state, work); });
    add("check/" + work.name, [=](benchmark::State& state) { checking(state, work); });
    add("simulation/" + work.name, [=](benchmark::State& state) { simulation(state, work); });
  }
}

void add_flows(const std::vector<FlowCase>& cases) {
  for (const FlowCase& work : cases)
    add("simulation/" + work.name, [=](benchmark::State& state) { simulation(state, work); });
}

// Takes --scale out of the arguments.
bool take_scale(int& argc, char** argv) {
  char** end = std::remove_if(argv + 1, argv + argc,
                              [](const char* word) { return std::string_view(word) == "--scale"; });
  const bool found = end != argv + argc;
  argc = static_cast<int>(end - argv);
  return found;
}

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  using namespace syncsim::bench;
  if (take_scale(argc, argv)) {
    add_schedules(scale_cases());
  } else {
    add_schedules(schedule_cases());
    add_flows(flow_cases());
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
