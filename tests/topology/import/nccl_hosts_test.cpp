// Cpus, sockets and hosts of NCCL topology files.

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/topology/connected.h"
#include "sim/topology/export/nccl_xml.h"
#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_hosts_test {

TEST_CASE("sockets join in pairs at the rate of their model - Intel's peers cost more") {
  struct Row {
    const char* cpu;
    const char* line;
    double peer_cost;
  };
  const auto intel = [](int family, int model) {
    return fmt::format(R"(arch="x86_64" vendor="GenuineIntel" familyid="{}" modelid="{}")", family,
                       model);
  };
  const std::string bdw = intel(6, 79), old = intel(15, 200), skl = intel(6, 85),
                    spr = intel(6, 143), emr = intel(6, 207), gnr = intel(6, 173),
                    before_gnr = intel(6, 172);
  for (const Row& row : {Row{bdw.c_str(), "socket x1 19.2 GB/s 6 GB/s", 1.2},
                         Row{old.c_str(), "socket x1 19.2 GB/s 6 GB/s", 1.2},
                         Row{skl.c_str(), "socket x1 20.8 GB/s 10 GB/s", 1.2},
                         Row{spr.c_str(), "socket x1 32 GB/s 22 GB/s", 1.2},
                         Row{before_gnr.c_str(), "socket x1 32 GB/s 22 GB/s", 1.2},
                         Row{gnr.c_str(), "socket x1 40 GB/s 40 GB/s", 1.2},
                         Row{emr.c_str(), "socket x1 40 GB/s 40 GB/s", 1.2},
                         Row{kAmd.data(), "socket x1 16 GB/s 16 GB/s", 1},
                         Row{R"(arch="ppc64")", "socket x1 32 GB/s 32 GB/s", 1},
                         Row{R"(arch="arm64")", "socket x1 6 GB/s 6 GB/s", 1},
                         Row{R"(arch="x86_64" vendor="CentaurHauls" familyid="7" modelid="91")",
                             "socket x1 9 GB/s 9 GB/s", 1},
                         Row{R"(arch="x86_64" vendor="  Shanghai  " familyid="7" modelid="59")",
                             "socket x1 6 GB/s 6 GB/s", 1}}) {
    CAPTURE(row.cpu);
    const Imported imported = import_nccl(
        fmt::format("<system><cpu numaid=\"0\" {0}>{1}</cpu><cpu numaid=\"1\" {0}/></system>",
                    row.cpu, bridge_at("04:00.0", gpu_at("01:00.0", R"(dev="0")"))));
    CHECK(imported.warnings == Lines{});
    const Topology machine(imported.parts);
    CHECK(cable_of(machine, "cpu0-cpu1") == row.line);
    CHECK(machine.nodes()[machine.node("cpu1")].peer_cost == row.peer_cost);
  }
}

TEST_CASE("cpus are named by NUMA node - those of different hosts are not joined") {
  const auto cpu = [](int numa, int host, const std::string& inside) {
    return fmt::format(R"(<cpu numaid="{}" host_hash="0x{}" {}>{}</cpu>)", numa, host, kAmd,
                       inside);
  };
  const Topology one = nccl_machine_of("<system>" + cpu(3, 7, gpu_at("01:00.0", R"(dev="0")")) +
                                       cpu(1, 7, "") + cpu(2, 7, "") + "</system>");
  CHECK(ids_of(one) == Lines{"gpu0", "cpu3", "cpu1", "cpu2"});
  CHECK(cable_of(one, "cpu3-cpu2") != "none");
  CHECK(cable_of(one, "cpu1-cpu2") != "none");
  // One rack of two hosts with the same bus ids, joined by NVLink.
  const std::string gpu =
      gpu_at("01:00.0", R"(dev="0" sm="100" rank="RANK")", nvlink_to("c1:00.0", 18, "0x068000"));
  const auto ranked = [&](const char* rank) {
    std::string text = gpu;
    return text.replace(text.find("RANK"), 4, rank);
  };
  const Imported two =
      import_nccl("<system>" + cpu(0, 1, ranked("1")) + cpu(0, 2, ranked("0")) + "</system>");
  const Topology rack(two.parts);
  CHECK(cables_of(rack) == Lines{"gpu0-cpu1 pcie x1 15.75 GB/s 12 GB/s",
                                 "gpu1-cpu0 pcie x1 15.75 GB/s 12 GB/s",
                                 "gpu0-nvs0 nvlink x18 900 GB/s 721.8 GB/s",
                                 "gpu1-nvs0 nvlink x18 900 GB/s 721.8 GB/s"});
}

