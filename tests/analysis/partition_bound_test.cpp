// The partition bound against all partitions of small machines, and against known optima.

#include "sim/analysis/partition_bound.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/analysis/brute_force.h"
#include "tests/support/odd_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::partition_bound_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

// Bytes per second of allreduce that no algorithm passes.
template <class Capacity>
double by_brute_force(const Topology& machine, Capacity&& capacity) {
  const int ranks = static_cast<int>(machine.ranks().size());
  std::vector<double> values(std::size_t{1} << ranks);
  for (std::uint32_t set = 1; set < values.size(); ++set)
    values[set] = testing::least(machine, set, capacity);
  double best = std::numeric_limits<double>::infinity();
  testing::each_partition(ranks, [&](const std::vector<int>& part, int parts) {
    if (parts < 2) return;
    std::vector<std::uint32_t> sets(static_cast<std::size_t>(parts), 0);
    for (std::size_t rank = 0; rank < part.size(); ++rank)
      sets[static_cast<std::size_t>(part[rank])] |= 1u << rank;
    double sum = 0;
    for (const std::uint32_t set : sets) sum += values[set];
    best = std::min(best, sum / (2.0 * (parts - 1)));
  });
  return best;
}

double by_truncation(const Topology& machine, std::span<const NodeId> ranks, Flow flow) {
  const Collective collective = collective_of(CollectiveKind::allreduce, 2, 1);
  const CutGraph graph = cut_graph({machine, ranks, collective});
  return graph.unit / worst_partition(graph, flow).factor();
}

}  // namespace

TEST_CASE("the worst partition is that of all partitions") {
  testing::OddMachines machines(7);
  for (int i = 0; i < 150; ++i) {
    const Topology machine =
        machines.next(2 + machines.below(5), machines.below(4), machines.below(10));
    CAPTURE(i);
    CHECK(by_truncation(machine, machine.ranks(), Flow::leaving) ==
          doctest::Approx(by_brute_force(machine, testing::leaving)).epsilon(1e-12));
    CHECK(by_truncation(machine, machine.ranks(), Flow::entering) ==
          doctest::Approx(by_brute_force(machine, testing::entering)).epsilon(1e-12));
  }
}

namespace {

// A subset of the DGX-1's gpus and the links of tree packing: Tutte (J. London Math. Soc. 36, 1961)
// and Nash-Williams, for the subsets of Wang et al., "Blink" (MLSys 2020).
struct SubsetRow {
  std::vector<NodeId> gpus;
  double links;
};

void check_rows(const Topology& machine, double gigabytes_per_link,
                const std::vector<SubsetRow>& rows) {
  for (const SubsetRow& row : rows) {
    CAPTURE(row.links);
    const double rate = by_truncation(machine, row.gpus, Flow::leaving);
    CHECK(rate == doctest::Approx(row.links * gigabytes_per_link * 1e9).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("DGX-1V subsets over NVLink: the fractional packing number of spanning trees") {
  check_rows(Topology(testing::direct_mesh(8, testing::hybrid_cube_mesh())), 25,
             {{{0, 1}, 1},
              {{0, 1, 2}, 2},
              {{0, 2, 3}, 2.5},
              {{0, 3, 4}, 2},
              {{0, 1, 2, 4}, 2},
              {{0, 1, 4, 7}, 1},
              {{0, 2, 4, 6}, 1.5},
              {{0, 3, 4, 7}, 7.0 / 3},
              {{0, 2, 3, 4, 7}, 2.5},
              {{0, 1, 2, 4, 5, 6}, 13.0 / 5},
              {{0, 1, 2, 4, 5, 7}, 12.0 / 5},
              {{0, 2, 3, 4, 6, 7}, 14.0 / 5},
              {{0, 1, 2, 3, 4, 5, 6}, 3},
              {{0, 1, 2, 3, 4, 5, 6, 7}, 24.0 / 7}});
}

TEST_CASE("DGX-1P subsets over NVLink") {
  check_rows(Topology(testing::dgx1p()), 20,
             {{{0, 1}, 1},
              {{0, 1, 4}, 1},
              {{0, 1, 2, 4, 5}, 1.5},
              {{0, 1, 2, 4, 5, 6}, 9.0 / 5},
              {{0, 1, 2, 4, 5, 7}, 8.0 / 5},
              {{0, 1, 2, 3, 4, 5, 6, 7}, 16.0 / 7}});
}

TEST_CASE("a star's worst partition is every rank by itself: n B / 2 (n - 1)") {
  for (const int ranks : {2, 3, 8}) {
    const Topology machine(testing::star(ranks, gigabytes(16)));
    CHECK(by_truncation(machine, machine.ranks(), Flow::leaving) ==
          doctest::Approx(ranks * 16e9 / (2.0 * (ranks - 1))).epsilon(1e-12));
  }
}

TEST_CASE("two sockets of two switches: 64/7 GB/s, all ranks but the uplinks bind") {
  // every gpu 16 GB/s, 16 * 8 / 14
  Topology::Parts parts;
  testing::add_gpus(parts, 8);
  testing::add_two_socket_tree(parts);
  for (Link& link : parts.links)
    if (link.kind == LinkKind::socket) link.bandwidth = link.usable = gigabytes(100);
  const Topology machine(parts);
  const double uplinks = 4 * 16e9 / 6;  // partition into the four switches' pairs
  CHECK(by_truncation(machine, machine.ranks(), Flow::leaving) ==
        doctest::Approx(std::min(128e9 / 14, uplinks)).epsilon(1e-12));
}

TEST_CASE("a helper that adds up loosens the bound, and counts as a part") {
  // Four gpus and a helper of 16 GB/s each: BytePS (Jiang et al., OSDI 2020) reaches
  // 2 n (n - 1) / (n^2 + k n - 2 k) = 24 / 18 of M / B with k = 1.
  Topology::Parts parts = testing::star(4, gigabytes(16));
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  testing::add_cable(parts, cpu, 4, testing::link_of(LinkKind::pcie, gigabytes(16)));
  const Topology machine(parts);
  const Collective collective = collective_of(CollectiveKind::allreduce, 4, 1);
  const std::vector<NodeId> helpers = {cpu};
  const CutGraph graph = cut_graph({.topology = machine,
                                    .ranks = machine.ranks(),
                                    .collective = collective,
                                    .helpers = helpers});
  const double seconds = worst_partition(graph, Flow::leaving).factor() / graph.unit;
  CHECK(seconds == doctest::Approx(6 / 80e9).epsilon(1e-12));  // five parts, four with ranks
  CHECK(seconds <= 24.0 / 18 / 16e9);
}

}  // namespace syncsim::partition_bound_test
