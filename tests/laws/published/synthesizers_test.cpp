// Times that synthesizers of schedules have published, against the bounds: none is below, and those
// that are known to be optimal meet them.

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "tests/support/published_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::synthesizers_test {
namespace {

using testing::add_cable;
using testing::gigabytes;
using testing::link_of;

constexpr auto kAllGather = CollectiveKind::all_gather;
constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kAllToAll = CollectiveKind::all_to_all;
constexpr auto kBroadcast = CollectiveKind::broadcast;

double microseconds(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind,
                    std::int64_t bytes) {
  const Collective collective = testing::collective_of(kind, static_cast<int>(ranks.size()), bytes);
  return lower_bound({machine, ranks, collective}).seconds * 1e6;
}

double microseconds(const Topology& machine, CollectiveKind kind, std::int64_t bytes) {
  return microseconds(machine, machine.ranks(), kind, bytes);
}

Topology mesh_of_gibibytes(int columns, int rows, double along_row, double along_column) {
  return testing::uneven_mesh(columns, rows, {along_row * 0x1p30}, {along_column * 0x1p30});
}

}  // namespace

// Won et al., "TACOS" (arXiv 2304.05301), the tests of astra-sim/tacos. A fluid does it in (n - 1)
// of n of the bytes over the ports of the worst rank.
TEST_CASE("TACOS: published all-gathers take no less than the bound") {
  struct Row {
    std::string name;
    Topology machine;
    std::int64_t mebibytes;
    double bound;  // us
    double published;
  };
  const std::string link = std::to_string(50LL << 30) + " B/s";
  const std::vector<Row> rows = {
      {"mesh 5x5", mesh_of_gibibytes(5, 5, 50, 50), 1024, 9600, 9606},
      {"mesh 7x12", mesh_of_gibibytes(7, 12, 100, 100), 4096, 19761.905, 19966.27},
      {"mesh 5x5, 50 and 75", mesh_of_gibibytes(5, 5, 50, 75), 1024, 7680, 8005},
      {"mesh 7x10, 16 and 73", mesh_of_gibibytes(7, 10, 16, 73), 4096, 44301.766, 44612.47},
      {"mesh 3x3x3", testing::grid("mesh", "3, 3, 3", link), 1024, 6419.753, 6671.17},
      {"mesh 4x2x3", testing::grid("mesh", "4, 2, 3", link), 3072, 19166.667, 19178.17},
      {"torus 3x3x3", testing::grid("torus", "3, 3, 3", link), 1024, 3209.877, 3706.2},
      {"torus 4x2x3", testing::grid("torus", "4, 2, 3", link), 3072, 11500, 11673.67},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const double bound = microseconds(row.machine, kAllGather, row.mebibytes << 20);
    CHECK(bound == doctest::Approx(row.bound).epsilon(1e-6));
    CHECK(row.published >= bound);
  }
}

