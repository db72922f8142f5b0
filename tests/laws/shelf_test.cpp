// Every machine of the shelf runs, audited; and the best known rings give the published rates.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/scenario/run.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"
#include "tests/support/shelf.h"

namespace syncsim::shelf_test {
namespace {

using testing::shelf;

constexpr std::size_t kMostRanksToRun = 100;
constexpr std::int64_t kMegabyte = 1'000'000;

Point point_on(const std::string& machine, const std::string& strategy) {
  Point point;
  point.topology = machine;
  point.strategy = strategy;
  point.bytes = Bytes{kMegabyte};
  return point;
}

// Over all ranks: busbw in GB/s of an allreduce so large that latencies do not count. (Without them
// some routes would have equals that they do not have.)
double busbw(const std::string& name, const std::string& strategy,
             const std::map<std::string, std::string>& parameters = {}, Rates rates = Rates::line) {
  const Topology machine = shelf(name);
  const auto ranks = static_cast<int>(machine.ranks().size());
  constexpr std::int64_t kBytes = 720'720'000'000;
  const testing::Task task = {
      strategy, testing::collective_of(CollectiveKind::allreduce, ranks, kBytes), parameters};
  ExecutionOptions options;
  options.rates = rates;
  const std::int64_t time = testing::picoseconds(machine, task, options);
  return 2.0 * (ranks - 1) / ranks * kBytes / static_cast<double>(time) * 1e3;
}

// By rings both ways round.
double ring_busbw(const std::string& name, Rates rates = Rates::line) {
  return busbw(name, "ring", {{"directions", "both"}}, rates);
}

}  // namespace

TEST_CASE("every machine of at most 100 ranks runs rings and a distributed sum, audited") {
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
  CHECK(passed_over == std::vector<std::string>{"dgx2h_x96", "dgx_a100_x16", "fat_tree_3level",
                                                "gb200_racks_x20", "gh200_quad_x128",
                                                "hgx_h100_x128", "hgx_h100_x16"});
}

TEST_CASE("1,024 gpus of hgx_h100_x128 gather around one ring") {
  Point point = point_on("hgx_h100_x128", "ring");
  std::string& ring = point.parameters["rings"] = "0";
  for (int rank = 1; rank < 1'024; ++rank) ring += "," + std::to_string(rank);
  point.collective = CollectiveKind::all_gather;
  const Report report = run_point(point, {.shelf = SYNCSIM_SHELF, .check = false});
  CHECK(report.facts.collective.ranks == 1024);
  CHECK(report.time > Time{});
}

TEST_CASE("on single-NIC clusters both strategies reach the NIC's rate") {
  for (const char* strategy : {"ring", "distributed"}) {
    CAPTURE(strategy);
    CHECK(busbw("ethernet_10g_x4", strategy) == doctest::Approx(1.25).epsilon(1e-5));
    CHECK(busbw("ethernet_25g_x8", strategy) == doctest::Approx(3.125).epsilon(1e-5));
    CHECK(busbw("ethernet_100g_x16", strategy) == doctest::Approx(12.5).epsilon(1e-5));
    CHECK(busbw("fat_tree_3level", strategy) == doctest::Approx(12.5).epsilon(1e-5));
  }
}

TEST_CASE("two gpus over 10 Gbit/s take 143 ms for the gradients of a ResNet-101") {
  // horovod/horovod issue 659: 178,196,000 bytes, one GPU on each of two hosts
  const Topology machine = shelf("ethernet_10g_x4");
  const std::vector<NodeId> two(machine.ranks().begin(), machine.ranks().begin() + 2);
  const testing::Task task = {
      "ring", testing::collective_of(CollectiveKind::allreduce, 2, 178'196'000), {}};
  const Schedule schedule = testing::emitted(machine, two, task);
  CHECK(static_cast<double>(testing::simulated(schedule, machine).finish.ps) * 1e-12 ==
        doctest::Approx(0.143).epsilon(0.005));
}

TEST_CASE("behind uplinks of half the bandwidth a distributed sum waits for them") {
  // Of the 31 parts that each of 8 hosts sends, 24 leave the leaf, over 4 uplinks: 48 against 31.
  CHECK(busbw("fat_tree_2level", "distributed") == doctest::Approx(12.5 * 31 / 48).epsilon(1e-5));
}

TEST_CASE("a distributed sum uses every nic of a machine") {
  // Of the 2 x 8 parts of a gpu's data, the 8 of the other machine cross, over 8 nics for 8 gpus.
  CHECK(busbw("dgx_a100_x2", "distributed") == doctest::Approx(25.0 * 15 / 8).epsilon(1e-5));
  CHECK(busbw("hgx_h100_x2", "distributed") == doctest::Approx(50.0 * 15 / 8).epsilon(1e-5));
  CHECK(busbw("hgx_h100_x16", "distributed") == doctest::Approx(50.0 * 127 / 120).epsilon(1e-5));
  CHECK(busbw("dgx1v_x2", "distributed") == doctest::Approx(12.5 * 15 / 16).epsilon(1e-5));
}

TEST_CASE("an all-gather along one axis of tpu_v4_4x4x4 uses both directions of its ring of 4") {
  // (n-1)/n V / (2 x 45 GB/s) + 3 hops of 1 us, jax-ml/scaling-book's AG_X of 2 MiB
  const Topology machine = shelf("tpu_v4_4x4x4");
  const std::vector<NodeId>& chips = machine.ranks();
  const testing::Task task = {"ring",
                              testing::collective_of(CollectiveKind::all_gather, 4, 2'097'152),
                              {{"directions", "both"}, {"chunks", "4"}}};
  const Schedule schedule =
      testing::emitted(machine, std::vector{chips[0], chips[16], chips[32], chips[48]}, task);
  const double expected = 0.75 * 2'097'152 / 90e9 + 3e-6;
  CHECK(static_cast<double>(testing::simulated(schedule, machine).finish.ps) * 1e-12 ==
        doctest::Approx(expected).epsilon(1e-3));
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

TEST_CASE("bridged pairs: 20 GB/s over three cards and over all on usable rates, 240 over a pair") {
  const Topology machine = shelf("a100_pcie_bridged");
  const auto over = [&](const std::vector<NodeId>& ranks) {
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
  CHECK(over({gpus[0], gpus[1]}) == doctest::Approx(240).epsilon(1e-3));
  CHECK(over({gpus[0], gpus[1], gpus[2]}) == doctest::Approx(20).epsilon(1e-3));
  CHECK(over(gpus) == doctest::Approx(20).epsilon(1e-3));
}

}  // namespace syncsim::shelf_test
