// All bounds together: which is told, and those of latency and of structure.

#include "sim/analysis/bounds.h"

#include <doctest/doctest.h>

#include "sim/analysis/latency_bound.h"
#include "sim/analysis/node_groups.h"
#include "sim/analysis/structure_bound.h"
#include "sim/topology/topology_json.h"
#include "tests/support/odd_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::bounds_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

Topology shelf_machine(const std::string& name) { return load_topology(name, SYNCSIM_SHELF); }

Collective sum_of(const Topology& machine, std::int64_t bytes) {
  return collective_of(CollectiveKind::allreduce, static_cast<int>(machine.ranks().size()), bytes);
}

}  // namespace

TEST_CASE("the largest bound comes first, of equal ones the simplest") {
  const Topology machine(testing::star(4));
  const Collective collective = sum_of(machine, 160'000'000);
  const auto bounds = lower_bounds({machine, machine.ranks(), collective});
  REQUIRE(bounds.size() == 4);
  CHECK(bounds[0].kind == "ports");
  CHECK(bounds[0].seconds == doctest::Approx(0.015));
  CHECK(bounds[1].kind == "partition");
  CHECK(bounds[1].seconds == doctest::Approx(0.015));
  CHECK(bounds[1].binds == "4 parts of one rank, 64 GB/s out of them");
  CHECK(bounds[2].kind == "cut");
  CHECK(bounds[2].seconds == doctest::Approx(0.01));
  CHECK(bounds[3].kind == "latency");
  CHECK(bounds[3].seconds == 0);
}

TEST_CASE("a schedule with groups is bounded with all switches that reduce or multicast") {
  Topology::Parts parts = testing::star(4);
  parts.nodes.back().abilities.reduce = true;
  const NodeId other = testing::add_node(parts, "switch1", NodeKind::switch_);
  parts.nodes.back().abilities.multicast = true;
  testing::add_cable(parts, 4, other, testing::link_of(LinkKind::pcie, gigabytes(16)));
  const Topology machine(parts);
  Schedule schedule;
  schedule.ranks = 4;
  schedule.participants = {"gpu0", "gpu1", "gpu2", "gpu3", "switch1"};
  schedule.groups = {{0, 1}};
  CHECK(helpers_of(schedule, machine) == std::vector<NodeId>{other, 4});
}

TEST_CASE("where switches add up, an allreduce takes M over the least cut") {
  Topology::Parts parts = testing::star(4);
  parts.nodes.back().abilities = {true, true};
  const Topology machine(parts);
  const Collective collective = sum_of(machine, 160'000'000);
  const std::vector<NodeId> switches = able_nodes(machine);
  CHECK(switches == std::vector<NodeId>{4});
  const LowerBound bound = lower_bound({.topology = machine,
                                        .ranks = machine.ranks(),
                                        .collective = collective,
                                        .helpers = switches});
  CHECK(bound.seconds == doctest::Approx(0.01));
}

TEST_CASE("known optima: allreduce in GB/s on meshes and tori of unit links") {
  // Tutte and Nash-Williams: cables / (n - 1), where no denser part binds.
  const auto algbw = [](const std::string& json) {
    const Topology machine = read_topology(JsonFile::parse(json, "m.json").root());
    const Collective collective = sum_of(machine, 1'000'000'000);
    return 1 / lower_bound({machine, machine.ranks(), collective}).seconds;
  };
  const std::string link = R"("link": {"kind": "nvlink", "bandwidth": "1 GB/s"})";
  CHECK(algbw(R"({"kind": "mesh", "name": "m", "dimensions": [5, 5], )" + link + "}") ==
        doctest::Approx(5.0 / 3));
  CHECK(algbw(R"({"kind": "mesh", "name": "m", "dimensions": [10, 10], )" + link + "}") ==
        doctest::Approx(180.0 / 99));
  CHECK(algbw(R"({"kind": "mesh", "name": "m", "dimensions": [3, 3, 3], )" + link + "}") ==
        doctest::Approx(27.0 / 13));
  CHECK(algbw(R"({"kind": "torus", "name": "m", "dimensions": [4, 4, 4], )" + link + "}") ==
        doctest::Approx(64.0 / 21));
  CHECK(algbw(R"({"kind": "mesh", "name": "m", "dimensions": [8], )" + link + "}") ==
        doctest::Approx(1));
}

TEST_CASE("helpers of a schedule are its participants beyond the ranks") {
  Topology::Parts parts = testing::star(2);
  testing::add_node(parts, "cpu0", NodeKind::cpu);
  const Topology machine(parts);
  Schedule schedule;
  schedule.ranks = 2;
  schedule.participants = {"gpu0", "gpu1", "cpu0"};
  schedule.buffers = {{"data", {0, 1}}};
  Op op{.source = 0, .destination = 2, .chunk_count = 1, .kind = OpKind::reduce};
  schedule.ops.push_back(op);
  CHECK(helpers_of(schedule, machine) == std::vector<NodeId>{3});
}

TEST_CASE("a helper that takes and hands on once is none, one that hands on twice is") {
  Topology::Parts parts = testing::star(2);
  testing::add_node(parts, "cpu0", NodeKind::cpu);
  testing::add_node(parts, "cpu1", NodeKind::cpu);
  parts.nodes.back().transit_bandwidth = gigabytes(1);
  const Topology machine(parts);
  Schedule schedule;
  schedule.ranks = 2;
  schedule.participants = {"gpu0", "gpu1", "cpu0", "cpu1"};
  schedule.buffers = {{"data", {0, 1}}};
  schedule.ops.push_back({.source = 0, .destination = 2, .chunk_count = 1});
  schedule.ops.push_back({.source = 2, .destination = 1, .chunk_count = 1});
  CHECK(helpers_of(schedule, machine) == std::vector<NodeId>{4});  // its memory bounds no helper
  schedule.ops.push_back({.source = 2, .destination = 0, .chunk_count = 1});
  CHECK(helpers_of(schedule, machine) == std::vector<NodeId>{3, 4});
}

TEST_CASE("latency: the farthest pair that matters, over the least sum of latencies") {
  Topology::Parts parts = testing::direct_mesh(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}});
  const auto set = [&](std::size_t cable, std::int64_t ps) {
    parts.links[2 * cable].latency = parts.links[2 * cable + 1].latency = Time{ps};
  };
  set(0, 100);
  set(1, 200);
  set(2, 900);  // 0-2 goes over 1
  const Topology machine(parts);
  const auto bound = [&](CollectiveKind kind, std::int64_t bytes, int root) {
    const Collective collective = collective_of(kind, 3, bytes, root);
    return latency_bound({.topology = machine,
                          .ranks = machine.ranks(),
                          .collective = collective,
                          .overhead = Time{7}});
  };
  CHECK(bound(CollectiveKind::allreduce, 99, 0).seconds == doctest::Approx(307e-12));
  CHECK(bound(CollectiveKind::allreduce, 99, 0).binds ==
        "the way from rank 0 (gpu0) to rank 2 (gpu2)");
  CHECK(bound(CollectiveKind::broadcast, 99, 1).seconds == doctest::Approx(207e-12));
  CHECK(bound(CollectiveKind::reduce, 99, 1).binds ==
        "the way from rank 2 (gpu2) to rank 1 (gpu1)");
  // of one byte only rank 2 has a part, which goes to the others
  CHECK(bound(CollectiveKind::all_gather, 1, 0).binds ==
        "the way from rank 2 (gpu2) to rank 0 (gpu0)");
  CHECK(bound(CollectiveKind::allreduce, 0, 0).seconds == 0);
}

