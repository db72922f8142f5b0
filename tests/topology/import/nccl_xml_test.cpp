// What a sound NCCL topology file becomes.

#include <doctest/doctest.h>

#include "sim/topology/connected.h"
#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_xml_test {

TEST_CASE("a file is known by its root, past declarations and comments") {
  CHECK(looks_like_nccl_xml("<system version=\"1\">"));
  CHECK(looks_like_nccl_xml("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- <topology> -->\n<system>"));
  CHECK(looks_like_nccl_xml("<!DOCTYPE system [<!ENTITY a \"b\">]><system/>"));
  CHECK(looks_like_nccl_xml("<graphs version=\"1\">"));
  CHECK(looks_like_nccl_xml("<pci busid=\"0000:01:00.0\"/>"));
  CHECK_FALSE(looks_like_nccl_xml("<!DOCTYPE topology SYSTEM \"hwloc2.dtd\"><topology/>"));
  CHECK_FALSE(looks_like_nccl_xml("<systems/>"));
  CHECK_FALSE(looks_like_nccl_xml("{\"name\": \"<system>\"}"));
  CHECK_FALSE(looks_like_nccl_xml("<!-- <system>"));
  CHECK_FALSE(looks_like_nccl_xml(""));
  CHECK(importer_for(sound_file(), "").name == "nccl_xml");
}

TEST_CASE("switches, GPUs, nics and cpus join at their speed and width, without a warning") {
  const Imported imported = import_nccl(sound_file());
  CHECK(imported.warnings == Lines{});
  const Topology machine(imported.parts);
  CHECK(ids_of(machine) == Lines{"gpu0", "gpu1", "cpu0", "plx0", "nic0", "net0"});
  CHECK(cables_of(machine) ==
        Lines{"gpu0-plx0 pcie x1 15.75 GB/s 12 GB/s", "gpu1-plx0 pcie x1 15.75 GB/s 12 GB/s",
              "plx0-cpu0 pcie x1 15.75 GB/s 12 GB/s", "nic0-plx0 pcie x1 15.75 GB/s 12 GB/s",
              "gpu0-gpu1 nvlink x2 50 GB/s 40 GB/s", "nic0-net0 network x1 12.5 GB/s 12 GB/s"});
  CHECK(machine.ranks() == std::vector<NodeId>{0, 1});
  CHECK_FALSE(first_cut_off_pair(machine).has_value());
  CHECK(machine.nodes()[machine.node("cpu0")].peer_cost == 1.2);
  CHECK(machine.routing() == RoutingPolicy{});
}

TEST_CASE("a link has the rate of its generation times its lanes") {
  struct Row {
    const char* speed;
    const char* width;
    const char* line;
  };
  for (const Row& row : {Row{"2.5 GT/s", "1", "pcie x1 250 MB/s 187.5 MB/s"},
                         Row{"5 GT/s", "8", "pcie x1 4 GB/s 3 GB/s"},
                         Row{"5.0 GT/s PCIe", "8", "pcie x1 4 GB/s 3 GB/s"},
                         Row{"8 GT/s", "16", "pcie x1 15.75 GB/s 12 GB/s"},
                         Row{"16.0 GT/s PCIe", "16", "pcie x1 31.5 GB/s 24 GB/s"},
                         Row{"32.0 GT/s PCIe", "4", "pcie x1 15.75 GB/s 12 GB/s"},
                         Row{"64.0 GT/s PCIe", "16", "pcie x1 126 GB/s 96 GB/s"}}) {
    CAPTURE(row.speed);
    const Topology machine = nccl_machine_of(
        one_cpu(gpu_at("01:00.0", R"(dev="0")") +
                fmt::format(R"(<pci busid="2" class="0x020000" link_speed="{}" link_width="{}"/>)",
                            row.speed, row.width)));
    CHECK(cable_of(machine, "nic0-cpu0") == row.line);
  }
}

