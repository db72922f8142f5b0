// bench_laws: what packed_trees reaches of the lower bounds, at 1 GB and as the machines are, on
// machines too large or too many for the tests; beside an allreduce the same as a reduce-scatter
// and an all-gather, each as fast as it can be (what published synthesizers compose). One table.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "bench/table.h"
#include "sim/analysis/bounds.h"
#include "sim/exec/executor.h"
#include "sim/schedule/strategy.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology_json.h"

namespace syncsim::bench {
namespace {

constexpr std::int64_t kBytes = 1'000'000'000;

struct Place {
  std::string name;
  Topology machine;
  std::vector<NodeId> ranks;
};

struct Reached {
  double seconds = 0;
  double efficiency = 0;
  std::uint64_t transfers = 0;
};

Reached reached(const Place& place, CollectiveKind kind) {
  const Strategy& strategy = strategies().at("packed_trees");
  const Parameters parameters(strategy.name, strategy.parameters, {});
  const Collective collective{kind, static_cast<int>(place.ranks.size()), {kBytes}};
  const Schedule schedule = emit(strategy, place.machine, place.ranks, collective, parameters);
  const Time time = execute_simulated(schedule, place.machine, {}).finish;
  const double bound = lower_bound({place.machine, place.ranks, collective}).seconds;
  return {seconds(time), bound / seconds(time), schedule.ops.size()};
}

std::string milliseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1e3); }
std::string percent(double part) { return fmt::format("{:.1f} %", part * 100); }

class Table {
 public:
  void add(const Place& place) {
    fmt::print(stderr, "bench: {}\n", place.name);
    const Reached all = reached(place, CollectiveKind::allreduce);
    const Reached scattered = reached(place, CollectiveKind::reduce_scatter);
    const Reached gathered = reached(place, CollectiveKind::all_gather);
    const Reached sent = reached(place, CollectiveKind::broadcast);
    const double both = scattered.seconds + gathered.seconds;
    for (const Reached& each : {all, scattered, gathered, sent})
      least_ = std::min(least_, each.efficiency);
    rows_.push_back({place.name, std::to_string(place.ranks.size()), thousands(all.transfers),
                     milliseconds(all.seconds), percent(all.efficiency), milliseconds(both),
                     fmt::format("{:.2f}", both / all.seconds), percent(scattered.efficiency),
                     percent(gathered.efficiency), percent(sent.efficiency)});
  }

  void finish() const {
    print(rows_);
    fmt::print("lowest of all: {}\n", percent(least_));
  }

 private:
  std::vector<Cells> rows_ = {{"machine", "ranks", "transfers", "allreduce ms", "of bound",
                               "RS + AG ms", "ratio", "reduce-scatter", "all-gather", "broadcast"}};
  double least_ = 1;
};

Place whole(std::string name, Topology machine) {
  std::vector<NodeId> ranks = machine.ranks();
  return {std::move(name), std::move(machine), std::move(ranks)};
}

Place shelf_place(const std::string& name) {
  return whole(name, load_topology(name, SYNCSIM_SHELF));
}

Place grid(const std::string& kind, const std::string& lengths) {
  const std::string json = fmt::format(R"({{"kind": "{}", "dimensions": [{}],)"
                                       R"( "link": {{"kind": "nvlink", "bandwidth": "25 GB/s"}}}})",
                                       kind, lengths);
  return whole(fmt::format("{} {}", kind, lengths),
               read_topology(JsonFile::parse(json, "grid").root()));
}

// Rates between the GPUs of a subset, in the order that makes them least: alike for subsets that
// are wired alike. Empty where NVLink does not join them.
std::vector<double> wiring(const Topology& machine, const std::vector<NodeId>& gpus) {
  const std::size_t count = gpus.size();
  std::vector<double> rates(count * count, 0);
  for (const Link& link : machine.links()) {
    const auto from = std::find(gpus.begin(), gpus.end(), link.from);
    const auto to = std::find(gpus.begin(), gpus.end(), link.to);
    if (from == gpus.end() || to == gpus.end() || !is_direct(machine, link)) continue;
    rates[static_cast<std::size_t>(from - gpus.begin()) * count +
          static_cast<std::size_t>(to - gpus.begin())] += link.bandwidth.bytes_per_second;
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> least;
  do {
    std::vector<double> mixed;
    for (const std::size_t a : order)
      for (const std::size_t b : order) mixed.push_back(rates[a * count + b]);
    if (least.empty() || mixed < least) least = std::move(mixed);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

bool is_joined(const std::vector<double>& rates, std::size_t count) {
  std::vector<std::size_t> open{0};
  std::set<std::size_t> joined{0};
  for (std::size_t next = 0; next < open.size(); ++next)
    for (std::size_t to = 0; to < count; ++to)
      if (rates[open[next] * count + to] > 0 && joined.insert(to).second) open.push_back(to);
  return open.size() == count;
}

// Of three GPUs or more that NVLink joins, one subset of each wiring.
std::vector<Place> subsets(const std::string& name) {
  const Topology machine = load_topology(name, SYNCSIM_SHELF);
  std::vector<Place> places;
  std::set<std::vector<double>> known;
  for (unsigned chosen = 1; chosen < 1U << machine.ranks().size(); ++chosen) {
    std::vector<NodeId> gpus;
    std::string label;
    for (std::size_t rank = 0; rank < machine.ranks().size(); ++rank) {
      if ((chosen >> rank & 1U) == 0) continue;
      gpus.push_back(machine.ranks()[rank]);
      label += (label.empty() ? "" : ",") + std::to_string(rank);
    }
    if (gpus.size() < 3) continue;
    std::vector<double> rates = wiring(machine, gpus);
    if (is_joined(rates, gpus.size()) && known.insert(std::move(rates)).second)
      places.push_back({name + " " + label, machine, gpus});
  }
  return places;
}

void run() {
  Table table;
  for (const auto& [kind, lengths] :
       {std::pair("mesh", "5, 5"), std::pair("mesh", "10, 10"), std::pair("mesh", "7, 12"),
        std::pair("mesh", "3, 3, 3"), std::pair("mesh", "4, 4, 4"), std::pair("torus", "4, 4, 4"),
        std::pair("mesh", "8")})
    table.add(grid(kind, lengths));
  for (const std::string name :
       {"tpu_v4_4x4x4", "mi250", "mi300x", "dgx2", "dgx_a100", "dgx_a100_x2", "hgx_h100",
        "hgx_h100_x2", "gb200_nvl72", "pcie_4gpu", "pcie_8gpu", "pcie_8gpu_dgx1",
        "pcie_8gpu_rootports", "pcie_8gpu_single_root"})
    table.add(shelf_place(name));
  for (const std::string name : {"dgx1v", "dgx1p"})
    for (const Place& place : subsets(name)) table.add(place);
  table.finish();
}

}  // namespace
}  // namespace syncsim::bench

int main() {
  try {
    syncsim::bench::run();
    return 0;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench: {}\n", failure.what());
    return 3;
  }
}
