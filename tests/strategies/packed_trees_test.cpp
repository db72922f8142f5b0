// Packed trees: what they carry against the bound, on machines where it is known to be reached.

#include <doctest/doctest.h>

#include "sim/analysis/bounds.h"
#include "sim/schedule/check.h"
#include "strategies/packing/tree_packing.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;
using testing::simulated;
using testing::Task;

constexpr std::int64_t kGigabyte = 1'000'000'000;

double efficiency(const Topology& machine, std::span<const NodeId> ranks) {
  const Collective collective =
      collective_of(CollectiveKind::allreduce, static_cast<int>(ranks.size()), kGigabyte);
  const Schedule schedule = emitted(machine, ranks, {"packed_trees", collective});
  const Time time = execute_simulated(schedule, machine, {}).finish;
  return lower_bound({machine, ranks, collective}).seconds / seconds(time);
}

Topology grid(const std::string& kind, const std::string& dimensions) {
  return testing::written_machine(R"({"kind": ")" + kind + R"(", "dimensions": )" + dimensions +
                                  R"(, "link": {"kind": "nvlink", "bandwidth": "25 GB/s"}})");
}

}  // namespace

TEST_CASE("95 % of the partition bound on boxes, PCIe trees, two boxes and meshes, at 1 GB") {
  for (const std::string name :
       {"dgx1v", "dgx1p", "mi250", "mi300x", "dgx2", "dgx_a100", "dgx_a100_x2", "hgx_h100",
        "pcie_4gpu", "pcie_8gpu", "pcie_8gpu_single_root", "pcie_8gpu_rootports", "v100_quad",
        "a100_nv4_quad", "dgx1v_x2"}) {
    CAPTURE(name);
    const Topology machine = shelf_machine(name);
    CHECK(efficiency(machine, machine.ranks()) >= 0.95);
  }
  for (const auto& [kind, dimensions] :
       {std::pair("mesh", "[5, 5]"), std::pair("mesh", "[3, 3, 3]"), std::pair("torus", "[3, 3]"),
        std::pair("mesh", "[8]")}) {
    CAPTURE(dimensions);
    const Topology machine = grid(kind, dimensions);
    CHECK(efficiency(machine, machine.ranks()) >= 0.95);
  }
}

TEST_CASE("subsets of the DGX-1V beat what NVLink alone can carry, and none is below 85 %") {
  const Topology machine = shelf_machine("dgx1v");
  struct Row {
    std::vector<NodeId> gpus;
    double links;  // of spanning trees over NVLink (Wang et al., "Blink", MLSys 2020)
  };
  for (const Row& row :
       {Row{{0, 1, 2}, 2}, Row{{0, 2, 3}, 2.5}, Row{{0, 3, 4}, 2}, Row{{0, 2, 4, 6}, 1.5},
        Row{{0, 1, 2, 4, 5, 6}, 2.6}, Row{{0, 1, 2, 3, 4, 5, 6}, 3}}) {
    const double reached = efficiency(machine, row.gpus);
    CHECK(reached >= 0.85);
    const Collective collective =
        collective_of(CollectiveKind::allreduce, static_cast<int>(row.gpus.size()), kGigabyte);
    const double bound = lower_bound({machine, row.gpus, collective}).seconds;
    CHECK(reached / bound >= 0.98 * row.links * 25);
  }
}

TEST_CASE("a mesh of 5 x 5: five trees, three edges to a link, 5/3 of a link") {
  const Topology machine = grid("mesh", "[5, 5]");
  const strategy::TreePacking packing = strategy::pack_trees(machine, machine.ranks(), -1);
  CHECK(packing.rate() == doctest::Approx(5.0 / 3 * 25e9));
  CHECK(packing.trees.size() == 5);
}

TEST_CASE("every tree spans the ranks, parents before children") {
  for (const std::string name : {"dgx1v", "dgx_a100_x2", "mi250"}) {
    const Topology machine = shelf_machine(name);
    for (const int root : {-1, 3}) {
      const strategy::TreePacking packing = strategy::pack_trees(machine, machine.ranks(), root);
      for (const strategy::SpanningTree& tree : packing.trees) {
        REQUIRE(tree.top_down.size() == machine.ranks().size());
        std::vector<bool> seen(tree.top_down.size(), false);
        for (const int rank : tree.top_down) {
          const int parent = tree.parent[static_cast<std::size_t>(rank)];
          CHECK((parent < 0 ? rank == tree.root : seen[static_cast<std::size_t>(parent)]));
          seen[static_cast<std::size_t>(rank)] = true;
        }
        if (root >= 0) CHECK(tree.root == root);
      }
    }
  }
}

TEST_CASE("trees over NVLink leave PCIe to trees of its own") {
  const Topology machine = shelf_machine("dgx1v");
  const Schedule schedule =
      emitted(machine, {"packed_trees", collective_of(CollectiveKind::allreduce, 8, 1 << 20)});
  CHECK(!check(schedule));
  std::int64_t over_host = 0;
  for (const Op& op : schedule.ops)
    if (schedule.channels[op.channel].plane == Plane::host) over_host += schedule.bytes(op).count;
  CHECK(over_host > 0);
}

}  // namespace syncsim
