// The machines of topologies/ against what is known about them.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/topology/routing.h"
#include "sim/topology/topology_json.h"
#include "tests/support/shelf.h"
#include "tests/topology/json_support.h"

namespace syncsim::shelf_test {
namespace {

using testing::cables;
using testing::is;
using testing::is_any;
using testing::shelf;

int nvlinks(const Topology& topology, int a, int b) {
  return testing::direct_cables(topology, LinkKind::nvlink, a, b);
}

double nvlink_bandwidth(const Topology& topology, NodeId node) {
  return testing::bandwidth_out(topology, node, LinkKind::nvlink);
}

// Links as in `nvidia-smi topo -m` (microsoft/sccl, tests/test_topologies.py).
constexpr int kMesh[8][8] = {{0, 1, 1, 2, 2, 0, 0, 0}, {1, 0, 2, 1, 0, 2, 0, 0},
                             {1, 2, 0, 2, 0, 0, 1, 0}, {2, 1, 2, 0, 0, 0, 0, 1},
                             {2, 0, 0, 0, 0, 1, 1, 2}, {0, 2, 0, 0, 1, 0, 2, 1},
                             {0, 0, 1, 0, 1, 2, 0, 2}, {0, 0, 0, 1, 2, 1, 2, 0}};

void check_mesh(const Topology& topology) {
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) CHECK(nvlinks(topology, a, b) == kMesh[a][b]);
}

}  // namespace