TEST_CASE("NVLink has the rate of the compute capability, as NCCL has it") {
  struct Row {
    int sm;
    const char* line;
  };
  for (const Row& row :
       {Row{60, "nvlink x2 40 GB/s 36 GB/s"}, Row{62, "nvlink x2 40 GB/s 36 GB/s"},
        Row{70, "nvlink x2 50 GB/s 40 GB/s"}, Row{75, "nvlink x2 50 GB/s 40 GB/s"},
        Row{80, "nvlink x2 50 GB/s 40 GB/s"}, Row{86, "nvlink x2 28.125 GB/s 24 GB/s"},
        Row{89, "nvlink x2 50 GB/s 40 GB/s"}, Row{90, "nvlink x2 50 GB/s 41.2 GB/s"},
        Row{100, "nvlink x2 100 GB/s 80.2 GB/s"}, Row{120, "nvlink x2 100 GB/s 80.2 GB/s"}}) {
    CAPTURE(row.sm);
    const std::string sm = fmt::format(R"(sm="{}")", row.sm);
    const Topology machine =
        nccl_machine_of(one_cpu(gpu_at("01:00.0", sm + R"( dev="0")", nvlink_to("02:00.0", 2)) +
                                gpu_at("02:00.0", sm + R"( dev="1")", nvlink_to("01:00.0", 2))));
    CHECK(cable_of(machine, "gpu0-gpu1") == row.line);
  }
}

TEST_CASE("xGMI has the rate of gcn, also where that is written as compute units") {
  struct Row {
    const char* attributes;
    const char* line;
  };
  for (const Row& row : {Row{R"(gcn="906")", "xgmi x1 46 GB/s 24 GB/s"},
                         Row{R"(gcn="gfx908:sramecc+")", "xgmi x1 46 GB/s 24 GB/s"},
                         Row{R"(gcn="910" sm="104")", "xgmi x1 50 GB/s 36 GB/s"},
                         Row{R"(gcn="gfx90a")", "xgmi x1 50 GB/s 36 GB/s"},
                         Row{R"(gcn="940")", "xgmi x1 64 GB/s 48 GB/s"},
                         Row{R"(gcn="gfx942")", "xgmi x1 64 GB/s 48 GB/s"},
                         Row{R"(gcn="304")", "xgmi x1 64 GB/s 48 GB/s"},
                         Row{R"(sm="120")", "xgmi x1 46 GB/s 24 GB/s"}}) {
    CAPTURE(row.attributes);
    const auto gpu = [&](const char* bus_id, const char* target) {
      return gpu_at(bus_id, row.attributes,
                    fmt::format(R"(<xgmi target="{}" count="1" tclass="0x038000"/>)", target));
    };
    const Imported imported = import_nccl(
        one_cpu(bridge_at("04:00.0", gpu("01:00.0", "02:00.0") + gpu("02:00.0", "01:00.0"))));
    CHECK(cable_of(Topology(imported.parts), "gpu0-gpu1") == row.line);
    CHECK(imported.warnings == Lines{});
  }
}

TEST_CASE("an AMD GPU's nvlink is xGMI") {
  const std::string gpus = gpu_at("01:00.0", R"(gcn="908" dev="0")", nvlink_to("02:00.0")) +
                           gpu_at("02:00.0", R"(gcn="908" dev="1")", nvlink_to("01:00.0"));
  CHECK(cable_of(nccl_machine_of(one_cpu(gpus)), "gpu0-gpu1") == "xgmi x1 46 GB/s 24 GB/s");
}

TEST_CASE("all NVSwitches are one node, which reduces and multicasts from sm 90 on") {
  const auto file = [](int first, int second) {
    const std::string links =
        nvlink_to("c1:00.0", 5, "0x068000") + nvlink_to("c2:00.0", 4, "0x068000");
    return one_cpu(gpu_at("01:00.0", fmt::format(R"(dev="0" sm="{}")", first), links) +
                   gpu_at("02:00.0", fmt::format(R"(dev="1" sm="{}")", second), links));
  };
  const Topology hopper = nccl_machine_of(file(90, 90));
  CHECK(ids_of(hopper) == Lines{"gpu0", "gpu1", "cpu0", "nvs0"});
  CHECK(cable_of(hopper, "gpu0-nvs0") == "nvlink x9 225 GB/s 185.4 GB/s");
  CHECK(hopper.links().back().spread == Spread::stripe);
  CHECK(hopper.nodes()[hopper.node("nvs0")].abilities == Abilities{true, true});
  const Topology ampere = nccl_machine_of(file(80, 80));
  CHECK(cable_of(ampere, "gpu1-nvs0") == "nvlink x9 225 GB/s 180 GB/s");
  CHECK(ampere.nodes()[ampere.node("nvs0")].abilities == Abilities{});
  const Topology mixed = nccl_machine_of(file(80, 90));
  CHECK(mixed.nodes()[mixed.node("nvs0")].abilities == Abilities{});
}