TEST_CASE("a target is a GPU of the same host") {
  const auto host = [](int hash, int rank) {
    return fmt::format(
        R"(<cpu numaid="{0}" host_hash="{0}" {1}>{2}{3}</cpu>)", hash, kAmd,
        gpu_at("01:00.0", fmt::format(R"(sm="80" rank="{}")", rank), nvlink_to("02:00.0")),
        gpu_at("02:00.0", fmt::format(R"(sm="80" rank="{}")", rank + 1), nvlink_to("01:00.0")));
  };
  const Topology machine = nccl_machine_of("<system>" + host(1, 0) + host(2, 2) + "</system>");
  CHECK(cable_of(machine, "gpu0-gpu1") == "nvlink x1 25 GB/s 20 GB/s");
  CHECK(cable_of(machine, "gpu2-gpu3") == "nvlink x1 25 GB/s 20 GB/s");
  CHECK(cable_of(machine, "gpu0-gpu3") == "none");
}

TEST_CASE("a target of another host is one where no bus id can be mistaken") {
  const auto host = [](int hash, const std::string& inside) {
    return fmt::format(R"(<cpu numaid="{0}" host_hash="{0}" {1}>{2}</cpu>)", hash, kAmd, inside);
  };
  const auto gpu = [](const char* bus_id, int rank, const char* target) {
    return gpu_at(bus_id, fmt::format(R"(sm="80" rank="{}")", rank), nvlink_to(target, 6));
  };
  const Imported apart = import_nccl("<system>" + host(1, gpu("01:00.0", 0, "02:00.0")) +
                                     host(2, gpu("02:00.0", 1, "01:00.0")) + "</system>");
  CHECK(cable_of(Topology(apart.parts), "gpu0-gpu1") == "nvlink x6 150 GB/s 120 GB/s");
  CHECK(std::any_of(apart.warnings.begin(), apart.warnings.end(), [](const std::string& line) {
    return line.ends_with(
        "the target is a GPU of another host_hash; took the cable all the same (and 1 more like "
        "it)");
  }));
  // Two like hosts: the second gpu of the first stands in another file.
  const Imported alike = import_nccl(
      "<system>" + host(1, gpu("01:00.0", 0, "02:00.0")) +
      host(2, gpu("01:00.0", 1, "02:00.0") + gpu("02:00.0", 2, "01:00.0")) + "</system>");
  CHECK(cable_of(Topology(alike.parts), "gpu0-gpu2") == "none");
  CHECK(cable_of(Topology(alike.parts), "gpu1-gpu2") == "nvlink x6 150 GB/s 120 GB/s");
}

TEST_CASE("the network node ends ways and passes nothing on") {
  const Topology machine = nccl_machine_of(sound_file());
  const Node& network = machine.nodes()[machine.node("net0")];
  CHECK(network.kind == NodeKind::switch_);
  CHECK_FALSE(network.forwards);
  CHECK(ids_of(nccl_machine_of(one_cpu(gpu_at("01:00.0", R"(dev="0")")))) == Lines{"gpu0", "cpu0"});
}

// Two hosts of a gpu and a nic each.
constexpr std::string_view kTwoHosts = R"(<system><cpu numaid="0" host_hash="0x{}" arch="x86_64"
  vendor="AuthenticAMD" familyid="25" modelid="1">{}{}</cpu><cpu numaid="1" host_hash="0x2"
  arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1">{}{}</cpu></system>)";

TEST_CASE("the nics of several hosts are joined by a switch, those of one are not") {
  const auto text = [](int first_host) {
    return fmt::format(kTwoHosts, first_host, gpu_at("01:00.0", R"(rank="0")"),
                       nic_at("02:00.0", R"(<net dev="0" speed="100000"/>)"),
                       gpu_at("01:00.0", R"(rank="1")"),
                       nic_at("02:00.0", R"(<net dev="1" speed="100000"/>)"));
  };
  const Imported two = import_nccl(text(1));
  const Topology machine(two.parts);
  CHECK(machine.nodes()[machine.node("net0")].forwards);
  CHECK(!first_cut_off(machine));
  CHECK(std::any_of(two.warnings.begin(), two.warnings.end(), [](const std::string& line) {
    return line.ends_with(
        "host_hash tells of 2 hosts, and nothing says how their nics are joined; took one switch "
        "between them all, net0");
  }));
  const Exported written = nccl_xml(machine, shipped_rates());
  CHECK(written.warnings == Lines{});
  CHECK(portrait(nccl_machine_of(written.text)) == portrait(machine));
  const Topology one = nccl_machine_of(text(2));
  CHECK(!one.nodes()[one.node("net0")].forwards);
}

}  // namespace syncsim::testing::nccl_hosts_test