TEST_CASE("the shelf holds every machine that README lists") {
  const std::vector<std::string> names = shelf_names(SYNCSIM_SHELF);
  for (const std::string name : {"pcie_2gpu_nop2p",
                                 "pcie_4gpu",
                                 "pcie_4gpu_gen4",
                                 "pcie_8gpu",
                                 "pcie_8gpu_dgx1",
                                 "pcie_8gpu_single_root",
                                 "pcie_4gpu_rootports",
                                 "pcie_8gpu_rootports",
                                 "a100_pcie_bridged",
                                 "dgx1p",
                                 "dgx1v",
                                 "p3_textbook",
                                 "p3_16xlarge",
                                 "v100_quad",
                                 "dgx2",
                                 "a100_nv4_quad",
                                 "dgx_a100",
                                 "hgx_h100",
                                 "hgx_h200",
                                 "hgx_b200",
                                 "gb200_nvl72",
                                 "gh200_quad",
                                 "mi250",
                                 "mi300x",
                                 "tpu_v4_4x4x4",
                                 "dgx1v_x2",
                                 "dgx_a100_x2",
                                 "dgx_a100_x4",
                                 "dgx_a100_x16",
                                 "hgx_h100_x2",
                                 "hgx_h100_x16",
                                 "hgx_h100_x128",
                                 "fat_tree_2level",
                                 "fat_tree_3level",
                                 "ethernet_10g_x4",
                                 "ethernet_25g_x8",
                                 "ethernet_100g_x16",
                                 "pcie_8gpu_nop2p",
                                 "a100_pcie_quad",
                                 "mi350x",
                                 "dgx2h_x96",
                                 "p3dn_x4",
                                 "polaris_x8",
                                 "gh200_quad_x128",
                                 "mi300x_x2",
                                 "mi250_nics_x2",
                                 "mi250x_x4",
                                 "gb200_racks_x20",
                                 "l40s_x2"}) {
    CAPTURE(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}

TEST_CASE("every machine on the shelf is named as its file, has a source, and joins its ranks") {
  const std::vector<std::string> names = shelf_names(SYNCSIM_SHELF);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Topology topology = shelf(name);
    CHECK(topology.name() == name);
    CHECK(!topology.description().empty());
    CHECK(!topology.source().empty());
    const Resources resources(topology, Rates::line);
    Router router(topology, resources);
    for (const NodeId to : topology.ranks()) CHECK(router.reachable(topology.ranks().front(), to));
  }
}

TEST_CASE("a machine is found by name and by path, and a wrong name is told the right one") {
  CHECK(load_topology(SYNCSIM_SHELF "/dgx2.json", "nowhere").name() == "dgx2");
  CHECK(testing::refusal_of([] { shelf("dgx_a10"); }) ==
        R"(unknown topology "dgx_a10"; did you mean "dgx_a100"?)");
  CHECK(testing::refusal_of([] { load_topology("dgx2", "/nowhere"); }) ==
        "/nowhere: the topologies cannot be listed: No such file or directory; "
        "name a directory of topology files");
}

TEST_CASE("pcie_4gpu is the textbook's: five x16 links of 16 GB/s without latency") {
  const Topology topology = shelf("pcie_4gpu");
  CHECK(topology.nodes().size() == 6);
  CHECK(topology.links().size() == 10);
  CHECK(cables(topology, LinkKind::pcie, is_any, is("switch0")) == 5);
  for (const Link& link : topology.links()) {
    CHECK(link.bandwidth == Bandwidth{16e9});
    CHECK(link.usable == Bandwidth{12e9});
    CHECK(link.latency == Time{});
    CHECK(link.overhead == Time{});
    CHECK(!link.half_duplex);
  }
}

TEST_CASE("pcie_8gpu joins two switches of four gpus through both sockets") {
  const Topology topology = shelf("pcie_8gpu");
  const Resources line(topology, Rates::line);
  Router router(topology, line);
  const Route& across = router.route(topology.node("gpu0"), topology.node("gpu4"));
  CHECK(across.hops == 5);
  CHECK(across.bottleneck == 16e9);
  CHECK(router.route(topology.node("gpu0"), topology.node("gpu3")).hops == 2);
  const Resources usable(topology, Rates::usable);
  CHECK(Router(topology, usable).route(topology.node("gpu0"), topology.node("gpu4")).bottleneck ==
        6e9);
}

TEST_CASE("dgx1v has the adjacency of nvidia-smi, 24 NVLinks, 150 GB/s a gpu") {
  const Topology topology = shelf("dgx1v");
  check_mesh(topology);
  CHECK(cables(topology, LinkKind::nvlink, is_any, is_any) == 2 * 24);
  for (const NodeId gpu : topology.ranks()) CHECK(nvlink_bandwidth(topology, gpu) == 150e9);
  CHECK(topology.ranks().size() == 8);
}

TEST_CASE("six NVLinks of dgx1v join its halves") {
  const auto is_left = [](const std::string& id) { return id >= "gpu0" && id <= "gpu3"; };
  const auto is_right = [](const std::string& id) { return id >= "gpu4" && id <= "gpu7"; };
  CHECK(cables(shelf("dgx1v"), LinkKind::nvlink, is_left, is_right) == 6);
}

TEST_CASE("12 pairs of dgx1v have no NVLink, and a common neighbour by NVLink") {
  const Topology topology = shelf("dgx1v");
  int distant = 0;
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b) {
      if (nvlinks(topology, a, b) > 0) continue;
      ++distant;
      bool has_common = false;
      for (int via = 0; via < 8; ++via)
        has_common |= nvlinks(topology, a, via) > 0 && nvlinks(topology, via, b) > 0;
      CHECK(has_common);
    }
  CHECK(distant == 12);
}

TEST_CASE("dgx1v routes neighbours over NVLink and others over PCIe and QPI, not through gpus") {
  const Topology topology = shelf("dgx1v");
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  CHECK(router.route(topology.node("gpu0"), topology.node("gpu3")).bottleneck == 50e9);
  const Route& far = router.route(topology.node("gpu0"), topology.node("gpu5"));
  CHECK(far.hops == 5);
  CHECK(far.bottleneck == 15.75e9);
  CHECK(far.route_class == 2);
}