TEST_CASE("NVLink to a POWER cpu ends at the cpu above, C2C too, with its own bandwidth") {
  const Topology power = nccl_machine_of(one_cpu(bridge_at(
      "04:00.0", gpu_at("01:00.0", R"(dev="0" sm="70")", nvlink_to("0a:00.0", 3, "0x068001")))));
  CHECK(cable_of(power, "gpu0-cpu0") == "nvlink x3 75 GB/s 60 GB/s");
  const Topology grace = nccl_machine_of(
      one_cpu(gpu_at("01:00.0", R"(dev="0" sm="90")", R"(<c2c count="10" bw="44712"/>)")));
  CHECK(cable_of(grace, "gpu0-cpu0@c2c") == "c2c x10 447.12 GB/s 447.12 GB/s");
  CHECK(cable_of(grace, "gpu0-cpu0@pcie") == "pcie x1 15.75 GB/s 12 GB/s");
}

TEST_CASE("bus ids match in either case, with and without a padded domain") {
  const Topology machine = nccl_machine_of(
      one_cpu(gpu_at("0000:0f:00.0", R"(dev="0" sm="70")", nvlink_to("00000000:AB:00.0")) +
              gpu_at("0000:ab:00.0", R"(dev="1" sm="70")", nvlink_to("F:00.0"))));
  CHECK(cable_of(machine, "gpu0-gpu1") == "nvlink x1 25 GB/s 20 GB/s");
}

TEST_CASE("GPUs are ordered by rank, else by dev, else as they stand") {
  const auto order = [](const char* first, const char* second) {
    const Topology machine = nccl_machine_of(
        one_cpu(bridge_at("04:00.0", gpu_at("01:00.0", first)) + gpu_at("02:00.0", second)));
    return cable_of(machine, "gpu0-plx0") == "none" ? "swapped" : "as they stand";
  };
  CHECK(order(R"(rank="0" dev="1")", R"(rank="1" dev="0")") == "as they stand");
  CHECK(order(R"(rank="9" dev="0")", R"(rank="8" dev="1")") == "swapped");
  CHECK(order(R"(dev="3")", R"(dev="1")") == "swapped");
  CHECK(order("", "") == "as they stand");
}

