// Ways through the shelf's machines: how far, over which class of links, how late.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "sim/topology/routing.h"
#include "tests/support/shelf.h"

namespace syncsim::shelf_routes_test {
namespace {

using testing::numbered;
using testing::shelf;

constexpr std::int64_t kNanosecond = 1'000;  // picoseconds

struct Way {
  std::string machine;
  std::string from;
  std::string to;
  int hops = 0;
  int route_class = 0;  // 0 direct, 1 PCIe, 2 through a socket link
  std::int64_t nanoseconds = 0;
};

Route way(const Topology& machine, const std::string& from, const std::string& to) {
  const Resources resources(machine, Rates::line);
  return Router(machine, resources).find(machine.node(from), machine.node(to));
}

int hops(const Topology& machine, const std::string& from, const std::string& to) {
  return way(machine, from, to).hops;
}

}  // namespace

TEST_CASE("routes between gpus are as long as their machine's shape, with its published latency") {
  const std::vector<Way> ways = {
      {"pcie_4gpu_gen4", "gpu0", "gpu3", 2, 1, 1000},
      {"pcie_8gpu_single_root", "gpu0", "gpu3", 2, 1, 1000},
      {"pcie_8gpu_single_root", "gpu0", "gpu4", 4, 1, 2000},
      {"pcie_8gpu_dgx1", "gpu0", "gpu1", 2, 1, 1000},
      {"pcie_8gpu_dgx1", "gpu0", "gpu2", 4, 1, 2000},
      {"pcie_8gpu_dgx1", "gpu0", "gpu4", 5, 2, 2000},
      {"pcie_4gpu_rootports", "gpu0", "gpu3", 2, 1, 1000},
      {"pcie_8gpu_rootports", "gpu0", "gpu7", 3, 2, 1000},
      {"a100_pcie_bridged", "gpu2", "gpu3", 1, 0, 3000},
      {"a100_pcie_bridged", "gpu0", "gpu2", 2, 1, 1000},
      {"a100_pcie_bridged", "gpu0", "gpu7", 3, 2, 1000},
      {"dgx1p", "gpu0", "gpu4", 1, 0, 1300},
      {"p3_16xlarge", "gpu0", "gpu3", 1, 0, 300},
      {"v100_quad", "gpu0", "gpu3", 1, 0, 300},
      {"a100_nv4_quad", "gpu0", "gpu3", 1, 0, 3000},
      {"gh200_quad", "gpu0", "gpu3", 1, 0, 600},
      {"dgx2", "gpu0", "gpu7", 2, 0, 0},
      {"dgx2", "gpu0", "gpu15", 3, 0, 0},
      {"dgx_a100", "gpu0", "gpu7", 2, 0, 3000},
      {"hgx_h100", "gpu0", "gpu7", 2, 0, 600},
      {"hgx_h200", "gpu0", "gpu7", 2, 0, 600},
      {"hgx_b200", "gpu0", "gpu7", 2, 0, 600},
      {"gb200_nvl72", "gpu0", "gpu1", 2, 0, 600},
      {"gb200_nvl72", "gpu0", "gpu71", 2, 0, 600},
      {"mi250", "gpu0", "gpu1", 1, 0, 800},
      {"mi300x", "gpu0", "gpu7", 1, 0, 800},
  };
  for (const Way& expected : ways) {
    CAPTURE(expected.machine);
    CAPTURE(expected.to);
    const Route route = way(shelf(expected.machine), expected.from, expected.to);
    CHECK(route.hops == expected.hops);
    CHECK(route.route_class == expected.route_class);
    CHECK(route.latency == Time{expected.nanoseconds * kNanosecond});
  }
}

TEST_CASE("two gpus behind NVSwitches reach each other at all their links' speed") {
  CHECK(way(shelf("dgx_a100"), "gpu0", "gpu7").bottleneck == doctest::Approx(300e9));
  CHECK(way(shelf("hgx_h100"), "gpu0", "gpu7").bottleneck == doctest::Approx(450e9));
  CHECK(way(shelf("hgx_h200"), "gpu3", "gpu4").bottleneck == doctest::Approx(450e9));
  CHECK(way(shelf("hgx_b200"), "gpu0", "gpu7").bottleneck == doctest::Approx(900e9));
  CHECK(way(shelf("gb200_nvl72"), "gpu0", "gpu1").bottleneck == doctest::Approx(900e9));
  CHECK(way(shelf("gb200_nvl72"), "gpu0", "gpu71").bottleneck == doctest::Approx(900e9));
}

TEST_CASE("pcie_2gpu_nop2p copies through host memory: 6.1 GB/s of its 12.2, after 14.4 us") {
  const Route route = way(shelf("pcie_2gpu_nop2p"), "gpu0", "gpu1");
  CHECK(route.hops == 4);
  CHECK(route.bottleneck == doctest::Approx(6.1e9));
  CHECK(route.latency == Time{14'400 * kNanosecond});
}

TEST_CASE("a peer write through Intel's host bridge gets 1 / 1.2 of PCIe, through others all") {
  CHECK(way(shelf("a100_pcie_bridged"), "gpu0", "gpu2").bottleneck ==
        doctest::Approx(31.5e9 / 1.2));
  CHECK(way(shelf("pcie_4gpu_rootports"), "gpu0", "gpu2").bottleneck == doctest::Approx(31.5e9));
}

TEST_CASE("every gcd of mi250 reaches every other over xGMI, in at most 5 hops") {
  const Topology machine = shelf("mi250");
  const Resources resources(machine, Rates::line);
  Router router(machine, resources);
  int longest = 0;
  for (const NodeId from : machine.ranks())
    for (const NodeId to : machine.ranks()) {
      const Route& route = router.route(from, to);
      CHECK(route.route_class == 0);
      longest = std::max(longest, route.hops);
    }
  CHECK(longest == 5);
}

TEST_CASE("the nic that a gpu has beside it is behind the same PCIe switch") {
  struct Beside {
    std::string machine;
    int gpus_a_nic;
    int nics_a_gpu;
  };
  for (const Beside& expected : std::vector<Beside>{{"dgx1p", 2, 1},
                                                    {"v100_quad", 2, 1},
                                                    {"a100_nv4_quad", 1, 1},
                                                    {"dgx2", 2, 1},
                                                    {"dgx_a100", 2, 2},
                                                    {"hgx_h100", 1, 1},
                                                    {"hgx_h200", 1, 1},
                                                    {"hgx_b200", 2, 2},
                                                    {"mi300x", 1, 1}}) {
    CAPTURE(expected.machine);
    const Topology machine = shelf(expected.machine);
    const int nics = testing::nodes(machine, NodeKind::nic);
    const int gpus = testing::nodes(machine, NodeKind::gpu);
    for (int gpu = 0; gpu < gpus; ++gpu)
      for (int nic = 0; nic < nics; ++nic) {
        const int box = expected.nics_a_gpu;
        const bool beside = gpu / expected.gpus_a_nic == nic / box;
        CHECK((hops(machine, numbered("gpu", gpu), numbered("nic", nic)) == 2) == beside);
      }
  }
}

TEST_CASE("each superchip of gh200_quad has its nic at its own CPU, behind C2C") {
  const Topology machine = shelf("gh200_quad");
  for (int i = 0; i < 4; ++i) {
    const Route route = way(machine, numbered("gpu", i), numbered("nic", i));
    CHECK(route.hops == 2);
    CHECK(route.bottleneck == 63e9);
    const Route c2c = way(machine, numbered("gpu", i), numbered("cpu", i));
    CHECK(c2c.hops == 1);
    CHECK(c2c.bottleneck == 450e9);
  }
}

TEST_CASE("each Grace of gb200_nvl72 serves two gpus over C2C") {
  const Topology machine = shelf("gb200_nvl72");
  for (int gpu = 0; gpu < 72; ++gpu)
    CHECK(hops(machine, numbered("gpu", gpu), numbered("cpu", gpu / 2)) == 1);
}

TEST_CASE("p3_16xlarge meets its network through one nic of 25 Gbit/s") {
  const Topology machine = shelf("p3_16xlarge");
  for (int gpu = 0; gpu < 8; ++gpu)
    CHECK(way(machine, numbered("gpu", gpu), "net0").bottleneck == 3.125e9);
}

}  // namespace syncsim::shelf_routes_test
