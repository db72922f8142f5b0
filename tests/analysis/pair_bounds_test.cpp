// The bounds of all-to-all and send-recv against all cuts of small machines, and known optima.

#include <doctest/doctest.h>

#include "sim/analysis/pair_cut_bound.h"
#include "sim/analysis/volume_bound.h"
#include "sim/topology/topology_json.h"
#include "tests/analysis/brute_force.h"
#include "tests/support/odd_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::pair_bounds_test {
namespace {

using testing::collective_of;

struct Bounds {
  LowerBound cut;
  LowerBound volume;
};

Bounds bounds_of(const Topology& machine, const Collective& collective) {
  const BoundQuery query{machine, machine.ranks(), collective};
  const CutGraph graph = cut_graph(query);
  return {pair_cut_bound(query, graph), volume_bound(query, graph)};
}

double worst_of_all_cuts(const Topology& machine, const Collective& collective) {
  const auto ranks = static_cast<std::uint32_t>(collective.ranks);
  double worst = 0;
  for (std::uint32_t set = 1; set + 1 < (1u << ranks); ++set) {
    double bytes = 0;
    for (std::uint32_t from = 0; from < ranks; ++from)
      for (std::uint32_t to = 0; to < ranks; ++to) {
        if ((set >> from & 1) == 0 || (set >> to & 1) != 0) continue;
        if (collective.kind == CollectiveKind::all_to_all)
          bytes += static_cast<double>(collective.bytes.count) / ranks;
        else if (to == (from + 1) % ranks)
          bytes += static_cast<double>(collective.bytes.count);
      }
    worst = std::max(worst, bytes / testing::least(machine, set, testing::leaving));
  }
  return worst;
}

}  // namespace

TEST_CASE("the cut found is one of the machine's, nearly always the worst") {
  testing::OddMachines machines(5);
  int exact = 0;
  for (int i = 0; i < 60; ++i) {
    const int ranks = 3 + machines.below(4);
    const Topology machine = machines.next(ranks, machines.below(3), machines.below(8));
    for (const CollectiveKind kind : {CollectiveKind::all_to_all, CollectiveKind::send_recv}) {
      const Collective collective = collective_of(kind, ranks, 1000 * ranks);
      const Bounds bounds = bounds_of(machine, collective);
      const double worst = worst_of_all_cuts(machine, collective);
      CHECK(bounds.cut.seconds <= worst * (1 + 1e-12));
      CHECK(bounds.volume.seconds > 0);
      if (bounds.cut.seconds >= worst * (1 - 1e-12)) ++exact;
    }
  }
  CHECK(exact >= 114);  // of 120
}

TEST_CASE("all-to-all over DGX-1V's NVLink: the two halves' 6 links bind") {
  // Cai et al., "Synthesizing Optimal Collective Algorithms" (PPoPP 2021): 8/3 rounds of 1/8.
  const Topology machine(testing::direct_mesh(8, testing::hybrid_cube_mesh()));
  const Bounds bounds = bounds_of(machine, collective_of(CollectiveKind::all_to_all, 8, 8000));
  CHECK(bounds.cut.seconds == doctest::Approx(16 * 1000 / 150e9));
  CHECK(bounds.cut.binds == "ranks 0-3 | 4-7, 6 links of 25 GB/s");
}

TEST_CASE("all-to-all on a ring of 8: bytes times distance, 16 blocks of 1/8 on every link") {
  // distances 1, 1, 2, 2, 3, 3, 4 from each rank, over 16 arcs
  const Topology machine = read_topology(
      JsonFile::parse(
          R"({"kind": "ring", "gpus": 8, "link": {"kind": "nvlink", "bandwidth": "1 GB/s"}})",
          "m.json")
          .root());
  const Bounds bounds = bounds_of(machine, collective_of(CollectiveKind::all_to_all, 8, 8000));
  CHECK(bounds.volume.seconds == doctest::Approx(8 * 16 * 1000 / 16e9));
  CHECK(bounds.cut.seconds == doctest::Approx(16 * 1000 / 2e9));
}

TEST_CASE("send-recv around a star: every port carries all of it") {
  const Topology machine(testing::star(4));
  const Bounds bounds = bounds_of(machine, collective_of(CollectiveKind::send_recv, 4, 16'000));
  CHECK(bounds.cut.seconds == doctest::Approx(1e-6));
  CHECK(bounds.volume.seconds == doctest::Approx(1e-6));
}

TEST_CASE("what cannot be parted by a cut is bound by its volume: K(2,3) of unit links") {
  // Okamura and Seymour (J. Comb. Theory B 31, 1981): cuts allow more than can be routed.
  const Topology machine(
      testing::direct_mesh(5, {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {1, 2, 1}, {1, 3, 1}, {1, 4, 1}}));
  const Bounds bounds = bounds_of(machine, collective_of(CollectiveKind::all_to_all, 5, 5000));
  // 12 ordered pairs at distance 1, 8 at distance 2, over 12 arcs
  CHECK(bounds.volume.seconds >= 28 * 1000 / (12 * 25e9) * (1 - 1e-12));
}

}  // namespace syncsim::pair_bounds_test