TEST_CASE("groups: boxes, racks that share a switch, and halves") {
  const Topology machine = shelf_machine("dgx_a100_x4");
  const std::vector<NodeGroups> groups = node_groups(machine);
  REQUIRE(groups.size() >= 2);
  CHECK(groups[0].name == "box");
  CHECK(groups[0].count == 4);
  CHECK(groups[0].of[machine.node("node2/gpu3")] == 2);
  CHECK(groups.back().name == "half");
  CHECK(groups.back().of[machine.node("node1/gpu0")] == 0);
  CHECK(groups.back().of[machine.node("node2/gpu0")] == 1);
}

TEST_CASE("by structure the bounds of boxes are found, and never above the exact ones") {
  for (const std::string name : {"dgx_a100_x4", "hgx_h100_x2", "dgx1v_x2"}) {
    CAPTURE(name);
    const Topology machine = shelf_machine(name);
    const Collective collective = sum_of(machine, 1'000'000'000);
    const BoundQuery query{machine, machine.ranks(), collective};
    const double exact = lower_bound(query).seconds;
    CHECK(partition_by_structure(query).seconds <= exact * (1 + 1e-12));
    CHECK(cut_by_structure(query).seconds <= exact * (1 + 1e-12));
    CHECK(cut_by_structure(query).seconds > 0);
  }
  const Topology machine = shelf_machine("dgx_a100_x4");
  const Collective collective = sum_of(machine, 1'000'000'000);
  const LowerBound boxes = partition_by_structure({machine, machine.ranks(), collective});
  CHECK(boxes.seconds == doctest::Approx(0.0075));  // 2 x 3 x 1 GB over 4 x 200 GB/s
  CHECK(boxes.binds == "4 parts: every box, 800 GB/s out of them");
}

TEST_CASE("without boxes, single ranks and halves of them are the structure") {
  const Topology star(testing::star(600));
  const Collective sum = sum_of(star, 1'000'000'000);
  const BoundQuery on_star{star, star.ranks(), sum};
  CHECK(partition_by_structure(on_star).seconds == doctest::Approx(2 * 599 / (600 * 16.0)));
  CHECK(partition_by_structure(on_star).binds == "600 parts: every rank, 9.6 TB/s out of them");
  const Topology mesh = read_topology(
      JsonFile::parse(R"({"kind": "mesh", "dimensions": [24, 25], "link": {"kind": "xgmi",)"
                      R"( "bandwidth": "1 GB/s"}})",
                      "m.json")
          .root());
  const Collective exchange = testing::collective_of(CollectiveKind::all_to_all, 600, 600'000'000);
  const LowerBound half = cut_by_structure({mesh, mesh.ranks(), exchange});
  CHECK(half.seconds == doctest::Approx(300 * 300 * 0.001 / 25));  // 1 MB a pair over 25 links
}

TEST_CASE("more ranks than the exact bounds take are bound by structure") {
  const Topology machine = shelf_machine("hgx_h100_x128");
  const Collective collective = sum_of(machine, 1'000'000'000);
  const LowerBound bound = lower_bound({machine, machine.ranks(), collective});
  CHECK(bound.kind == "partition (by structure)");
  CHECK(bound.seconds == doctest::Approx(2 * 127 / (128 * 400.0)));
}

}  // namespace syncsim::bounds_test
