// Cuts against all cuts of small machines, and against known optima.

#include "sim/analysis/cut_bound.h"

#include <doctest/doctest.h>

#include "sim/analysis/spread_bound.h"
#include "tests/analysis/brute_force.h"
#include "tests/support/odd_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::cut_bound_test {
namespace {

using testing::collective_of;

int count(std::uint32_t set) { return __builtin_popcount(set); }

// The largest bytes(S) / capacity(S) over the rank sets S that are not all; bytes 0: no demand.
template <class Bytes, class Capacity>
double by_brute_force(const Topology& machine, Bytes&& bytes, Capacity&& capacity) {
  const auto ranks = machine.ranks().size();
  double worst = 0;
  for (std::uint32_t set = 1; set + 1 < (1u << ranks); ++set)
    worst = std::max(worst, bytes(set) / testing::least(machine, set, capacity));
  return worst;
}

double bound_of(const Topology& machine, CollectiveKind kind, int root = 0) {
  const int ranks = static_cast<int>(machine.ranks().size());
  const Collective collective = collective_of(kind, ranks, 1000 * ranks, root);
  const BoundQuery query{machine, machine.ranks(), collective};
  return cut_bound(query, cut_graph(query)).seconds;
}

}  // namespace

TEST_CASE("the worst cut of every collective is that of all cuts") {
  testing::OddMachines machines(3);
  for (int i = 0; i < 120; ++i) {
    const int ranks = 2 + machines.below(5);
    const Topology machine = machines.next(ranks, machines.below(4), machines.below(10));
    const int root = machines.below(ranks);
    const double size = 1000.0 * ranks;
    CAPTURE(i);
    const auto same = [](double actual, double expected) {
      CHECK(actual == doctest::Approx(expected).epsilon(1e-12));
    };
    const auto all = [&](std::uint32_t) { return size; };
    const auto parts = [&](std::uint32_t set) { return 1000.0 * count(set); };
    const auto rooted = [&](std::uint32_t set) { return (set >> root & 1) != 0 ? size : 0; };
    same(bound_of(machine, CollectiveKind::allreduce),
         by_brute_force(machine, all, testing::leaving));
    same(bound_of(machine, CollectiveKind::all_gather),
         by_brute_force(machine, parts, testing::leaving));
    same(bound_of(machine, CollectiveKind::reduce_scatter),
         by_brute_force(machine, parts, testing::entering));
    same(bound_of(machine, CollectiveKind::broadcast, root),
         by_brute_force(machine, rooted, testing::leaving));
    same(bound_of(machine, CollectiveKind::reduce, root),
         by_brute_force(machine, rooted, testing::entering));
  }
}

TEST_CASE("DGX-1V over NVLink: broadcast packs 6 links, all-gather 150 / 7 GB/s a rank") {
  // Zhao et al., "ForestColl" (arXiv 2402.06787): 1/x* = 7 / 150.
  const Topology machine(testing::direct_mesh(8, testing::hybrid_cube_mesh()));
  CHECK(bound_of(machine, CollectiveKind::broadcast) == doctest::Approx(8000 / 150e9));
  CHECK(bound_of(machine, CollectiveKind::all_gather) == doctest::Approx(1000 * 7 / 150e9));
}

TEST_CASE("parts of nothing need no cut: 3 bytes on 4 ranks") {
  const Topology machine(testing::star(4));
  const Collective collective = collective_of(CollectiveKind::all_gather, 4, 3);
  const BoundQuery query{machine, machine.ranks(), collective};
  CHECK(cut_bound(query, cut_graph(query)).seconds <= 3 / 16e9);
}

TEST_CASE("what binds is told: the sides of the cut and its links") {
  Topology::Parts parts = testing::direct_mesh(4, {{0, 1, 4}, {2, 3, 4}, {1, 2, 1}, {0, 3, 2}});
  const Topology machine(parts);
  const Collective collective = collective_of(CollectiveKind::allreduce, 4, 1000);
  const BoundQuery query{machine, machine.ranks(), collective};
  const LowerBound bound = cut_bound(query, cut_graph(query));
  CHECK(bound.seconds == doctest::Approx(1000 / 75e9));
  CHECK(bound.binds == "ranks 0-1 | 2-3, 3 links of 25 GB/s");
}

TEST_CASE("a transit that binds is told by its node") {
  Topology::Parts parts = testing::two_socket_tree();
  parts.nodes[8].transit_bandwidth = testing::gigabytes(2);
  const Topology machine(parts);
  const std::vector<NodeId> ranks = {0, 2};
  const Collective collective = collective_of(CollectiveKind::allreduce, 2, 1000);
  const BoundQuery query{machine, ranks, collective};
  const LowerBound bound = cut_bound(query, cut_graph(query));
  CHECK(bound.seconds == doctest::Approx(1000 / 2e9));
  CHECK(bound.binds == "ranks 0 | 1, the transit of cpu0");
}

}  // namespace syncsim::cut_bound_test
