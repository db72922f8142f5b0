// Packed trees: what they carry against the bound, on machines where it can be reached. Larger
// machines: bench/laws.cpp.

#include <doctest/doctest.h>

#include <numeric>

#include "sim/analysis/bounds.h"
#include "sim/base/watch.h"
#include "sim/schedule/check.h"
#include "strategies/packing/tree_packing.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::packed_trees_test {
namespace {

using strategy::Flow;
using strategy::pack_trees;
using strategy::PackedTree;
using strategy::PackingWish;
using strategy::TreePacking;
using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;
using testing::Task;

constexpr std::int64_t kGigabyte = 1'000'000'000;
constexpr CollectiveKind kKinds[] = {CollectiveKind::allreduce, CollectiveKind::broadcast,
                                     CollectiveKind::reduce, CollectiveKind::all_gather,
                                     CollectiveKind::reduce_scatter};

double efficiency(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind) {
  const Collective collective = collective_of(kind, static_cast<int>(ranks.size()), kGigabyte);
  const Schedule schedule = emitted(machine, ranks, {"packed_trees", collective});
  const Time time = execute_simulated(schedule, machine, {}).finish;
  return lower_bound({machine, ranks, collective}).seconds / seconds(time);
}

std::vector<int> all_ranks(std::size_t count) {
  std::vector<int> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

PackingWish wish_for(CollectiveKind kind, std::size_t ranks) {
  switch (kind) {
    case CollectiveKind::broadcast:
      return {Flow::down, {0}};
    case CollectiveKind::reduce:
      return {Flow::up, {0}};
    case CollectiveKind::all_gather:
      return {Flow::down, all_ranks(ranks)};
    case CollectiveKind::reduce_scatter:
      return {Flow::up, all_ranks(ranks)};
    default:
      return {};
  }
}

// Of the trees alone, without filling and draining them.
double packed(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind) {
  const Collective collective = collective_of(kind, static_cast<int>(ranks.size()), kGigabyte);
  const TreePacking packing = pack_trees(machine, ranks, wish_for(kind, ranks.size()));
  return lower_bound({machine, ranks, collective}).seconds * packing.rate() / kGigabyte;
}

Topology grid(const std::string& kind, const std::string& dimensions) {
  return testing::written_machine(R"({"kind": ")" + kind + R"(", "dimensions": )" + dimensions +
                                  R"(, "link": {"kind": "nvlink", "bandwidth": "25 GB/s"}})");
}

void require_spans(const PackedTree& packed, std::size_t ranks) {
  const strategy::Tree& tree = packed.tree;
  REQUIRE(tree.top_down.size() == ranks);
  std::vector<bool> seen(ranks, false);
  for (const int rank : tree.top_down) {
    const int parent = tree.parent[static_cast<std::size_t>(rank)];
    CHECK((parent == rank ? rank == tree.root : seen[static_cast<std::size_t>(parent)]));
    seen[static_cast<std::size_t>(rank)] = true;
  }
}

}  // namespace

TEST_CASE("95 % of the bound on boxes and meshes, in every collective, at 1 GB") {
  for (const std::string name : {"dgx1v", "mi300x", "hgx_h100", "pcie_8gpu_rootports"}) {
    const Topology machine = shelf_machine(name);
    for (const CollectiveKind kind :
         {CollectiveKind::allreduce, CollectiveKind::reduce, CollectiveKind::reduce_scatter}) {
      CAPTURE(name);
      CAPTURE(to_string(kind));
      CHECK(efficiency(machine, machine.ranks(), kind) >= 0.95);
    }
  }
  const Topology mesh = grid("mesh", "[3, 3]");
  for (const CollectiveKind kind : kKinds) CHECK(efficiency(mesh, mesh.ranks(), kind) >= 0.98);
}

TEST_CASE("trees carry 96 % of the bound on boxes, PCIe trees, two boxes, meshes and tori") {
  for (const std::string name :
       {"dgx1p", "mi250", "pcie_4gpu", "pcie_8gpu_single_root", "v100_quad", "dgx1v_x2"}) {
    const Topology machine = shelf_machine(name);
    for (const CollectiveKind kind :
         {CollectiveKind::allreduce, CollectiveKind::broadcast, CollectiveKind::all_gather}) {
      CAPTURE(name);
      CAPTURE(to_string(kind));
      CHECK(packed(machine, machine.ranks(), kind) >= 0.96);
    }
  }
  for (const auto& [kind, dimensions] : {std::pair("mesh", "[3, 4]"), std::pair("torus", "[3, 3]")})
    for (const CollectiveKind collective : kKinds) {
      CAPTURE(dimensions);
      const Topology machine = grid(kind, dimensions);
      CHECK(packed(machine, machine.ranks(), collective) >= 0.96);
    }
}

TEST_CASE("subsets of the DGX-1V use NVLink and PCIe to 97 % of what both can carry") {
  const Topology machine = shelf_machine("dgx1v");
  struct Row {
    std::vector<NodeId> gpus;
    double links;  // of spanning trees over NVLink (Wang et al., "Blink", MLSys 2020)
  };
  for (const Row& row :
       {Row{{0, 1, 2}, 2}, Row{{0, 2, 3}, 2.5}, Row{{0, 3, 4}, 2}, Row{{0, 2, 4, 6}, 1.5},
        Row{{0, 1, 2, 4, 5, 6}, 2.6}, Row{{0, 1, 2, 3, 4, 5, 6}, 3}}) {
    CHECK(pack_trees(machine, row.gpus, {}).rate() >= row.links * 25e9);
    for (const CollectiveKind kind :
         {CollectiveKind::allreduce, CollectiveKind::broadcast, CollectiveKind::all_gather})
      CHECK(packed(machine, row.gpus, kind) >= 0.97);
  }
}

TEST_CASE("95 % of the bound on some gpus of a machine, over the others and CPUs") {
  struct Row {
    std::string machine;
    std::vector<NodeId> gpus;
    CollectiveKind kind;
  };
  const CollectiveKind both = CollectiveKind::allreduce;
  const CollectiveKind gather = CollectiveKind::all_gather;
  const CollectiveKind scatter = CollectiveKind::reduce_scatter;
  const CollectiveKind broadcast = CollectiveKind::broadcast;
  for (const auto& [name, gpus, kind] :
       {Row{"dgx1p", {0, 1, 2}, gather}, Row{"dgx1p", {1, 2, 3}, broadcast},
        Row{"dgx1p", {4, 5, 6}, scatter}, Row{"mi300x", {1, 2}, both},
        Row{"gh200_quad", {0, 1, 2, 3}, gather}, Row{"mi250", {0, 1, 2}, broadcast},
        Row{"mi250", {0, 3, 5, 9, 12}, scatter}, Row{"mi250", {0, 1, 2, 3, 4, 5, 6, 7}, both}}) {
    CAPTURE(name);
    CAPTURE(gpus);
    CHECK(efficiency(shelf_machine(name), gpus, kind) >= 0.95);
  }
}

TEST_CASE("unequal shares of two boxes: trees pass CPUs to reach the nics of other gpus") {
  const Topology machine = shelf_machine("dgx_a100_x2");
  const std::span<const NodeId> ranks = std::span(machine.ranks()).first(10);
  CHECK(packed(machine, ranks, CollectiveKind::allreduce) >= 0.98);
}

TEST_CASE("a gpu that is no rank adds up and hands on: a byte in and out for each of the data") {
  const Topology machine = testing::written_machine(
      R"({"name": "star", "link_types": {"x": {"kind": "xgmi", "bandwidth": "25 GB/s"}},)"
      R"("nodes": [{"id": "gpu[0-3]", "kind": "gpu", "forwards": true}],)"
      R"("links": [{"between": ["gpu[0-2]", "gpu3"], "type": "x"}]})");
  const std::span<const NodeId> ranks = std::span(machine.ranks()).first(3);
  const TreePacking packing = pack_trees(machine, ranks, {});
  CHECK(packing.rate() == doctest::Approx(25e9));
  CHECK(packing.relays == std::vector<NodeId>{3});
  for (const PackedTree& tree : packing.trees) CHECK(tree.tree.depth() == 1);
  for (const CollectiveKind kind : kKinds)
    CHECK(!check(emitted(machine, ranks, {"packed_trees", collective_of(kind, 3, 10'000'000)})));
}

TEST_CASE("a CPU on the way hands on to one, and adds nothing up") {
  const Topology machine = shelf_machine("gh200_quad");
  const std::size_t gpus = machine.ranks().size();
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::all_gather}) {
    const TreePacking packing = pack_trees(machine, machine.ranks(), wish_for(kind, gpus));
    REQUIRE(packing.relays.size() == gpus);
    std::size_t passed = 0;
    for (const PackedTree& tree : packing.trees)
      for (std::size_t node = gpus; node < tree.tree.children.size(); ++node) {
        CHECK(tree.tree.root != static_cast<int>(node));
        CHECK(tree.tree.children[node].size() <= 1);
        passed += tree.tree.children[node].size();
      }
    CHECK(passed > 0);
  }
}

