// In-network reduction against closed forms. With k chunks of an allreduce of M bytes on n ranks
// with ports of B:
//   nvls   first chunk n t, then k-1 times (n+1) t, last chunk n t   with t = M / (n k B)
//   sharp  (k + 1) t and twice the latency of the tree               with t = M / (k B)
// so that M (1 + 1/n) and M pass each port in each direction (NVIDIA SHARP, NCCL's NVLS).

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "sim/topology/resources.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::in_network_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;
using testing::with_abilities;

constexpr std::int64_t kBytes = 72'072'000;        // M
constexpr std::int64_t kTransfer = 4'504'500'000;  // M / B in picoseconds, at 16 GB/s
constexpr int kMostRanks = 16;
constexpr Time kHop{1'000'000};

Task task(const std::string& algorithm, int ranks, std::int64_t chunks,
          CollectiveKind kind = CollectiveKind::allreduce, std::int64_t bytes = kBytes) {
  return {"in_network",
          collective_of(kind, ranks, bytes),
          {{"algorithm", algorithm}, {"chunks", std::to_string(chunks)}}};
}

Topology able_star(int ranks) { return with_abilities(testing::star(ranks, gigabytes(16))); }

// Leaves of `width` gpus each, spines that each leaf has a link to; every link a hop's latency.
Topology two_levels(int leaves, int width, int spines) {
  Topology::Parts parts;
  testing::add_gpus(parts, leaves * width);
  Link link = testing::link_of(LinkKind::network, gigabytes(16));
  link.latency = kHop;
  std::vector<NodeId> of_level;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    of_level.push_back(testing::add_node(parts, "leaf" + std::to_string(leaf), NodeKind::switch_));
    for (int i = 0; i < width; ++i)
      testing::add_cable(parts, static_cast<NodeId>(leaf * width + i), of_level.back(), link);
  }
  for (int spine = 0; spine < spines; ++spine) {
    const NodeId node =
        testing::add_node(parts, "spine" + std::to_string(spine), NodeKind::switch_);
    for (const NodeId leaf : of_level) testing::add_cable(parts, leaf, node, link);
  }
  return with_abilities(parts);
}

// HGX H100 without latencies.
Topology hgx() {
  Topology::Parts parts = testing::shelf_machine("hgx_h100").parts();
  for (Link& link : parts.links) link.latency = {};
  return Topology(parts);
}

double bytes_of(const Topology& machine, const Timeline& timeline, const std::string& link) {
  for (const ResourceTotals& totals : timeline.resources)
    if (totals.name == link) return totals.bytes;
  FAIL("no link ", link, " in ", machine.name());
  return 0;
}

}  // namespace

TEST_CASE("nvls takes (n + (k-1)(n+1) + n) / (n k) M / B: 1 + 1/n as chunks grow many") {
  for (const std::int64_t k : {1, 2, 5})
    for (std::int64_t n = 2; n <= kMostRanks; ++n) {
      CAPTURE(k);
      CAPTURE(n);
      CHECK(picoseconds(able_star(static_cast<int>(n)), task("nvls", static_cast<int>(n), k)) ==
            (2 * n + (k - 1) * (n + 1)) * (kTransfer / (n * k)));
    }
}

