// What is odd in a NCCL topology file: the warning with its place, and what is taken.

#include <doctest/doctest.h>

#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_oddities_test {
namespace {

const std::string kGpu = gpu_at("01:00.0", R"(dev="0")");

// One cpu with a sound GPU in line 2 and `inside` in line 3; a switch, so that no tree is flat.
std::string beside_gpu(std::string_view inside) {
  return one_cpu(bridge_at("09:00.0", kGpu) + "\n" + std::string(inside));
}

std::string pci(std::string_view attributes) {
  return fmt::format(R"(<pci busid="02:00.0" class="0x020000" {}/>)", attributes);
}

const std::string kSilentNic =
    "a nic has no <net>, so its network speed is not known; took no network link";

}  // namespace

TEST_CASE("a missing or unknown link speed is NCCL's Gen3") {
  struct Row {
    const char* attributes;
    const char* found;
  };
  for (const Row& row :
       {Row{R"(link_width="16")", "missing"}, Row{R"(link_speed="" link_width="16")", "missing"},
        Row{R"(link_speed="Unknown" link_width="16")", "\"Unknown\", no speed of PCIe 1 to 6"},
        Row{R"(link_speed="7 GT/s" link_width="16")", "\"7 GT/s\", no speed of PCIe 1 to 6"},
        Row{R"(link_speed="16 GB/s" link_width="16")", "\"16 GB/s\", no speed of PCIe 1 to 6"},
        Row{R"(link_speed="-8 GT/s" link_width="16")", "\"-8 GT/s\", no speed of PCIe 1 to 6"}}) {
    const std::string file = beside_gpu(pci(row.attributes));
    CHECK(warnings_of(file) ==
          Lines{fmt::format("t.xml:3:1: link_speed is {}; took 8.0 GT/s PCIe, as NCCL does",
                            row.found),
                "t.xml:3:1: " + kSilentNic});
    CHECK(cable_of(nccl_machine_of(file), "nic0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  }
  CHECK(warnings_of(beside_gpu(pci(R"(link_width="16")")), "ampere").front() ==
        "t.xml:3:1: link_speed is missing; took 16.0 GT/s PCIe, as of profile ampere");
}

TEST_CASE("a width of no lanes, of too many, or of no number is x16") {
  struct Row {
    const char* attributes;
    const char* found;
  };
  for (const Row& row :
       {Row{R"(link_speed="8 GT/s")", "missing"}, Row{R"(link_speed="8 GT/s" link_width="0")", "0"},
        Row{R"(link_speed="8 GT/s" link_width="255")", "255"},
        Row{R"(link_speed="8 GT/s" link_width="-4")", "-4"},
        Row{R"(link_speed="8 GT/s" link_width="x8")", "x8"},
        Row{R"(link_speed="8 GT/s" link_width="99999999999999999999")", "99999999999999999999"}}) {
    const std::string file = beside_gpu(pci(row.attributes));
    CHECK(warnings_of(file) ==
          Lines{fmt::format("t.xml:3:1: link_width is {}; took x16", row.found),
                "t.xml:3:1: " + kSilentNic});
    CHECK(cable_of(nccl_machine_of(file), "nic0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  }
}

TEST_CASE("the same oddity is told once, at its first place, with how often it occurs") {
  const std::string nic = pci(R"(link_speed="8 GT/s" link_width="0" )");
  CHECK(warnings_of(beside_gpu(nic + nic + nic)) ==
        Lines{"t.xml:3:1: link_width is 0; took x16 (and 2 more like it)",
              "t.xml:3:1: " + kSilentNic + " (and 2 more like it)",
              fmt::format("t.xml:3:{}: busid \"0000:02:00.0\" stands here again; took two devices, "
                          "the first is meant where it is a target (and 1 more like it)",
                          1 + nic.size())});
}

TEST_CASE("an idle GPU's Gen1 gives way to the fastest GPU, its bridge, its generation, Gen3") {
  const auto gpu = [](const char* bus_id, const char* speed, const char* attributes) {
    return fmt::format(R"(<pci busid="{}" class="0x030200" link_speed="{}" link_width="16"><gpu
                           {}/></pci>)",
                       bus_id, speed, attributes);
  };
  const auto bridge = [](const char* speed, const std::string& inside) {
    return bridge_at("09:00.0", inside, fmt::format(R"(link_speed="{}" link_width="16")", speed));
  };
  struct Row {
    std::string inside;
    std::string taken;
    const char* line;
  };
  for (const Row& row :
       {Row{bridge("8.0 GT/s", gpu("01:00.0", "2.5 GT/s", R"(dev="0")") +
                                   gpu("02:00.0", "16.0 GT/s", R"(dev="1")")),
            "16.0 GT/s PCIe, as the fastest GPU has", "pcie x1 31.5 GB/s 24 GB/s"},
        Row{bridge("16.0 GT/s", gpu("01:00.0", "2.5 GT/s", "")),
            "16.0 GT/s PCIe, as its bridge has", "pcie x1 31.5 GB/s 24 GB/s"},
        Row{bridge("2.5 GT/s", gpu("01:00.0", "2.5 GT/s", R"(sm="90")")),
            "32.0 GT/s PCIe, as of profile hopper", "pcie x1 63 GB/s 48 GB/s"},
        Row{bridge("2.5 GT/s", gpu("01:00.0", "2.5 GT/s", "")),
            "8.0 GT/s PCIe, as for unknown speeds", "pcie x1 15.75 GB/s 12 GB/s"}}) {
    CAPTURE(row.taken);
    const Imported imported = import_nccl(one_cpu(row.inside));
    bool told = false;
    for (const std::string& warning : imported.warnings)
      told |= warning.find("the link of a GPU is at 2.5 GT/s PCIe, as it is while idle; took " +
                           row.taken) != std::string::npos;
    CHECK(told);
    CHECK(cable_of(Topology(imported.parts), "gpu0-plx0") == row.line);
  }
}

TEST_CASE("an idle bridge's Gen1 gives way to the GPU below it - Gen2 stays, as in NCCL") {
  const auto below = [](const char* speed) {
    return one_cpu(
        bridge_at("09:00.0", kGpu, fmt::format(R"(link_speed="{}" link_width="16")", speed)));
  };
  CHECK(warnings_of(below("2.5 GT/s")) ==
        Lines{"t.xml:2:1: the link of a bridge is at 2.5 GT/s PCIe, as it is while idle; took 8.0 "
              "GT/s PCIe, as the GPU below it has"});
  CHECK(cable_of(nccl_machine_of(below("2.5 GT/s")), "plx0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  CHECK(warnings_of(below("5.0 GT/s PCIe")) ==
        Lines{"t.xml:2:1: the link of a bridge is at 5.0 GT/s PCIe, slower than all below it; took "
              "it as it stands, as NCCL does"});
  CHECK(cable_of(nccl_machine_of(below("5 GT/s")), "plx0-cpu0") == "pcie x1 8 GB/s 6 GB/s");
}

TEST_CASE("GPUs without any switch may be a virtual machine's") {
  const std::string links[] = {nvlink_to("02:00.0"), nvlink_to("01:00.0")};
  const Lines flat = warnings_of(one_cpu(gpu_at("01:00.0", R"(dev="0" sm="80")", links[0]) +
                                         gpu_at("02:00.0", R"(dev="1" sm="80")", links[1])));
  CHECK(flat == Lines{"t.xml:1:21: there is no PCIe switch: took a root port for every device, "
                      "though a virtual machine may hide the switches"});
  CHECK(warnings_of(one_cpu(kGpu)) == Lines{});
}

TEST_CASE("an unknown cpu is joined as AMD's") {
  const auto cpus = [](const char* attributes) {
    return fmt::format("<system><cpu numaid=\"0\" {0}>{1}</cpu><cpu numaid=\"1\" {0}/></system>",
                       attributes, bridge_at("09:00.0", kGpu));
  };
  struct Row {
    const char* attributes;
    const char* warning;
  };
  for (const Row& row :
       {Row{"", R"(arch "" and vendor "")"},
        Row{R"(arch="x86_64" vendor="HygonGenuine")", R"(arch "x86_64" and vendor "HygonGenuine")"},
        Row{R"(arch="riscv64")", R"(arch "riscv64" and vendor "")"}}) {
    CHECK(warnings_of(cpus(row.attributes)) ==
          Lines{fmt::format("t.xml:1:9: no socket link is known for {}; took socket_amd (and 1 "
                            "more like it)",
                            row.warning)});
    CHECK(cable_of(nccl_machine_of(cpus(row.attributes)), "cpu0-cpu1") ==
          "socket x1 16 GB/s 16 GB/s");
  }
  CHECK(warnings_of(cpus(R"(arch="x86_64" vendor="GenuineIntel")")) ==
        Lines{"t.xml:1:9: familyid is missing; took socket_intel_bdw (and 1 more like it)"});
}

TEST_CASE("cpus without NUMA nodes of their own are numbered as they stand") {
  const auto file = [](const char* first, const char* second) {
    return fmt::format("<system><cpu {1} {0}>{3}</cpu><cpu {2} {0}/></system>", kAmd, first, second,
                       bridge_at("09:00.0", kGpu));
  };
  const Lines told = {
      "t.xml:1:9: numaid is missing, negative or doubled; numbered the cpus in "
      "file order"};
  CHECK(warnings_of(file("", "")) == told);
  CHECK(warnings_of(file(R"(numaid="1")", R"(numaid="1")")) == told);
  CHECK(warnings_of(file(R"(numaid="-1")", R"(numaid="4")")) == told);
  CHECK(cable_of(nccl_machine_of(file("", "")), "cpu0-cpu1") != "none");
  const Lines hosts = {
      "t.xml:1:9: numaid is doubled, as host_hash tells of 2 hosts; numbered the cpus in file "
      "order"};
  CHECK(warnings_of(file(R"(numaid="0" host_hash="0x1")", R"(numaid="0" host_hash="0x2")")) ==
        hosts);
  CHECK(warnings_of(file(R"(numaid="-1" host_hash="0x1")", R"(numaid="0" host_hash="0x2")")) ==
        told);
  CHECK(warnings_of(file(R"(numaid="0" host_hash="0x1")", R"(numaid="1" host_hash="0x2")")) ==
        Lines{});
}

TEST_CASE("what stands in no cpu, or in no system, gets one") {
  CHECK(warnings_of("<system>" + kGpu + "</system>") ==
        Lines{"t.xml:1:9: <pci> stands in no <cpu>; took cpu0 for it",
              R"(t.xml:1:9: no socket link is known for arch "" and vendor ""; took socket_amd)"});
  CHECK(warnings_of(fmt::format("<cpu numaid=\"0\" {}>{}</cpu>", kAmd, kGpu)) ==
        Lines{"t.xml:1:1: the root is <cpu>, a part of a file; took it for all"});
  CHECK(cables_of(nccl_machine_of(kGpu)) == Lines{"gpu0-cpu0 pcie x1 15.75 GB/s 12 GB/s"});
}

TEST_CASE("an unknown generation has NCCL's NVLink, or the newest xGMI") {
  const auto pair = [](const char* attributes, const char* element) {
    const auto gpu = [&](const char* bus_id, const char* target) {
      return gpu_at(
          bus_id, attributes,
          fmt::format(R"(<{} target="{}" count="1" tclass="0x030200"/>)", element, target));
    };
    return one_cpu(bridge_at("09:00.0", gpu("01:00.0", "02:00.0") + gpu("02:00.0", "01:00.0")));
  };
  const std::string place = fmt::format("t.xml:2:{}: ", bridge_at("09:00.0", "").find("</") + 1);
  CHECK(warnings_of(pair("", "nvlink")) ==
        Lines{place +
              "sm is missing, which no NVLink is known for; took nvlink3, as NCCL does (and "
              "1 more like it)"});
  CHECK(warnings_of(pair(R"(sm="52")", "nvlink")) ==
        Lines{place + "sm is 52, which no NVLink is known for; took nvlink3, as NCCL does (and 1 "
                      "more like it)"});
  CHECK(warnings_of(pair(R"(gcn="gfx1100")", "xgmi")) ==
        Lines{place + "gcn is \"gfx1100\", which no xGMI link is known for; took xgmi_mi300 (and 1 "
                      "more like it)"});
  CHECK(warnings_of(pair(R"(sm="7")", "xgmi")) ==
        Lines{place + "sm is \"7\", which no xGMI link is known for; took xgmi_mi300 (and 1 more "
                      "like it)"});
  CHECK(warnings_of(pair("", "xgmi")) ==
        Lines{place +
              "gcn is missing, which no xGMI link is known for; took xgmi_mi300 (and 1 more "
              "like it)"});
  CHECK(cable_of(nccl_machine_of(pair("", "nvlink")), "gpu0-gpu1") == "nvlink x1 25 GB/s 20 GB/s");
}

TEST_CASE("a second root, and a version that nobody writes, are told") {
  const std::string cpu = fmt::format(R"(<cpu numaid="0" {}>{}</cpu>)", kAmd, kGpu);
  const std::string system = "<system>" + cpu + "</system>";
  CHECK(warnings_of(system + "\n" + system) ==
        Lines{"t.xml:2:1: <system> stands beside the root, <system>; took that one alone"});
  CHECK(ids_of(nccl_machine_of(system + system)) == Lines{"gpu0", "cpu0"});
  CHECK(warnings_of("<graphs/>\n" + system) ==
        Lines{"t.xml:1:1: <graphs> stands beside the root, <system>; took that one alone"});
  const auto of_version = [&](const std::string& version) {
    return warnings_of("<system version=\"" + version + "\">" + cpu + "</system>");
  };
  CHECK(of_version("1") == Lines{});
  CHECK(of_version("2") == Lines{});
  CHECK(of_version("99") ==
        Lines{R"(t.xml:1:1: version is "99", and 1 and 2 are known; read it as these)"});
}

TEST_CASE("a width that PCIe has not is taken as it stands, and told") {
  const auto nic = [](int width) {
    return one_cpu(gpu_at("01:00.0", "") +
                   fmt::format("\n<pci busid=\"02:00.0\" class=\"0x020000\" link_speed=\"8.0 "
                               "GT/s PCIe\" link_width=\"{}\"/>",
                               width));
  };
  CHECK(warnings_of(nic(3)).front() ==
        "t.xml:3:1: link_width is 3, which no PCIe link has; took it as it stands");
  const Lines usual = warnings_of(nic(12));
  CHECK(warnings_of(nic(3)).size() == usual.size() + 1);
}

TEST_CASE("ends that contradict each other, or tell of one side, are settled") {
  const auto pair = [](const std::string& one, const std::string& other) {
    return one_cpu("\n" + bridge_at("09:00.0", "\n" + gpu_at("01:00.0", R"(sm="80")", one) + "\n" +
                                                   gpu_at("02:00.0", R"(sm="80")", other)));
  };
  const auto first = [](std::string_view what) {
    return Lines{
        fmt::format("t.xml:4:{}: {}", 1 + gpu_at("01:00.0", R"(sm="80")").find("</gpu>"), what)};
  };
  const std::string to_other = nvlink_to("02:00.0", 2);
  CHECK(warnings_of(pair(to_other, nvlink_to("01:00.0", 4))) ==
        first("the ends count 2 and 4 cables; took the larger"));
  CHECK(cable_of(nccl_machine_of(pair(to_other, nvlink_to("01:00.0", 4))), "gpu0-gpu1") ==
        "nvlink x4 100 GB/s 80 GB/s");
  CHECK(warnings_of(pair(to_other, "")) ==
        first("the other end does not tell of this cable; took it both ways"));
  CHECK(cable_of(nccl_machine_of(pair(to_other, "")), "gpu0-gpu1") == "nvlink x2 50 GB/s 40 GB/s");
  // NCCL adds up what stands twice.
  CHECK(cable_of(nccl_machine_of(pair(to_other + to_other, nvlink_to("01:00.0", 4))),
                 "gpu0-gpu1") == "nvlink x4 100 GB/s 80 GB/s");
  CHECK(warnings_of(pair(nvlink_to("77:00.0"), "")).back() ==
        first("the target is no GPU of this file; left the cable out").front());
  CHECK(warnings_of(pair(nvlink_to("01:00.0"), "")).back() ==
        first("a GPU is joined to itself; left it out").front());
  CHECK(
      warnings_of(pair(R"(<nvlink target="77:00.0" count="4"/>)", "")) ==
      first("tclass is missing and no GPU has this busid; took an NVSwitch for it, as NCCL does"));
  CHECK(warnings_of(pair(nvlink_to("77:00.0", 1, "0x060400"), "")) ==
        first("tclass \"0x060400\" is no GPU's; took an NVSwitch's"));
  CHECK(warnings_of(pair(nvlink_to("02:00.0", 0), nvlink_to("01:00.0", 1))).front() ==
        first("count is 0; left it out").front());
  CHECK(warnings_of(pair(R"(<nvlink target="02:00.0" tclass="0x03"/>)", nvlink_to("01:00.0"))) ==
        first("count is missing; took 1"));
  CHECK(warnings_of(pair(R"(<nvlink target="02:00.0" count="two" tclass="0x03"/>)",
                         nvlink_to("01:00.0"))) ==
        first("count is \"two\", no whole number; took 1"));
  CHECK(warnings_of(pair(R"(<c2c count="10"/>)", "")).back() ==
        first("a <c2c> without count and bw says no bandwidth; left it out").front());
}

}  // namespace syncsim::testing::nccl_oddities_test