TEST_CASE("a search for trees stops when it is told to") {
  const Topology machine = shelf_machine("dgx1v");
  PackingWish wish;
  wish.heed = [] { throw Interrupted({}); };
  CHECK_THROWS_AS(pack_trees(machine, machine.ranks(), wish), Interrupted);
}

TEST_CASE("of little data trees lead over ranks alone") {
  const Topology machine = shelf_machine("gh200_quad");
  const Schedule schedule =
      emitted(machine, {"packed_trees", collective_of(CollectiveKind::allreduce, 4, 1'000'000)});
  CHECK(schedule.participants.size() == 4);
}

TEST_CASE("a mesh of 5 x 5: five trees, three edges to a link, 5/3 of a link") {
  const Topology machine = grid("mesh", "[5, 5]");
  const TreePacking packing = pack_trees(machine, machine.ranks(), {});
  CHECK(packing.rate() == doctest::Approx(5.0 / 3 * 25e9));
  CHECK(packing.trees.size() == 5);
}

TEST_CASE("a broadcast over direct links carries what leaves its root, not half of it") {
  // Edmonds: as many trees as links leave the root, where no smaller cut lies behind.
  const Topology machine = grid("torus", "[4, 4]");
  const TreePacking packing = pack_trees(machine, machine.ranks(), {Flow::down, {5}});
  CHECK(packing.rate() == doctest::Approx(4 * 25e9));
}

