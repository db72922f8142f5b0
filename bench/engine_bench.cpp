// How fast the engine is: emission, check and simulation apart, single thread, CPU seconds.

#include <benchmark/benchmark.h>

#include <functional>

#include "bench/peak_memory.h"
#include "bench/works.h"
#include "sim/base/error.h"
#include "sim/engine/fluid_network.h"
#include "sim/exec/executor.h"
#include "sim/exec/transfer_work.h"
#include "sim/schedule/check.h"

namespace syncsim::bench {
namespace {

struct NoRecorder {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
};

void report(benchmark::State& state, std::uint64_t transfers, Time finish) {
  const double count = static_cast<double>(transfers);
  state.counters["transfers"] = count;
  state.counters["transfers/s"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["simulated_ms"] = static_cast<double>(finish.ps) / 1e9;
  state.counters["peak_MB"] = static_cast<double>(peak_memory()) / 1e6;
}

void simulate(benchmark::State& state, const FlatWork& work) {
  Time finish;
  for (auto _ : state) {
    NoRecorder recorder;
    finish = engine::run(work.network(), work, recorder, engine::Audit::off).finish;
  }
  report(state, work.size(), finish);
}

// From the schedule to its times: lanes, routes and events.
void simulate(benchmark::State& state, const Schedule& schedule, const Topology& machine) {
  ExecutionOptions options;
  options.record_ops = false;
  Time finish;
  for (auto _ : state) finish = execute_simulated(schedule, machine, options).finish;
  report(state, schedule.ops.size(), finish);
}

void emission(benchmark::State& state, const std::string& strategy, int ranks) {
  reset_peak_memory();
  const Topology machine = star(ranks);
  std::size_t ops = 0;
  for (auto _ : state) ops = allreduce(strategy, machine).ops.size();
  report(state, ops, {});
}

void checking(benchmark::State& state, const std::string& strategy, int ranks) {
  reset_peak_memory();
  const Schedule schedule = allreduce(strategy, star(ranks));
  for (auto _ : state) require(!check(schedule), "the schedule is wrong");
  report(state, schedule.ops.size(), {});
}

void simulation(benchmark::State& state, const std::string& strategy, int ranks) {
  reset_peak_memory();
  const Topology machine = star(ranks);
  simulate(state, allreduce(strategy, machine), machine);
}

void skewed(benchmark::State& state, int ranks) {
  reset_peak_memory();
  const Topology machine = star(ranks);
  simulate(state, skewed_ring(ranks), machine);
}

void jittered(benchmark::State& state, int ranks) {
  reset_peak_memory();
  simulate(state, all_to_all(ranks, 0.05));
}

void random(benchmark::State& state, const RandomTraffic& traffic) {
  reset_peak_memory();
  simulate(state, random_traffic(traffic));
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime();
}

void register_all() {
  for (const char* strategy : {"ring", "distributed"}) {
    const std::string name = std::string(strategy) + "/1024";
    add("emission/" + name, [=](benchmark::State& state) { emission(state, strategy, 1024); });
    add("check/" + name, [=](benchmark::State& state) { checking(state, strategy, 1024); });
    add("simulation/" + name, [=](benchmark::State& state) { simulation(state, strategy, 1024); });
  }
  add("simulation/ring_skewed/1024", [](benchmark::State& state) { skewed(state, 1024); });
  add("simulation/all_to_all_jittered/64", [](benchmark::State& state) { jittered(state, 64); });
  const auto add_random = [](const std::string& name, const RandomTraffic& traffic) {
    add("simulation/fat_tree/" + name, [=](benchmark::State& state) { random(state, traffic); });
  };
  add_random("10k_load_0.5", {10'000, 0.5, 0});
  add_random("100k_load_0.5", {100'000, 0.5, 0});
  add_random("10k_load_0.9", {10'000, 0.9, 0});
  add_random("10k_burst", {10'000, 1, 1'000'000'000});
}

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  syncsim::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
