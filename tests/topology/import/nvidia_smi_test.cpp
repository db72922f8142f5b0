// Machines from `nvidia-smi topo -m`.

#include <doctest/doctest.h>

#include "tests/topology/import/nvidia_smi_support.h"

namespace syncsim::nvidia_smi_test {

using namespace testing::smi;

TEST_CASE("the matrix of a DGX-1V gives the DGX-1V of the shelf, and a network") {
  const auto [machine, warnings] = import_matrix("nvidia_smi", kDgx1v, "volta");
  CHECK(warnings.empty());
  const Topology shelf = load_topology("dgx1v", SYNCSIM_SHELF);
  CHECK(sorted_cables(machine, false) == sorted_cables(shelf, true));
  CHECK(typed_cables(machine).size() == typed_cables(shelf).size() + 4);
  CHECK(machine.description() ==
        "8 gpus, 4 nics; nic0 is mlx5_0, nic1 is mlx5_1, nic2 is mlx5_2, nic3 is mlx5_3");
  CHECK(machine.links()[0].bandwidth == Bandwidth{25e9});
  CHECK(machine.links()[4].usable == Bandwidth{40e9});
  CHECK(machine.nodes()[machine.node("cpu0")].peer_cost == 1.2);
  CHECK(machine.ranks().size() == 8);
}

TEST_CASE("two gpus of a desktop hang on root ports of one cpu, x16") {
  const auto [machine, warnings] =
      import_matrix("nvidia_smi", "\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n");
  CHECK(warnings == Lines{kAmpere});
  CHECK(typed_cables(machine) == Lines{"gpu0-cpu0 pcie", "gpu1-cpu0 pcie"});
  CHECK(machine.links()[0].bandwidth == Bandwidth{31.5e9});
  CHECK(machine.links()[0].usable == Bandwidth{24e9});
  CHECK(machine.source() ==
        "nvidia-smi topo -m; rates: profile ampere, A100 and its time: NVLink 3, PCIe 4.0, EPYC, "
        "200 Gbit/s");
}

TEST_CASE("PXB puts each side on a switch of its own below a common one") {
  const auto [machine, warnings] = import_matrix("nvidia_smi",
                                                 "     GPU0 GPU1 GPU2 NIC0\n"
                                                 "GPU0  X   PIX  PXB  PXB\n"
                                                 "GPU1 PIX   X   PXB  PXB\n"
                                                 "GPU2 PXB  PXB   X   PXB\n"
                                                 "NIC0 PXB  PXB  PXB   X\n",
                                                 "hopper");
  CHECK(warnings.empty());
  CHECK(typed_cables(machine) == Lines{"gpu0-plx0 pcie", "gpu1-plx0 pcie", "gpu2-plx1 pcie",
                                       "nic0-plx2 pcie", "plx0-plx3 pcie", "plx1-plx3 pcie",
                                       "plx2-plx3 pcie", "plx3-cpu0 pcie", "nic0-net0 network"});
}

TEST_CASE("four gpus with 4 NVLinks a pair are a mesh, each at the cpu of its nic") {
  const auto [machine, warnings] = import_matrix("nvidia_smi",
                                                 "     GPU0 GPU1 GPU2 GPU3 NIC0 NIC1\n"
                                                 "GPU0  X   NV4  NV4  NV4  PIX  SYS\n"
                                                 "GPU1 NV4   X   NV4  NV4  PIX  SYS\n"
                                                 "GPU2 NV4  NV4   X   NV4  SYS  PIX\n"
                                                 "GPU3 NV4  NV4  NV4   X   SYS  PIX\n");
  CHECK(warnings ==
        Lines{"t.txt:1:1: there is no row NIC0 (and 1 more); took the columns alone", kAmpere});
  CHECK(typed_cables(machine) ==
        Lines{"gpu0-gpu1 nvlink x4", "gpu0-gpu2 nvlink x4", "gpu0-gpu3 nvlink x4",
              "gpu1-gpu2 nvlink x4", "gpu1-gpu3 nvlink x4", "gpu2-gpu3 nvlink x4",
              "cpu0-cpu1 socket", "gpu0-plx0 pcie", "gpu1-plx0 pcie", "nic0-plx0 pcie",
              "gpu2-plx1 pcie", "gpu3-plx1 pcie", "nic1-plx1 pcie", "plx0-cpu0 pcie",
              "plx1-cpu1 pcie", "nic0-net0 network", "nic1-net0 network"});
}

TEST_CASE("an HGX as its terminal shows it: colours, prompt, affinities, legends, a fence") {
  std::string text = "```\r\n$ nvidia-smi topo -m\r\n\t\x1b[4mGPU0";
  for (int i = 1; i < 8; ++i) text += "\tGPU" + std::to_string(i);
  for (int i = 0; i < 8; ++i) text += "\tNIC" + std::to_string(i);
  text += "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\r\n";
  const auto row = [&](int i, bool gpu) {
    text += (gpu ? "GPU" : "NIC") + std::to_string(i);
    for (int j = 0; j < 16; ++j) {
      const bool pair = gpu != (j >= 8);  // both gpus or both nics
      const int other = j % 8;
      const std::string near = i / 4 == other / 4 ? "NODE" : "SYS";
      if (pair && i == other)
        text += "\t X ";
      else if (gpu && j < 8)
        text += "\tNV18";
      else
        text += "\t" + (i == other ? "PIX" : near);
    }
    if (gpu) text += i < 4 ? "\t0-55,112-167\t0\t\tN/A" : "\t56-111,168-223\t1\t\tN/A";
    text += "\r\n";
  };
  for (int i = 0; i < 8; ++i) row(i, true);
  for (int i = 0; i < 8; ++i) row(i, false);
  text +=
      "\r\nLegend:\r\n\r\n  X    = Self\r\n  NV#  = Connection traversing # NVLinks\r\n\r\n"
      "NIC Legend:\r\n\r\n  NIC0: mlx5_0\r\n  NIC7: mlx5_bond_0\r\n```\r\n";
  const auto [machine, warnings] = import_matrix("nvidia_smi", text);
  CHECK(warnings == Lines{"t.txt: took profile hopper (H100, H200: NVLink 4, PCIe 5.0, Sapphire "
                          "Rapids, 400 Gbit/s); choose with --profile"});
  CHECK(machine.description() == "8 gpus, 8 nics; nic0 is mlx5_0, nic7 is mlx5_bond_0");
  const Lines found = typed_cables(machine);
  REQUIRE(found.size() == 8 + 1 + 16 + 8 + 8);
  CHECK(found[0] == "gpu0-nvs0 nvlink x18");
  CHECK(machine.links()[0].bandwidth == Bandwidth{450e9});
  CHECK(machine.nodes()[machine.node("nvs0")].abilities == Abilities{true, true});
  const Resources resources(machine, Rates::usable);
  Router router(machine, resources);
  for (const char* pair : {"0", "3", "7"}) {
    const Route route = router.find(machine.node(std::string("gpu") + pair),
                                    machine.node(std::string("nic") + pair));
    CHECK(route.hops == 2);
  }
  CHECK(router.find(machine.node("gpu0"), machine.node("nic7")).hops == 5);
}

TEST_CASE("the profile is the one whose gpus have just the links that the cells show") {
  CHECK(profile_taken(uniform(2, "PIX")) == "ampere");
  CHECK(profile_taken(uniform(2, "NV2")) == "turing");
  CHECK(profile_taken(uniform(2, "NV4")) == "ampere_workstation");
  CHECK(profile_taken(uniform(2, "NV12")) == "ampere");
  CHECK(profile_taken(uniform(4, "NV2")) == "volta");
  CHECK(profile_taken(uniform(4, "NV4")) == "ampere");
  CHECK(profile_taken(uniform(4, "NV6")) == "hopper");  // 3 x 6 = 18
  CHECK(profile_taken(uniform(5, "NV1")) == "pascal");
  CHECK(profile_taken(uniform(16, "NV6")) == "volta");
  CHECK(profile_taken(uniform(8, "NV8")) == "ampere");
  CHECK(profile_taken(uniform(8, "NV12")) == "ampere");
  CHECK(profile_taken(uniform(8, "NV18")) == "hopper");
  CHECK(profile_taken(kDgx1v) == "volta");
}

TEST_CASE("gpus with fewer NVLinks than the others still share the NVSwitch") {
  const auto [machine, warnings] = import_matrix("nvidia_smi",
                                                 "    GPU0 GPU1 GPU2 GPU3\n"
                                                 "GPU0 X   NV12 NV12 NV10\n"
                                                 "GPU1 NV12 X   NV12 NV10\n"
                                                 "GPU2 NV12 NV12 X   NV10\n"
                                                 "GPU3 NV10 NV10 NV10 X\n",
                                                 "ampere");
  CHECK(typed_cables(machine)[2] == "gpu2-nvs0 nvlink x12");
  CHECK(typed_cables(machine)[3] == "gpu3-nvs0 nvlink x10");
}

TEST_CASE(
    "more NVLinks than the profile's gpus have is a warning, and no switch without a clique") {
  const auto pair = import_matrix("nvidia_smi", uniform(2, "NV12"), "volta");
  CHECK(pair.warnings[0] ==
        "t.txt:2:1: GPU0 has 12 NVLinks and a gpu of profile volta has 6; took what the cells say");
  CHECK(typed_cables(pair.machine)[0] == "gpu0-gpu1 nvlink x12");
  const auto all = import_matrix("nvidia_smi", uniform(3, "NV18"), "ampere");
  CHECK(
      all.warnings[0] ==
      "t.txt:2:1: GPU0 has 18 NVLinks and a gpu of profile ampere has 12; took what the cells say");
  CHECK(typed_cables(all.machine)[0] == "gpu0-nvs0 nvlink x18");
  const auto line = import_matrix("nvidia_smi",
                                  "GPU0 GPU1 GPU2\nGPU0 X NV12 SYS\nGPU1 NV12 X NV12\n"
                                  "GPU2 SYS NV12 X\n",
                                  "ampere");
  CHECK(line.warnings[0].find("GPU1 has 24 NVLinks") != std::string::npos);
  CHECK(typed_cables(line.machine)[1] == "gpu1-gpu2 nvlink x12");
}

TEST_CASE("the first of two matrices is taken, and text around it does not matter") {
  const std::string text = "# GPU9 X\n> my box\n" + uniform(2, "PHB") +
                           "\nGPU0 is the upper card\n\tGPU0\tGPU1\nGPU0\tX\tGNS\nGPU1\tGNS\tX\n";
  const auto [machine, warnings] = import_matrix("nvidia_smi", text, "ampere");
  CHECK(warnings == Lines{"t.txt:8:2: a second matrix; took the first only"});
  CHECK(typed_cables(machine).size() == 2);
}

TEST_CASE("one gpu alone is a machine") {
  const auto [machine, warnings] = import_matrix(
      "nvidia_smi", "\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t0-7\tN/A\n", "ampere");
  CHECK(warnings.empty());
  CHECK(typed_cables(machine) == Lines{"gpu0-cpu0 pcie"});
}

TEST_CASE("PCIe links know their 16 lanes and the profile's generation, so that edits can") {
  const std::string text = "GPU0 GPU1\nGPU0 X PIX\nGPU1 PIX X\n";
  Topology machine = import_matrix("nvidia_smi", text, "ampere").machine;
  for (const Link& link : machine.links()) {
    CHECK(link.lanes == 16);
    CHECK(link.generation == 4);
    CHECK(link.bandwidth == Bandwidth{31.5e9});
  }
  CHECK(import_matrix("nvidia_smi", text, "volta").machine.links()[0].generation == 3);
  CHECK(import_matrix("nvidia_smi", text, "hopper").machine.links()[0].generation == 5);
  const Topology narrow = edited(machine, {"kind:pcie width=x8", "link:gpu0-plx0 gen=3"});
  CHECK(narrow.links()[2].bandwidth == Bandwidth{15.75e9});
  CHECK(narrow.links()[2].lanes == 8);
  CHECK(narrow.links()[0].generation == 3);
  CHECK(narrow.links()[0].bandwidth.bytes_per_second == doctest::Approx(7.877e9).epsilon(1e-3));
}

TEST_CASE("links of other kinds know no lanes") {
  const Topology machine = import_matrix("nvidia_smi",
                                         "GPU0 GPU1 NIC0\nGPU0 X NV4 SYS\nGPU1 NV4 X SYS\n"
                                         "NIC0 SYS SYS X\n",
                                         "ampere")
                               .machine;
  for (const Link& link : machine.links())
    CHECK((link.lanes == 16) == (link.kind == LinkKind::pcie));
}

TEST_CASE("the network beyond the nics passes nothing on, in clusters either") {
  Topology::Parts parts = import_matrix("nvidia_smi",
                                        "GPU0 GPU1 NIC0 NIC1\nGPU0 X SYS PIX SYS\n"
                                        "GPU1 SYS X SYS PIX\nNIC0 PIX SYS X SYS\n"
                                        "NIC1 SYS PIX SYS X\n",
                                        "ampere")
                              .machine.parts();
  Node beyond;
  beyond.id = "beyond";
  beyond.kind = NodeKind::gpu;
  beyond.forwards = false;
  parts.nodes.push_back(beyond);
  Link cable = parts.links.back();
  cable.name.clear();
  testing::add_cable(parts, 2, static_cast<NodeId>(parts.nodes.size() - 1), cable);
  const Topology cluster(std::move(parts));
  CHECK_FALSE(cluster.nodes()[cluster.node("net0")].forwards);
  const Resources resources(cluster, Rates::usable);
  const Route route = Router(cluster, resources).find(cluster.node("gpu1"), cluster.node("beyond"));
  Lines names;
  for (const LinkId link : route.links) names.push_back(cluster.links()[link].name);
  CHECK(names ==
        Lines{"gpu1>plx1", "plx1>cpu1", "cpu1>cpu0", "cpu0>plx0", "plx0>nic0", "nic0>beyond"});
}

TEST_CASE("a text that is blank or UTF-16 is in no format, and the refusal says so") {
  const auto refused = [](const std::string& text) {
    return testing::refusal_of([&] { importer_for(text, ""); });
  };
  for (const char* blank : {"", " ", "\n\r\n\t", "\xef\xbb\xbf \n"})
    CHECK(refused(blank) == "is empty; give it what another tool says of the machine");
  const std::string little("\xff\xfeG\0P\0", 6);
  const std::string big("\xfe\xff\0G\0P", 6);
  for (const std::string& text : {little, big})
    CHECK(refused(text) == "is UTF-16, as PowerShell's > writes it; save it as UTF-8");
  CHECK(testing::refusal_of([&] { importer_for(" ", "nvidia_smi"); }).starts_with("is empty; "));
}

TEST_CASE("matrices are recognised by a line of theirs") {
  CHECK(importer_for(kDgx1v, "").name == "nvidia_smi");
  CHECK(importer_for("GPU0 X PIXX", "").name == "nvidia_smi");
  CHECK(importer_for("GPU0\tCPU Affinity", "").name == "nvidia_smi");
  CHECK(testing::refusal_of([] {
          importer_for("# 2 GPUs\nGPU0-3 are NUMA 0; GPU 4", "");
        }).starts_with("is in no format that can be imported; say which with --format: "));
}

}  // namespace syncsim::nvidia_smi_test