TEST_CASE("every tree spans the ranks, parents before children, from the root that is asked for") {
  for (const std::string name : {"dgx1v", "mi250"}) {
    const Topology machine = shelf_machine(name);
    const std::size_t ranks = machine.ranks().size();
    for (const PackedTree& tree : pack_trees(machine, machine.ranks(), {}).trees)
      require_spans(tree, ranks);
    for (const PackedTree& tree : pack_trees(machine, machine.ranks(), {Flow::up, {3}}).trees) {
      require_spans(tree, ranks);
      CHECK(tree.tree.root == 3);
    }
    const TreePacking packing =
        pack_trees(machine, machine.ranks(), {Flow::down, all_ranks(ranks), 2});
    REQUIRE(packing.trees.size() == 2 * ranks);
    for (std::size_t i = 0; i < packing.trees.size(); ++i) {
      require_spans(packing.trees[i], ranks);
      CHECK(packing.trees[i].tree.root == static_cast<int>(i % ranks));
    }
  }
}

TEST_CASE("each root's trees carry as much as every other's") {
  const Topology machine = shelf_machine("dgx1v");
  const TreePacking packing = pack_trees(machine, machine.ranks(), {Flow::down, all_ranks(8)});
  std::vector<double> rates(8, 0);
  for (const PackedTree& tree : packing.trees)
    rates[static_cast<std::size_t>(tree.tree.root)] += tree.rate;
  for (const double rate : rates) CHECK(rate == doctest::Approx(packing.rate() / 8));
}

TEST_CASE("trees over NVLink leave PCIe hops to channels of the host's plane") {
  const Topology machine = shelf_machine("dgx1v");
  for (const CollectiveKind kind : kKinds) {
    const Schedule schedule = emitted(machine, {"packed_trees", collective_of(kind, 8, 1 << 20)});
    CHECK(!check(schedule));
    std::int64_t over_host = 0;
    for (const Op& op : schedule.ops)
      if (schedule.channels[op.channel].plane == Plane::host) over_host += schedule.bytes(op).count;
    CHECK(over_host > 0);
  }
}

TEST_CASE("channels take what their trees carry together, and no more") {
  const Topology machine = shelf_machine("dgx1v");
  const Schedule schedule = emitted(
      machine,
      {"packed_trees", collective_of(CollectiveKind::all_gather, 8, 1 << 20), {{"trees", "6"}}});
  double rates = 0;
  for (const Channel& channel : schedule.channels)
    if (channel.plane == Plane::all) rates += channel.maximum_rate;
  const TreePacking packing = pack_trees(machine, machine.ranks(), {Flow::down, all_ranks(8), 6});
  CHECK(rates == doctest::Approx(packing.rate()));
}

TEST_CASE("more ranks than there are channels for are refused, before trees are looked for") {
  const Topology machine(testing::star(32'001));
  CHECK(testing::refusal_of([&] {
          emitted(machine, {"packed_trees", collective_of(CollectiveKind::all_gather, 32'001, 64)});
        }) ==
        "packed_trees gives every rank's trees channels of their own, for 32000 ranks at most; "
        "these are 32001; use fewer ranks, or another strategy");
}

TEST_CASE("a root has 1 to 512 trees") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Collective collective = collective_of(CollectiveKind::all_gather, 4, 64);
  CHECK(testing::refusal_of([&] {
          emitted(machine, {"packed_trees", collective, {{"trees", "0"}}});
        }) == "packed_trees parameter trees: \"0\" is out of range; write one from 1 to 512");
}

}  // namespace syncsim::packed_trees_test