TEST_CASE("sharp takes (k + 1) / k M / B, whatever the number of ranks") {
  for (const std::int64_t k : {1, 2, 5, 1'000})
    for (const int n : {2, 3, 7, 13, 16}) {
      CAPTURE(k);
      CAPTURE(n);
      CHECK(picoseconds(able_star(n), task("sharp", n, k)) == (k + 1) * (kTransfer / k));
    }
}

TEST_CASE("what is only summed up, or only handed on, takes M / B whatever the algorithm") {
  for (const CollectiveKind kind : {CollectiveKind::reduce, CollectiveKind::broadcast,
                                    CollectiveKind::reduce_scatter, CollectiveKind::all_gather})
    for (const char* algorithm : {"nvls", "sharp"})
      for (const int n : {2, 3, 7, 16}) {
        CAPTURE(to_string(kind));
        CAPTURE(n);
        CHECK(picoseconds(able_star(n), task(algorithm, n, 1, kind)) == kTransfer);
      }
}

TEST_CASE("published: SHARP or NVLS takes 2 depth a + n b, and n b / k for filling the pipeline") {
  struct Row {
    int ranks;
    std::int64_t bytes;
    double alpha;  // seconds
    double beta;   // seconds a byte
    std::int64_t chunks;
  };
  constexpr Row kRows[] = {{4, 160'000'000, 0, 6.25e-11, 1'000},
                           {8, 160'000'000, 0, 1 / 54e9, 1'000},
                           {8, 1'024, 5e-6, 4e-11, 1'024},
                           {6, 1'048'576, 1e-6, 1e-10, 1'024},
                           {16, 268'435'456, 2e-6, 8e-11, 1'024}};
  for (const Row& row : kRows) {
    CAPTURE(row.ranks);
    CAPTURE(row.bytes);
    const Time alpha{std::llround(row.alpha * 1e12)};
    const Topology star =
        with_abilities(testing::slow_star(row.ranks, {1 / row.beta}, alpha, {}).parts());
    const auto time = static_cast<double>(picoseconds(
        star, task("sharp", row.ranks, row.chunks, CollectiveKind::allreduce, row.bytes)));
    const double transfer = static_cast<double>(row.bytes) * row.beta * 1e12;
    const double form = 2 * row.alpha * 1e12 + transfer;
    const auto steps = static_cast<double>(row.chunks + 1);
    CHECK(std::abs(time - form - transfer / static_cast<double>(row.chunks)) <= steps);
  }
}

TEST_CASE("a tree of two levels has twice the latency, and spines share the data") {
  for (const int spines : {1, 2, 4})
    for (const std::int64_t k : {1, 5}) {
      CAPTURE(spines);
      CAPTURE(k);
      const Topology machine = two_levels(3, 4, spines);
      CHECK(picoseconds(machine, task("sharp", 12, k)) == 4 * kHop.ps + (k + 1) * (kTransfer / k));
    }
}

TEST_CASE("M (1 + 1/n) passes each port of nvls in each direction, M that of sharp") {
  const Topology machine = two_levels(2, 3, 1);
  struct Port {
    std::string algorithm;
    std::int64_t bytes;
  };
  for (const Port& port : {Port{"nvls", kBytes / 6 * 7}, Port{"sharp", kBytes}}) {
    CAPTURE(port.algorithm);
    const Timeline timeline =
        testing::simulated(testing::emitted(machine, task(port.algorithm, 6, 2)), machine);
    for (const char* link : {"gpu0>leaf0", "leaf0>gpu0", "gpu5>leaf1", "leaf1>gpu5"})
      CHECK(bytes_of(machine, timeline, link) ==
            doctest::Approx(static_cast<double>(port.bytes)).epsilon(1e-12));
    for (const char* link : {"leaf0>spine0", "spine0>leaf0"})
      CHECK(bytes_of(machine, timeline, link) == doctest::Approx(kBytes).epsilon(1e-12));
  }
}

TEST_CASE("on planes of 4, 5, 5 and 4 links all 18 carry their share") {
  constexpr std::int64_t kPlaneBytes = 720'000'000;
  constexpr std::int64_t kAlone = 1'600'000'000;  // at 450 GB/s
  const Topology machine = hgx();
  for (const std::int64_t k : {1, 4, 10}) {
    CAPTURE(k);
    CHECK(picoseconds(machine, task("nvls", 8, k, CollectiveKind::allreduce, kPlaneBytes)) ==
          (16 + (k - 1) * 9) * (kAlone / (8 * k)));
    CHECK(picoseconds(machine, task("sharp", 8, k, CollectiveKind::allreduce, kPlaneBytes)) ==
          (k + 1) * (kAlone / k));
  }
}

TEST_CASE("switches that add up 8 GB/s each of n ranks hold an allreduce to that") {
  Topology::Parts parts = testing::star(4, gigabytes(16));
  parts.nodes.back().reduce_bandwidth = gigabytes(32);
  const Topology machine = with_abilities(parts);
  CHECK(picoseconds(machine, task("sharp", 4, 1, CollectiveKind::reduce)) == 2 * kTransfer);
  CHECK(picoseconds(machine, task("sharp", 4, 1)) == 3 * kTransfer);
}

}  // namespace syncsim::in_network_test