TEST_CASE("each PCIe switch of dgx1v has two gpus, a nic and an uplink - two share a socket") {
  const Topology topology = shelf("dgx1v");
  for (int plx = 0; plx < 4; ++plx) {
    const auto is_plx = is("plx" + std::to_string(plx));
    const auto joined = [&](const std::string& id) {
      return cables(topology, LinkKind::pcie, is(id), is_plx);
    };
    CHECK(joined("gpu" + std::to_string(2 * plx)) == 1);
    CHECK(joined("gpu" + std::to_string(2 * plx + 1)) == 1);
    CHECK(joined("nic" + std::to_string(plx)) == 1);
    CHECK(joined("cpu" + std::to_string(plx / 2)) == 1);
    CHECK(cables(topology, LinkKind::pcie, is_any, is_plx) == 4);
  }
  CHECK(cables(topology, LinkKind::socket, is("cpu0"), is("cpu1")) == 1);
}

TEST_CASE("p3_textbook is the mesh of dgx1v at 18 GB/s a link, 108 GB/s a gpu") {
  const Topology topology = shelf("p3_textbook");
  check_mesh(topology);
  for (const NodeId gpu : topology.ranks()) CHECK(nvlink_bandwidth(topology, gpu) == 108e9);
  CHECK(topology.links().size() == shelf("dgx1v").links().size());
  for (const Link& link : topology.links()) CHECK(link.latency == Time{});
}

TEST_CASE("a gpu of dgx2 reaches any other over six planes at 150 GB/s") {
  const Topology topology = shelf("dgx2");
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  const Route& across = router.route(topology.node("gpu0"), topology.node("gpu9"));
  CHECK(across.hops == 3);
  CHECK(across.links.size() == 3 * 6);
  for (const ResourceUse& use : across.uses) CHECK(use.coefficient == doctest::Approx(1.0 / 6));
  CHECK(across.bottleneck == doctest::Approx(150e9));
  const Route& within = router.route(topology.node("gpu0"), topology.node("gpu7"));
  CHECK(within.links.size() == 2 * 6);
  CHECK(within.bottleneck == doctest::Approx(150e9));
}

TEST_CASE("the boards of dgx2 are joined by 48 NVLinks, 1200 GB/s each way") {
  const Topology topology = shelf("dgx2");
  double bisection = 0;
  int trunks = 0;
  for (LinkId link = 0; link < topology.links().size(); link += 2) {
    const Link& there = topology.links()[link];
    if (there.kind != LinkKind::nvlink || topology.nodes()[there.from].kind != NodeKind::switch_)
      continue;
    bisection += there.bandwidth.bytes_per_second;
    trunks += there.count;
  }
  CHECK(bisection == 1200e9);
  CHECK(trunks == 48);
  for (const NodeId gpu : topology.ranks()) CHECK(nvlink_bandwidth(topology, gpu) == 150e9);
  for (int plane = 0; plane < 12; ++plane)
    CHECK(cables(topology, LinkKind::nvlink, is(testing::numbered("nvs", plane)), is_any) == 8 + 8);
}

TEST_CASE(
    "below each socket of dgx2 are four PCIe switches in pairs, with two gpus and a nic each") {
  const Topology topology = shelf("dgx2");
  const auto joined = [&](const std::string& a, int i, const std::string& b, int j) {
    return cables(topology, LinkKind::pcie, is(testing::numbered(a, i)),
                  is(testing::numbered(b, j)));
  };
  for (int leaf = 0; leaf < 8; ++leaf) {
    CHECK(joined("gpu", 2 * leaf, "plx", leaf) == 1);
    CHECK(joined("gpu", 2 * leaf + 1, "plx", leaf) == 1);
    CHECK(joined("nic", leaf, "plx", leaf) == 1);
    CHECK(joined("plx", leaf, "plx", 8 + leaf / 2) == 1);
  }
  for (int upper = 8; upper < 12; ++upper) CHECK(joined("plx", upper, "cpu", (upper - 8) / 2) == 1);
  CHECK(cables(topology, LinkKind::pcie, is_any, is_any) == 2 * (16 + 8 + 8 + 4));
  for (const Link& link : topology.links()) CHECK(link.latency == Time{});
}

}  // namespace syncsim::shelf_test
