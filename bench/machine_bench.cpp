// How fast machines of 16,384 GPUs are read, and routes found on them: single thread, CPU seconds.
// `machine_bench SHELF` takes the directory of shipped topologies, then Google Benchmark's options.

#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/peak_memory.h"
#include "bench/random.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology_json.h"

namespace syncsim::bench {
namespace {

constexpr int kRoutes = 1'000;

// 2,048 times DGX A100: on rails of 32 leaves each, and below a fat tree of 3 levels.
const std::string kLink = R"("link": {"kind": "network", "bandwidth": "25 GB/s"}})";
const std::string kMachines = R"("machines": 2048, "machine": "dgx_a100", )";
const std::string kRails =
    R"({"kind": "rail_optimized", "leaf_ports": 64, "spines": 32, )" + kMachines + kLink;
const std::string kFatTree =
    R"({"kind": "fat_tree", "levels": 3, "leaf_ports": 32, )" + kMachines + kLink;

Topology read(const std::string& text, const std::string& shelf) {
  return read_topology(JsonFile::parse(text, "machine").root(), {}, shelf);
}

void loading(benchmark::State& state, const std::string& text, const std::string& shelf) {
  reset_peak_memory();
  for (auto _ : state) benchmark::DoNotOptimize(read(text, shelf).nodes().size());
  state.counters["peak_bytes"] = static_cast<double>(peak_memory());
}

// Between ranks drawn at random, none of them cached.
void routes(benchmark::State& state, const std::string& text, const std::string& shelf) {
  const Topology machine = read(text, shelf);
  const Resources resources(machine, Rates::line);
  Router router(machine, resources);
  Random random(1);
  const auto draw = [&] {
    return machine.ranks()[random.below(static_cast<std::uint32_t>(machine.ranks().size()))];
  };
  for (auto _ : state)
    for (int i = 0; i < kRoutes; ++i) {
      const NodeId from = draw();
      benchmark::DoNotOptimize(router.find(from, draw()).hops);
    }
  state.SetItemsProcessed(state.iterations() * kRoutes);
}

using Run = void(benchmark::State&, const std::string&, const std::string&);

void add(const std::string& name, Run& run, const std::string& text, const std::string& shelf) {
  benchmark::RegisterBenchmark(name.c_str(), run, text, shelf)->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  using namespace syncsim::bench;
  benchmark::Initialize(&argc, argv);
  if (argc != 2) return 2;
  const std::string shelf = argv[1];
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"rail_optimized", kRails},
                                   std::pair<std::string, std::string>{"fat_tree", kFatTree}}) {
    add("loading/" + name, loading, text, shelf);
    add("routes/" + name, routes, text, shelf);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
