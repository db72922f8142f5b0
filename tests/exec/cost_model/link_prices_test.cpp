// Prices of links, put onto machines.

#include "sim/exec/cost_model/link_prices.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "tests/support/shelf.h"

namespace syncsim::link_prices_test {
namespace {

using testing::shelf;

const LinkPrices kPrices = {.step = {4, 5, 3, 6, 10},
                            .gpu_share = 0.5,
                            .pcie_share = 0.75,
                            .staging = 24,
                            .hop = 20,
                            .network_share = 0.8};

Route route(const Topology& machine, std::string_view from, std::string_view to) {
  const Resources resources(machine, Rates::usable);
  return Router(machine, resources).find(machine.node(from), machine.node(to));
}

double rate(const Topology& machine, std::string_view from, std::string_view to) {
  return route(machine, from, to).bottleneck / 1e9;
}

double latency(const Topology& machine, std::string_view from, std::string_view to) {
  return microseconds(route(machine, from, to).latency);
}

Topology edited(const Topology& machine, const char* edit) {
  const std::vector<Edit> edits = {parse_edit(edit)};
  return apply_edits(machine, edits);
}

Topology priced(const Topology& machine, const LinkPrices& prices = kPrices) {
  return priced(machine, machine.ranks(), prices);
}

}  // namespace

TEST_CASE("a step costs by what it crosses, and gets its share of the usable rate") {
  const Topology switched = priced(shelf("dgx_a100"));
  CHECK(latency(switched, "gpu0", "gpu5") == doctest::Approx(4));
  CHECK(rate(switched, "gpu0", "gpu5") == doctest::Approx(0.5 * 240));
  const Topology mesh = priced(shelf("a100_nv4_quad"));
  CHECK(latency(mesh, "gpu0", "gpu3") == doctest::Approx(5));
  CHECK(rate(mesh, "gpu0", "gpu3") == doctest::Approx(0.5 * 80));
  CHECK(latency(priced(shelf("mi300x")), "gpu0", "gpu7") == doctest::Approx(3));
  const Topology pcie = priced(shelf("pcie_4gpu"));
  CHECK(latency(pcie, "gpu0", "gpu1") == doctest::Approx(6));
}

TEST_CASE("a share of what is usable never makes a link faster than the machine says") {
  LinkPrices prices = kPrices;
  prices.gpu_share = 2;
  const Topology plain = shelf("dgx_a100");
  const Topology machine = priced(plain, prices);
  CHECK(rate(machine, "gpu0", "gpu5") == doctest::Approx(300));  // of which 240 are usable
}

TEST_CASE("where peers meet in host memory, a step costs more and shares what memory copies") {
  const Topology machine = priced(shelf("pcie_8gpu_nop2p"));
  CHECK(latency(machine, "gpu0", "gpu1") == doctest::Approx(10));
  // 24 GB/s of copies, in and out: 12 of them; PCIe would have 0.75 x 12.
  CHECK(rate(machine, "gpu0", "gpu1") == doctest::Approx(9));
  const Topology faster = priced(edited(shelf("pcie_8gpu_nop2p"), "kind:pcie gen=4"));
  CHECK(rate(faster, "gpu0", "gpu1") == doctest::Approx(12));
}

TEST_CASE("a hop over the network costs as much from gpu to gpu, however its nics are reached") {
  for (const char* name : {"dgx_a100_x2", "gh200_quad_x128", "polaris_x8"}) {
    CAPTURE(name);
    const Topology plain = shelf(name);
    const Topology machine = priced(plain);
    double own = 0;  // what the network's links have themselves
    for (const LinkId link : route(plain, "node0/gpu0", "node1/gpu0").links)
      if (plain.links()[link].kind == LinkKind::network)
        own += microseconds(plain.links()[link].latency);
    CHECK(latency(machine, "node0/gpu0", "node1/gpu0") == doctest::Approx(20 + own));
  }
  CHECK(rate(priced(shelf("dgx_a100_x2")), "node0/gpu0", "node1/gpu0") ==
        doctest::Approx(0.75 * 24));  // PCIe; the nic has 0.8 x 25
}

TEST_CASE("caps hold for what leaves a gpu, a nic, and the nics in use of a host") {
  LinkPrices prices = kPrices;
  prices.pcie_share = 1;
  prices.gpu_cap = 60;
  prices.nic_cap = 15;
  const Topology capped = priced(shelf("dgx_a100_x2"), prices);
  CHECK(rate(capped, "node0/gpu0", "node0/gpu1") == doctest::Approx(60));
  CHECK(rate(capped, "node0/gpu0", "node1/gpu0") == doctest::Approx(15));
  prices.node_cap = 80;
  CHECK(rate(priced(shelf("dgx_a100_x2"), prices), "node0/gpu0", "node1/gpu0") ==
        doctest::Approx(10));  // of eight nics
  const Topology machine = shelf("dgx_a100_x2");
  const std::vector<NodeId> two = {machine.node("node0/gpu0"), machine.node("node1/gpu0")};
  CHECK(rate(priced(machine, two, prices), "node0/gpu0", "node1/gpu0") == doctest::Approx(15));
}

TEST_CASE("a cap of a pair holds where links join two gpus, not where a switch does") {
  LinkPrices prices = kPrices;
  prices.pair_cap = 15;
  CHECK(rate(priced(shelf("a100_nv4_quad"), prices), "gpu0", "gpu1") == doctest::Approx(15));
  CHECK(rate(priced(shelf("dgx_a100"), prices), "gpu0", "gpu1") ==
        doctest::Approx(rate(priced(shelf("dgx_a100"), kPrices), "gpu0", "gpu1")));
}

TEST_CASE("of a step, the part that keeps a channel busy is overhead, the rest latency") {
  LinkPrices prices = kPrices;
  prices.pace = 0.25;
  prices.hop_pace = 0.5;
  const Topology machine = priced(shelf("dgx_a100_x2"), prices);
  const Route near = route(machine, "node0/gpu0", "node0/gpu1");
  CHECK(microseconds(near.overhead) == doctest::Approx(1));
  CHECK(microseconds(near.latency) == doctest::Approx(3));
  CHECK(microseconds(route(machine, "node0/gpu0", "node1/gpu0").overhead) == doctest::Approx(10));
}

TEST_CASE("planes of NVSwitches that are alike become one, of as much bandwidth") {
  const Topology machine = priced(shelf("dgx_a100"), {.step = {}, .gpu_share = 1});
  int joined = 0;
  for (const NodeId node : machine.nodes_of_kind(NodeKind::switch_)) {
    bool nvlink = false;
    for (const Link& link : machine.links())
      nvlink = nvlink || (link.from == node && link.kind == LinkKind::nvlink);
    joined += nvlink;
  }
  CHECK(joined == 1);
  CHECK(rate(machine, "gpu0", "gpu1") == doctest::Approx(240));
  // One that differs stays by itself.
  const Topology odd = edited(shelf("dgx_a100"), "link:gpu0-nvs0 bandwidth=1 GB/s");
  CHECK(priced(odd).links().size() > machine.links().size());
}

}  // namespace syncsim::link_prices_test
