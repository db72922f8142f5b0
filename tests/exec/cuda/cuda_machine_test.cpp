// Machines of made-up facts, as topologies.

#include "sim/exec/cuda/cuda_machine.h"

#include <doctest/doctest.h>

#include "sim/exec/cuda/nvml.h"
#include "tests/support/graph_runs.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::cuda_machine_test {
namespace {

const LinkRates& rates() {
  static const LinkRates shipped = LinkRates::load(SYNCSIM_SHELF "/rates");
  return shipped;
}

CudaFacts facts_of(int devices, int capability, bool peers = true) {
  CudaFacts facts = made_up_devices(devices, peers);
  for (CudaDevice& device : facts.devices) {
    device.capability = capability;
    device.bandwidth = {3e12};
    device.pcie_generation = 4;
    device.pcie_lanes = 16;
    device.nvlinks.assign(facts.devices.size(), 0);
  }
  return facts;
}

Topology machine_of(const CudaFacts& facts, int ranks = 0) {
  return Topology(cuda_machine(facts, rates(), "", ranks).parts);
}

const Link& link(const Topology& machine, std::string_view name) {
  for (const Link& link : machine.links())
    if (link.name == name) return link;
  throw_internal("no such link");
}

}  // namespace

TEST_CASE("one GPU is a rank at a CPU by its PCIe link") {
  const Topology machine = machine_of(facts_of(1, 90));
  CHECK(machine.ranks().size() == 1);
  CHECK(machine.nodes().size() == 2);
  CHECK(machine.nodes()[0].reduce_bandwidth->bytes_per_second == 1e12);
  CHECK(link(machine, "gpu0>cpu0").generation == 4);
  CHECK(link(machine, "gpu0>cpu0").lanes == 16);
}

TEST_CASE("ranks that share a GPU share its memory: a copy reads and writes there") {
  const Topology machine = machine_of(facts_of(1, 90), 4);
  CHECK(machine.ranks().size() == 4);
  const Node& memory = machine.nodes()[machine.node("hbm0")];
  CHECK(memory.transit_bandwidth->bytes_per_second == 1.5e12);
  CHECK(link(machine, "gpu3>hbm0").bandwidth.bytes_per_second == 3e12);
  CHECK(link(machine, "hbm0>cpu0").kind == LinkKind::pcie);
  const Topology two = machine_of(facts_of(2, 90), 3);  // ranks 0 and 2 share device 0
  CHECK(link(two, "gpu2>hbm0").kind == LinkKind::c2c);
  CHECK(link(two, "gpu1>cpu0").kind == LinkKind::pcie);
  CudaFacts unknown = facts_of(1, 90);
  unknown.devices[0].bandwidth = {};
  CHECK(refusal_of([&] { machine_of(unknown, 2); }) ==
        "the memory bandwidth of device 0 is not known; import a rank a device, without --ranks");
}

TEST_CASE("four GPUs on PCIe, two a socket: peers as far as the matrix says") {
  CudaFacts facts = facts_of(4, 80);
  for (int device = 0; device < 4; ++device)
    facts.devices[static_cast<std::size_t>(device)].numa = device / 2;
  const Topology all = machine_of(facts);
  CHECK(all.nodes_of_kind(NodeKind::cpu).size() == 2);
  CHECK(link(all, "gpu2>cpu1").kind == LinkKind::pcie);
  CHECK(link(all, "cpu0>cpu1").kind == LinkKind::socket);
  CHECK(all.routing().p2p == PeerLevel::sys);
  facts.devices[0].reaches[2] = false;
  CHECK(machine_of(facts).routing().p2p == PeerLevel::phb);
  facts.devices[0].reaches[1] = false;
  CHECK(machine_of(facts).routing().p2p == PeerLevel::nvl);
}

TEST_CASE("eight GPUs on NVSwitch: all links of each to one switch") {
  CudaFacts facts = facts_of(8, 90);
  for (CudaDevice& device : facts.devices) device.switch_nvlinks = 18;
  const Topology machine = machine_of(facts);
  CHECK(link(machine, "gpu7>nvs0").count == 18);
  CHECK(link(machine, "gpu7>nvs0").bandwidth.bytes_per_second == 450e9);
  CHECK(machine.nodes()[machine.node("nvs0")].kind == NodeKind::switch_);
  CHECK(machine.source().find("profile hopper") != std::string::npos);
}

TEST_CASE("eight GPUs in a mesh of NVLinks: a bundle a pair that has some") {
  CudaFacts facts = facts_of(8, 70, false);
  for (std::size_t device = 0; device < 8; ++device) {
    const std::size_t next = (device + 1) % 8;
    facts.devices[device].nvlinks[next] = facts.devices[next].nvlinks[device] = 2;
    facts.devices[device].reaches[next] = facts.devices[next].reaches[device] = true;
  }
  const Topology machine = machine_of(facts);
  CHECK(link(machine, "gpu0>gpu1").count == 2);
  CHECK(link(machine, "gpu0>gpu7").bandwidth.bytes_per_second == 50e9);
  CHECK(machine.routing().p2p == PeerLevel::nvl);  // others are staged
  CHECK(std::count_if(machine.links().begin(), machine.links().end(),
                      [](const Link& link) { return link.kind == LinkKind::nvlink; }) == 16);
}

TEST_CASE("what is not known is taken from the profile and told") {
  CudaFacts facts = facts_of(1, 90);
  facts.devices[0].pcie_generation = 0;
  add_nvml_facts(facts, "libnothing.so");
  const CudaMachine machine = cuda_machine(facts, rates(), "volta", 0);
  CHECK(machine.warnings ==
        std::vector<std::string>{
            "device 0: its PCIe link is not known; took 16 lanes of profile volta",
            "NVML (libnothing.so) cannot be loaded: nothing is known of NVLinks and PCIe"});
  CHECK(memory_bandwidth(2.619e9, 5'120).bytes_per_second ==
        doctest::Approx(3.352e12).epsilon(1e-3));
}

}  // namespace syncsim::testing::cuda_machine_test