TEST_CASE("nics are ordered by their first port - ports of one nic are one bundle") {
  const Imported imported = import_nccl(one_cpu(
      gpu_at("01:00.0", R"(dev="0")") + nic_at("02:00.0", R"(<net dev="2" speed="25000"/>)") +
      bridge_at("05:00.0", nic_at("03:00.0", R"(<net dev="1" speed="100000" latency="0.5"/>
                                                <net dev="0" speed="50000" latency="2.25"/>
                                                <gin dev="0" speed="50000"/>)"))));
  REQUIRE(imported.warnings.size() == 1);
  CHECK(
      imported.warnings.front().ends_with(": the ports of a nic have 50000 to 100000 Mbit/s; took "
                                          "2 of 75000, which is as much in all"));
  const Topology machine(imported.parts);
  CHECK(cable_of(machine, "nic0-plx0") == "pcie x1 15.75 GB/s 12 GB/s");
  CHECK(cable_of(machine, "nic0-net0") == "network x2 18.75 GB/s 18 GB/s");
  CHECK(cable_of(machine, "nic1-net0") == "network x1 3.125 GB/s 3 GB/s");
  CHECK(machine.links().back().latency == Time{0});
  CHECK(machine.links()[machine.links().size() - 3].latency == Time{2'250'000});
}

TEST_CASE("a bridge above nothing but a bridge is one switch with it, at the slower rate") {
  const std::string gpus = gpu_at("01:00.0", R"(dev="0")") + gpu_at("02:00.0", R"(dev="1")");
  const Topology slow_above =
      nccl_machine_of(one_cpu(bridge_at("04:00.0", bridge_at("05:00.0", gpus, kGen4))));
  CHECK(ids_of(slow_above) == Lines{"gpu0", "gpu1", "cpu0", "plx0"});
  CHECK(cable_of(slow_above, "plx0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  const Topology slow_below = nccl_machine_of(one_cpu(
      bridge_at("04:00.0", bridge_at("05:00.0", bridge_at("06:00.0", gpus, kGen4)), kGen4)));
  CHECK(ids_of(slow_below) == Lines{"gpu0", "gpu1", "cpu0", "plx0"});
  CHECK(cable_of(slow_below, "plx0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  const Topology forked = nccl_machine_of(
      one_cpu(bridge_at("04:00.0", bridge_at("05:00.0", gpus) + nic_at("03:00.0", "<net/>"))));
  CHECK(cable_of(forked, "plx1-plx0") == "pcie x1 15.75 GB/s 12 GB/s");
}

TEST_CASE("the two levels of Broadcom's Gen4 and Gen5 switches are one, as in NCCL") {
  const auto below = [](const char* device, const char* upper, const char* lower) {
    const auto model = [&](const char* subsystem) {
      return fmt::format(R"({} vendor="0x1000" device="{}" subsystem_vendor="0x1000"
                             subsystem_device="{}")",
                         kGen4, device, subsystem);
    };
    const Topology machine = nccl_machine_of(one_cpu(bridge_at(
        "04:00.0",
        bridge_at("05:00.0", gpu_at("01:00.0", R"(dev="0")") + gpu_at("02:00.0", R"(dev="1")"),
                  model(lower)) +
            bridge_at("06:00.0", gpu_at("03:00.0", R"(dev="2")"), model(lower)),
        model(upper))));
    return machine.nodes_of_kind(NodeKind::switch_).size();
  };
  CHECK(below("0xc010", "0xa096", "0xa096") == 1);
  CHECK(below("0xc030", "0x0072", "0x1003") == 1);
  CHECK(below("0xc030", "0x1003", "0x1003") == 3);  // both lower levels
  CHECK(below("0xc010", "0x0072", "0x0072") == 3);
  CHECK(below("0xc020", "0xa096", "0xa096") == 3);
}

TEST_CASE("GPUDirect is off where no GPU has it, or no port") {
  const auto direct = [](const char* gpu, const char* first, const char* second) {
    return nccl_machine_of(one_cpu(gpu_at("01:00.0", fmt::format(R"(dev="0" {})", gpu)) +
                                   nic_at("02:00.0", fmt::format("<net dev=\"0\" {}/>", first)) +
                                   nic_at("03:00.0", fmt::format("<net dev=\"1\" {}/>", second))))
        .routing()
        .gdr;
  };
  const char* on = R"(gdr="1")";
  const char* off = R"(gdr="0")";
  CHECK(direct(on, on, on));
  CHECK(direct("", "", ""));
  CHECK(direct(on, on, off));
  CHECK_FALSE(direct(off, on, on));
  CHECK_FALSE(direct(on, off, off));
  CHECK(nccl_machine_of(one_cpu(gpu_at("01:00.0", R"(gdr="0")"))).routing().gdr);  // no nic
}

TEST_CASE("a profile replaces what the file does not say in figures") {
  const std::string gpus = gpu_at("01:00.0", R"(dev="0" sm="80")", nvlink_to("02:00.0")) +
                           R"(<pci busid="02:00.0" class="0x030200"><gpu dev="1" sm="80"/></pci>)" +
                           nic_at("03:00.0", R"(<net dev="0"/>)");
  const Topology machine(
      import_nccl("<system><cpu numaid=\"0\">" + gpus + "</cpu><cpu numaid=\"1\"/></system>",
                  "hopper")
          .parts);
  CHECK(cable_of(machine, "gpu0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");  // said
  CHECK(cable_of(machine, "gpu1-cpu0") == "pcie x1 63 GB/s 48 GB/s");
  CHECK(cable_of(machine, "gpu0-gpu1") == "nvlink x1 25 GB/s 20.6 GB/s");
  CHECK(cable_of(machine, "cpu0-cpu1") == "socket x1 32 GB/s 22 GB/s");
  CHECK(cable_of(machine, "nic0-net0") == "network x1 50 GB/s 48 GB/s");
}

}  // namespace syncsim::testing::nccl_xml_test
