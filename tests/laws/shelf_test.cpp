// Every machine of the shelf runs, audited; and the best known rings give the published rates.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/scenario/run.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"
#include "tests/support/shelf.h"

namespace syncsim {
namespace {

using testing::shelf;

constexpr std::size_t kMostRanksToRun = 128;
constexpr std::int64_t kMegabyte = 1'000'000;

Point point_on(const std::string& machine, const std::string& strategy) {
  Point point;
  point.topology = machine;
  point.strategy = strategy;
  point.bytes = Bytes{kMegabyte};
  return point;
}

// Without latencies, over all ranks: busbw of an allreduce by rings both ways round, in GB/s.
double ring_busbw(const std::string& name, Rates rates = Rates::line) {
  Topology::Parts parts = shelf(name).parts();
  for (Link& link : parts.links) link.latency = Time{};
  const Topology machine(std::move(parts));
  const auto ranks = static_cast<int>(machine.ranks().size());
  constexpr std::int64_t kBytes = 720'720'000;
  const testing::Task task = {"ring",
                              testing::collective_of(CollectiveKind::allreduce, ranks, kBytes),
                              {{"directions", "both"}}};
  ExecutionOptions options;
  options.rates = rates;
  const std::int64_t time = testing::picoseconds(machine, task, options);
  return 2.0 * (ranks - 1) / ranks * kBytes / static_cast<double>(time) * 1e3;
}

}  // namespace

TEST_CASE("every machine of at most 128 ranks runs rings and a distributed sum, audited") {
  std::vector<std::string> passed_over;
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    if (shelf(name).ranks().size() > kMostRanksToRun) {
      passed_over.push_back(name);
      continue;
    }
    for (const char* strategy : {"ring", "distributed"}) {
      CAPTURE(strategy);
      const Report report =
          run_point(point_on(name, strategy), {.shelf = SYNCSIM_SHELF, .audit = true});
      CHECK(report.time > Time{});
      CHECK(report.efficiency > 0);
      CHECK(report.efficiency <= 1 + 1e-9);
    }
  }
  CHECK(passed_over == std::vector<std::string>{});
}

TEST_CASE("rings both ways round reach what a gpu's links add up to") {
  CHECK(ring_busbw("dgx1p") == doctest::Approx(80).epsilon(1e-5));
  CHECK(ring_busbw("dgx1v") == doctest::Approx(150).epsilon(1e-5));
  CHECK(ring_busbw("p3_16xlarge") == doctest::Approx(150).epsilon(1e-5));
  CHECK(ring_busbw("v100_quad") == doctest::Approx(150).epsilon(1e-5));
  CHECK(ring_busbw("a100_nv4_quad") == doctest::Approx(300).epsilon(1e-5));
  CHECK(ring_busbw("gh200_quad") == doctest::Approx(450).epsilon(1e-5));
  CHECK(ring_busbw("dgx2") == doctest::Approx(150).epsilon(1e-5));
  CHECK(ring_busbw("dgx_a100") == doctest::Approx(300).epsilon(1e-5));
  CHECK(ring_busbw("hgx_h100") == doctest::Approx(450).epsilon(1e-5));
  CHECK(ring_busbw("hgx_h200") == doctest::Approx(450).epsilon(1e-5));
  CHECK(ring_busbw("hgx_b200") == doctest::Approx(900).epsilon(1e-5));
}

TEST_CASE("three of the three and a half rings of mi300x, and of mi250, carry six links' traffic") {
  CHECK(ring_busbw("mi300x") == doctest::Approx(6 * 64).epsilon(1e-5));
  CHECK(ring_busbw("mi250") == doctest::Approx(6 * 50).epsilon(1e-5));
}

TEST_CASE("on usable rates rings reach what NCCL's model says: 120, 240, 370.8") {
  CHECK(ring_busbw("dgx1v", Rates::usable) == doctest::Approx(120).epsilon(1e-5));
  CHECK(ring_busbw("dgx_a100", Rates::usable) == doctest::Approx(240).epsilon(1e-5));
  CHECK(ring_busbw("hgx_h100", Rates::usable) == doctest::Approx(370.8).epsilon(1e-5));
}

TEST_CASE("a ring of 8 on a PCIe tree without a slower link reaches its uplinks' 16 GB/s") {
  CHECK(ring_busbw("pcie_8gpu") == doctest::Approx(16).epsilon(1e-5));
  CHECK(ring_busbw("pcie_8gpu_single_root") == doctest::Approx(16).epsilon(1e-5));
  CHECK(ring_busbw("pcie_8gpu_dgx1") == doctest::Approx(16).epsilon(1e-5));
}

TEST_CASE("without peer access both directions share the copies: half of 6.1 GB/s on two GPUs") {
  CHECK(ring_busbw("pcie_2gpu_nop2p") == doctest::Approx(6.1 / 2).epsilon(1e-5));
}

TEST_CASE("bridged pairs: 20 GB/s over three cards on usable rates, 240 over a pair") {
  const Topology machine = shelf("a100_pcie_bridged");
  const auto busbw = [&](std::vector<NodeId> ranks) {
    const auto n = static_cast<int>(ranks.size());
    constexpr std::int64_t kBytes = 7'207'200'000;
    const Schedule schedule = testing::emitted(
        machine, ranks, {"ring", testing::collective_of(CollectiveKind::allreduce, n, kBytes), {}});
    ExecutionOptions options;
    options.rates = Rates::usable;
    const auto time = static_cast<double>(testing::simulated(schedule, machine, options).finish.ps);
    return 2.0 * (n - 1) / n * kBytes / time * 1e3;
  };
  const std::vector<NodeId>& gpus = machine.ranks();
  CHECK(busbw({gpus[0], gpus[1]}) == doctest::Approx(240).epsilon(1e-3));
  CHECK(busbw({gpus[0], gpus[1], gpus[2]}) == doctest::Approx(20).epsilon(1e-3));
}

}  // namespace syncsim