namespace {

// "NDv2": `count` DGX-1V, joined by one link of 12.5 GB/s between gpu1 of the first and gpu0 of the
// second, or for more than two by gpu0 of each on a switch.
Topology ndv2(int count) {
  Topology::Parts parts;
  parts.name = "ndv2";
  testing::add_gpus(parts, 8 * count);
  for (Node& node : parts.nodes) node.forwards = true;
  for (int box = 0; box < count; ++box)
    for (const testing::MeshEdge& edge : testing::hybrid_cube_mesh())
      add_cable(parts, edge.a + static_cast<NodeId>(8 * box), edge.b + static_cast<NodeId>(8 * box),
                link_of(LinkKind::nvlink, gigabytes(25.0 * edge.count), edge.count));
  const Link uplink = link_of(LinkKind::network, gigabytes(12.5));
  if (count == 2) {
    add_cable(parts, 1, 8, uplink);
    return Topology(parts);
  }
  const NodeId hub = testing::add_node(parts, "switch0", NodeKind::switch_);
  for (int box = 0; box < count; ++box) add_cable(parts, static_cast<NodeId>(8 * box), hub, uplink);
  return Topology(parts);
}

// Two DGX-2: 16 gpus at 125 GB/s on a switch each, odd gpus joined to even ones by 12.5 GB/s.
Topology two_dgx2() {
  Topology::Parts parts;
  parts.name = "two_dgx2";
  testing::add_gpus(parts, 32);
  for (Node& node : parts.nodes) node.forwards = true;
  for (NodeId box = 0; box < 2; ++box) {
    const NodeId hub = testing::add_node(parts, "switch" + std::to_string(box), NodeKind::switch_);
    for (NodeId gpu = 0; gpu < 16; ++gpu)
      add_cable(parts, 16 * box + gpu, hub, link_of(LinkKind::nvlink, gigabytes(125)));
  }
  for (NodeId gpu = 0; gpu < 16; gpu += 2)
    add_cable(parts, gpu + 1, gpu + 16, link_of(LinkKind::network, gigabytes(12.5)));
  return Topology(parts);
}

}  // namespace

// Liu et al., "TE-CCL" (arXiv 2305.13479), predictions of microsoft/TE-CCL for 1 GB; the bounds
// computed by cuts. Its all-to-all on two NDv2 leaves out gpu 0.
TEST_CASE("TE-CCL and TACCL: published schedules take no less than the bound") {
  const Topology pair = ndv2(2);
  CHECK(microseconds(two_dgx2(), kAllGather, 1'000'000'000) == doctest::Approx(7'750));  // met
  CHECK(microseconds(pair, kAllGather, 1'000'000'000) == doctest::Approx(40'000));       // 43,750
  CHECK(microseconds(ndv2(4), kAllGather, 1'000'000'000) == doctest::Approx(60'000));    // 65,000
  CHECK(microseconds(two_dgx2(), kAllToAll, 1'000'000'000) == doctest::Approx(80'000));
  const std::span<const NodeId> without_first = std::span(pair.ranks()).subspan(1);
  CHECK(microseconds(pair, without_first, kAllToAll, 15 * 62'500'000LL) ==
        doctest::Approx(280'000));
}

// Cai et al., "Synthesizing Optimal Collective Algorithms" (PPoPP 2021): `rounds` in which each
// link carries one of `chunks` that each rank has; of allreduce, broadcast and all-to-all the whole
// is in `chunks`.
TEST_CASE("SCCL: published rounds a chunk on the DGX-1V are no less than the bound") {
  struct Row {
    CollectiveKind kind;
    int rounds;
    int chunks;
    bool least;
  };
  const std::vector<Row> rows = {
      {kAllGather, 2, 1, false},  {kAllGather, 3, 2, false},   {kAllGather, 5, 4, false},
      {kAllGather, 6, 5, false},  {kAllGather, 7, 6, true},    {kAllreduce, 4, 8, false},
      {kAllreduce, 6, 16, false}, {kAllreduce, 10, 32, false}, {kAllreduce, 14, 48, true},
      {kBroadcast, 2, 2, false},  {kBroadcast, 3, 6, false},   {kBroadcast, 4, 12, false},
      {kBroadcast, 5, 18, false}, {kAllToAll, 3, 8, false},    {kAllToAll, 8, 24, true},
  };
  const Topology machine = testing::without_pcie("dgx1v");
  for (const Row& row : rows) {
    CAPTURE(to_string(row.kind));
    CAPTURE(row.chunks);
    const std::int64_t bytes = 25'000LL * row.chunks * (row.kind == kAllGather ? 8 : 1);
    const double bound = microseconds(machine, row.kind, bytes);  // a round: 1 us
    CHECK(row.rounds >= bound * (1 - 1e-12));
    CHECK((row.rounds <= bound * (1 + 1e-12)) == row.least);
  }
}

}  // namespace syncsim::synthesizers_test
