// Which cpu a gpu is near, where NVLink hides the way to it.

#include <doctest/doctest.h>

#include "tests/topology/import/nvidia_smi_support.h"

namespace syncsim::nvidia_smi_cpus_test {

using namespace testing::smi;

TEST_CASE("bridged pairs, NODE within a socket, SYS between") {
  std::string text = " GPU0 GPU1 GPU2 GPU3 GPU4 GPU5 GPU6 GPU7\n";
  for (int i = 0; i < 8; ++i) {
    text += "GPU" + std::to_string(i);
    for (int j = 0; j < 8; ++j) {
      const std::string apart = i / 4 == j / 4 ? " NODE" : " SYS";
      text += i == j ? " X" : (i / 2 == j / 2 ? " NV12" : apart);
    }
    text += "\n";
  }
  const auto [machine, warnings] = import_matrix("nvidia_smi", text, "ampere");
  CHECK(warnings == Lines{"t.txt:1:1: NVLink hides which PCIe switches GPU0, GPU1, GPU2, GPU3, "
                          "GPU4, GPU5, GPU6, GPU7 share; took a root port of its own for each"});
  CHECK(typed_cables(machine) == Lines{"gpu0-gpu1 nvlink x12", "gpu2-gpu3 nvlink x12",
                                       "gpu4-gpu5 nvlink x12", "gpu6-gpu7 nvlink x12",
                                       "cpu0-cpu1 socket", "gpu0-cpu0 pcie", "gpu1-cpu0 pcie",
                                       "gpu2-cpu0 pcie", "gpu3-cpu0 pcie", "gpu4-cpu1 pcie",
                                       "gpu5-cpu1 pcie", "gpu6-cpu1 pcie", "gpu7-cpu1 pcie"});
}

TEST_CASE("where nothing but NVLink is known all gpus share one cpu, with a warning") {
  const auto [machine, warnings] = import_matrix("nvidia_smi", uniform(3, "NV6"), "volta");
  CHECK(warnings ==
        Lines{"t.txt:1:1: nothing names the cpu of GPU1, GPU2; took the first that no SYS excludes",
              "t.txt:1:1: NVLink hides which PCIe switches GPU0, GPU1, GPU2 share; took a root "
              "port of its own for each"});
  CHECK(typed_cables(machine) == Lines{"gpu0-nvs0 nvlink x6", "gpu1-nvs0 nvlink x6",
                                       "gpu2-nvs0 nvlink x6", "gpu0-cpu0 pcie", "gpu1-cpu0 pcie",
                                       "gpu2-cpu0 pcie"});
}

TEST_CASE("SYS alone tells sockets apart where NVLink hides the rest") {
  const auto [machine, warnings] = import_matrix("nvidia_smi",
                                                 "    GPU0 GPU1 GPU2 GPU3\n"
                                                 "GPU0 X   NV2  NV1  SYS\n"
                                                 "GPU1 NV2  X   SYS  NV1\n"
                                                 "GPU2 NV1 SYS   X   NV2\n"
                                                 "GPU3 SYS NV1  NV2   X\n",
                                                 "volta");
  CHECK(warnings.size() == 2);
  const Lines found = typed_cables(machine);
  CHECK(Lines(found.end() - 4, found.end()) ==
        Lines{"gpu0-cpu0 pcie", "gpu1-cpu0 pcie", "gpu2-cpu1 pcie", "gpu3-cpu1 pcie"});
}

TEST_CASE("affinities tell the cpu: NUMA nodes before sets of cpus") {
  const Lines numa = {"0-31 0 N/A", "0-31 1 N/A", "0-31 1 N/A"};
  CHECK(typed_cables(import_matrix("nvidia_smi", uniform(3, "NV12", numa), "ampere").machine) ==
        Lines{"gpu0-nvs0 nvlink x12", "gpu1-nvs0 nvlink x12", "gpu2-nvs0 nvlink x12",
              "cpu0-cpu1 socket", "gpu0-cpu0 pcie", "gpu1-cpu1 pcie", "gpu2-cpu1 pcie"});
  const Lines sets = {"0-15 N/A N/A", "16-31 N/A N/A", "0-15 N/A N/A"};
  const Lines found =
      typed_cables(import_matrix("nvidia_smi", uniform(3, "NV12", sets), "ampere").machine);
  CHECK(Lines(found.end() - 3, found.end()) ==
        Lines{"gpu0-cpu0 pcie", "gpu1-cpu1 pcie", "gpu2-cpu0 pcie"});
}

TEST_CASE("a cell and an affinity that contradict each other: one NUMA node is one cpu") {
  const Lines same = {"0-31 0 N/A", "0-31 0 N/A"};
  const auto one = import_matrix("nvidia_smi", uniform(2, "SYS", same), "ampere");
  CHECK(one.warnings == Lines{"t.txt:2:8: GPU0-GPU1 is SYS although their affinities are 0 and 0; "
                              "took one cpu"});
  CHECK(typed_cables(one.machine) == Lines{"gpu0-cpu0 pcie", "gpu1-cpu0 pcie"});
  const Lines both = {"0-31 0-1 N/A", "0-31 0-1 N/A"};
  const auto two = import_matrix("nvidia_smi", uniform(2, "SYS", both), "ampere");
  CHECK(two.warnings == Lines{"t.txt:2:8: GPU0-GPU1 is SYS although their affinities are 0-1 and "
                              "0-1; took two cpus"});
  CHECK(typed_cables(two.machine)[0] == "cpu0-cpu1 socket");
  const Lines differ = {"0-31 0 N/A", "32-63 1 N/A"};
  const auto near = import_matrix("nvidia_smi", uniform(2, "PIX", differ), "ampere");
  CHECK(near.warnings == Lines{"t.txt:2:8: GPU0-GPU1 is PIX although their affinities are 0 and 1; "
                               "took one cpu"});
  CHECK(typed_cables(near.machine) == Lines{"gpu0-plx0 pcie", "gpu1-plx0 pcie", "plx0-cpu0 pcie"});
}

TEST_CASE("a nic is where its switch is: SYS to it within a NUMA node is told too") {
  const auto [machine, warnings] = import_matrix("nvidia_smi",
                                                 "     GPU0 GPU1 NIC0 NIC1 CPU Affinity NUMA "
                                                 "Affinity\n"
                                                 "GPU0  X   NV18 PIX  SYS 0-47 0\n"
                                                 "GPU1 NV18  X   SYS  PIX 0-47 0\n"
                                                 "NIC0 PIX  SYS   X   SYS\n"
                                                 "NIC1 SYS  PIX  SYS   X\n",
                                                 "hopper");
  CHECK(warnings ==
        Lines{"t.txt:2:21: GPU0-NIC1 is SYS although their affinities are 0 and 0 (that of GPU1); "
              "took one cpu (and 2 more such pairs)"});
  CHECK(machine.nodes_of_kind(NodeKind::cpu).size() == 1);
}

TEST_CASE("an affinity to no NUMA node is told, and is none") {
  const auto told = [](const std::string& numa) {
    return import_matrix("nvidia_smi",
                         uniform(2, "PHB", {"0-31 " + numa + " N/A", "0-31 " + numa + " N/A"}),
                         "ampere")
        .warnings;
  };
  for (const char* good : {"0", "0-1", "0,2-3", "N/A", "1000000"}) CHECK(told(good) == Lines{});
  for (const char* bad : {"-7", "99999999999", "1000001", "0,", "0--1", "node0"}) {
    CAPTURE(bad);
    REQUIRE(told(bad).size() == 2);
    CHECK(told(bad).front() == "t.txt:2:17: the NUMA affinity of GPU0 is \"" + std::string(bad) +
                                   "\", no NUMA node; took it as not known");
  }
}

TEST_CASE("words of a row for which there is no column are told, the first") {
  CHECK(import_matrix("nvidia_smi", " GPU0 GPU1\nGPU0 X PHB FOO\nGPU1 PHB X BAR\n", "ampere")
            .warnings ==
        Lines{"t.txt:2:12: row GPU0 goes on with \"FOO\", which no column of the header is for; "
              "passed it over"});
}

TEST_CASE("more than two groups that are SYS apart: a cpu each, all joined, with a warning") {
  const auto [machine, warnings] = import_matrix("nvidia_smi", uniform(3, "SOC"), "volta");
  CHECK(warnings == Lines{"t.txt:1:1: 3 groups of devices are SYS apart; took a cpu for each, "
                          "every two joined by a socket link"});
  CHECK(typed_cables(machine) == Lines{"cpu0-cpu1 socket", "cpu0-cpu2 socket", "cpu1-cpu2 socket",
                                       "gpu0-cpu0 pcie", "gpu1-cpu1 pcie", "gpu2-cpu2 pcie"});
}

TEST_CASE("affinities that contradict a cell are told with their odd bytes as escapes") {
  const auto warnings =
      import_matrix("nvidia_smi",
                    "\tGPU0\tGPU1\tCPU Affinity\nGPU0\tX\tPIX\t0\xff\nGPU1\tPIX\tX\t1\n", "ampere")
          .warnings;
  CHECK(warnings == Lines{R"(t.txt:2:8: GPU0-GPU1 is PIX although their affinities are 0\xff and )"
                          "1; took one cpu"});
}

}  // namespace syncsim::nvidia_smi_cpus_test
