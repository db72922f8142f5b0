// Machines as NCCL topology XML, and back.

#include "sim/topology/export/nccl_xml.h"

#include <doctest/doctest.h>

#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing {
namespace {

Exported exported(const Topology& topology) { return nccl_xml(topology, shipped_rates()); }

// A machine of our own format: nodes and links in its short form, link types by name.
Topology machine(std::string_view nodes, std::string_view links, std::string_view more = "") {
  return read_machine(fmt::format(
      R"({{"name": "m", "link_types": {{
        "x16": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s"}},
        "odd": {{"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"}},
        "nvlink": {{"kind": "nvlink", "bandwidth": "25 GB/s", "usable": "20 GB/s"}},
        "sum": {{"kind": "nvlink", "bandwidth": "300 GB/s", "usable": "240 GB/s"}},
        "odd_nvlink": {{"kind": "nvlink", "bandwidth": "24 GB/s", "usable": "20 GB/s"}},
        "xgmi": {{"kind": "xgmi", "bandwidth": "50 GB/s", "usable": "36 GB/s"}},
        "socket": {{"kind": "socket", "bandwidth": "16 GB/s"}},
        "qpi": {{"kind": "socket", "bandwidth": "19.2 GB/s", "usable": "6 GB/s"}},
        "slow": {{"kind": "socket", "bandwidth": "15 GB/s"}},
        "c2c": {{"kind": "c2c", "bandwidth": "450 GB/s"}},
        "host": {{"kind": "host", "bandwidth": "20 GB/s"}},
        "net": {{"kind": "network", "bandwidth": "12.5 GB/s", "usable": "12 GB/s"}},
        "late": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s",
                  "latency": "1 us"}},
        "half": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s",
                  "duplex": "half"}}
      }}, "nodes": [{}], "links": [{}] {}}})",
      nodes, links, more));
}

constexpr std::string_view kTwoGpus = R"({"id": "gpu[0-1]", "kind": "gpu"},
                                         {"id": "cpu0", "kind": "cpu"},
                                         {"id": "plx0", "kind": "switch"})";
constexpr std::string_view kBelowSwitch = R"({"between": ["gpu[0-1]", "plx0"], "type": "x16"},
                                             {"between": ["plx0", "cpu0"], "type": "x16"})";

Topology two_gpus(std::string_view nodes, std::string_view links, std::string_view more = "") {
  return machine(fmt::format("{}{}", kTwoGpus, nodes), fmt::format("{}{}", kBelowSwitch, links),
                 more);
}

Lines losses(const Topology& topology) { return exported(topology).warnings; }

// Importing what was exported gives the same machine, and nothing is said to be lost.
void check_fixed_point(const std::string& text) {
  const Topology first = nccl_machine_of(text);
  const Exported written = exported(first);
  CHECK(written.warnings == Lines{});
  CAPTURE(written.text);
  CHECK(portrait(nccl_machine_of(written.text)) == portrait(first));
}

}  // namespace

TEST_CASE("a machine is written as NCCL writes it") {
  const Topology topology = nccl_machine_of(sound_file());
  CHECK(exported(topology).text == R"(<system version="1">
  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85">
    <pci busid="0000:04:00.0" class="0x060400" link_speed="8.0 GT/s PCIe" link_width="16">
      <pci busid="0000:01:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="70" rank="0" gdr="1">
          <nvlink target="0000:02:00.0" count="2" tclass="0x030200"/>
        </gpu>
      </pci>
      <pci busid="0000:02:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16">
        <gpu dev="1" sm="70" rank="1" gdr="1">
          <nvlink target="0000:01:00.0" count="2" tclass="0x030200"/>
        </gpu>
      </pci>
      <pci busid="0000:05:00.0" class="0x020000" link_speed="8.0 GT/s PCIe" link_width="16">
        <nic>
          <net name="nic0" dev="0" speed="100000" port="1" latency="1.500000" gdr="1"/>
        </nic>
      </pci>
    </pci>
  </cpu>
</system>
)");
}

TEST_CASE("import, export, import is a fixed point: PCIe, NVLink, ports") {
  check_fixed_point(sound_file());
  check_fixed_point(one_cpu(gpu_at("01:00.0", "")));
  check_fixed_point(
      one_cpu(gpu_at("01:00.0", R"(rank="7" gdr="0")") +
              nic_at("02:00.0", R"(<net dev="4" speed="100000"/><net dev="3" speed="50001"/>)") +
              nic_at("03:00.0", R"(<net dev="1" speed="25000" latency="0.25" gdr="0"/>)")));
}

TEST_CASE("import, export, import is a fixed point: odd widths and speeds") {
  std::string nics;
  for (const char* speed : {"2.5 GT/s", "5 GT/s", "16 GT/s", "64.0 GT/s PCIe"})
    for (const int width : {1, 2, 3, 4, 8, 12, 13, 16, 24, 31})
      nics += fmt::format(R"(<pci class="0x02" link_speed="{}" link_width="{}"/>)", speed, width);
  check_fixed_point(one_cpu(gpu_at("01:00.0", "") + bridge_at("02:00.0", nics) + nics));
}

TEST_CASE("import, export, import is a fixed point: nics without ports keep their order") {
  const std::string nic = R"(<pci class="0x02" link_speed="8 GT/s" link_width="WIDTH"/>)";
  const auto wide = [&](const char* width) {
    std::string text = nic;
    return text.replace(text.find("WIDTH"), 5, width);
  };
  check_fixed_point("<system><cpu numaid=\"0\">" + wide("1") +
                    bridge_at("02:00.0", wide("2") + gpu_at("01:00.0", "")) + wide("4") +
                    "</cpu><cpu numaid=\"1\">" + wide("8") + "</cpu>" + wide("16") + "</system>");
}

TEST_CASE("import, export, import is a fixed point: sockets, hosts, NVSwitches, C2C, POWER") {
  const auto cpu = [](int numa, const char* host, std::string_view model,
                      const std::string& inside) {
    return fmt::format(R"(<cpu numaid="{}" host_hash="{}" {}>{}</cpu>)", numa, host, model, inside);
  };
  const std::string links =
      nvlink_to("c1:00.0", 18, "0x068000") + R"(<c2c count="10" bw="44712"/>)";
  const std::string hopper = gpu_at("01:00.0", R"(sm="90")", links);
  for (const std::string_view model :
       {kIntel, kAmd, std::string_view(R"(arch="arm64")"), std::string_view(R"(arch="ppc64")"),
        std::string_view(R"(arch="x86_64" vendor="CentaurHauls" familyid="7" modelid="91")"),
        std::string_view(R"(arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="79")"),
        std::string_view(R"(arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143")"),
        std::string_view(R"(arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207")")}) {
    check_fixed_point("<system>" + cpu(5, "0x1", model, hopper) + cpu(2, "0x1", model, "") +
                      cpu(0, "0x1", model, "") + "</system>");
    check_fixed_point("<system>" + cpu(0, "0x1", model, hopper) + cpu(0, "0x2", model, hopper) +
                      cpu(1, "0x2", model, "") + "</system>");
  }
  check_fixed_point(one_cpu(gpu_at("01:00.0", R"(sm="70")", nvlink_to("0a:00.0", 3, "0x068001"))));
}

TEST_CASE("import, export, import is a fixed point: every generation of NVLink and xGMI") {
  for (const int sm : {60, 70, 80, 86, 90, 100}) {
    const std::string generation = fmt::format(R"(sm="{}")", sm);
    check_fixed_point(
        one_cpu(bridge_at("09:00.0", gpu_at("01:00.0", generation, nvlink_to("02:00.0", 3)) +
                                         gpu_at("02:00.0", generation, nvlink_to("01:00.0", 3)))));
    check_fixed_point(one_cpu(gpu_at("01:00.0", generation, nvlink_to("c1:00.0", 12, "0x068000"))));
  }
  for (const char* gcn : {"906", "910", "gfx942"}) {
    const std::string generation = fmt::format(R"(gcn="{}")", gcn);
    check_fixed_point(
        one_cpu(bridge_at("09:00.0", gpu_at("01:00.0", generation, nvlink_to("02:00.0", 3)) +
                                         gpu_at("02:00.0", generation, nvlink_to("01:00.0", 3)))));
  }
}

TEST_CASE("a cpu says its socket links - one alone says no model but Intel's") {
  CHECK(exported(nccl_machine_of(one_cpu(gpu_at("01:00.0", "")))).text.find("GenuineIntel") !=
        std::string::npos);
  const std::string alone = exported(two_gpus("", "")).text;
  CHECK(alone.find("<cpu numaid=\"0\">") != std::string::npos);
  const Topology amd = two_gpus(R"(, {"id": "cpu1", "kind": "cpu"})",
                                R"(, {"between": ["cpu0", "cpu1"], "type": "socket"})");
  CHECK(losses(amd) == Lines{});
  CHECK(exported(amd).text.find(
            R"(<cpu numaid="1" arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1"/>)") !=
        std::string::npos);
}

TEST_CASE("figures that the format has no words for are written as what is nearest") {
  CHECK(losses(machine(kTwoGpus, R"({"between": ["gpu[0-1]", "plx0"], "type": "odd"},
                                    {"between": ["plx0", "cpu0"], "type": "x16"})")) ==
        Lines{"gpu0-plx0 and 1 more: 16 GB/s (12 GB/s usable) is written as 8.0 GT/s PCIe x16, "
              "15.75 GB/s (12 GB/s usable)"});
}

TEST_CASE("cables of other rates, and sums of cables, are written by count") {
  CHECK(losses(
            two_gpus("", R"(, {"between": ["gpu0", "gpu1"], "type": "odd_nvlink", "count": 2})")) ==
        Lines{"gpu0-gpu1: 2 x 24 GB/s (20 GB/s usable) is written as 2 x 25 GB/s (20 GB/s "
              "usable)"});
  const Topology sum = two_gpus("", R"(, {"between": ["gpu0", "gpu1"], "type": "sum"})");
  CHECK(losses(sum) == Lines{"gpu0-gpu1: 1 x 300 GB/s (240 GB/s usable) is written as 12 x 25 GB/s "
                             "(20 GB/s usable)"});
  CHECK(cable_of(nccl_machine_of(exported(sum).text), "gpu0-gpu1") ==
        "nvlink x12 300 GB/s 240 GB/s");
}

TEST_CASE("sockets that no cpu has, and cpus that are not all joined, are told") {
  constexpr std::string_view kCpus = R"(, {"id": "cpu[1-2]", "kind": "cpu"})";
  CHECK(losses(two_gpus(R"(, {"id": "cpu1", "kind": "cpu"})",
                        R"(, {"between": ["cpu0", "cpu1"], "type": "slow"})")) ==
        Lines{"cpu0-cpu1: 15 GB/s (15 GB/s usable) is written as a cpu whose socket links have 16 "
              "GB/s (16 GB/s usable)"});
  CHECK(losses(two_gpus(kCpus, R"(, {"between": ["cpu0", "cpu[1-2]"], "type": "socket"})")) ==
        Lines{"cpu0: not all cpus that it reaches are joined in pairs, as a reader takes them"});
  CHECK(losses(two_gpus(R"(, {"id": "cpu1", "kind": "cpu"})",
                        R"(, {"between": ["cpu0", "cpu1"], "type": "qpi"})")) ==
        Lines{"cpu0 and 1 more: a peer cost of 1 is read as 1.2"});
  CHECK(losses(two_gpus(R"(, {"id": "cpu1", "kind": "cpu", "peer_cost": 1.5})",
                        R"(, {"between": ["cpu0", "cpu1"], "type": "socket"})")) ==
        Lines{"cpu1: a peer cost of 1.5 is read as 1"});
  CHECK(losses(two_gpus("", R"(, {"between": ["gpu0", "cpu0"], "type": "socket"})")) ==
        Lines{"gpu0-cpu0: a socket link that does not join two cpus is left out"});
}

TEST_CASE("NVSwitches are read as one, with the abilities of the GPUs' generation") {
  const Topology switches =
      two_gpus(R"(, {"id": "nvs[0-1]", "kind": "switch", "abilities": ["reduce"]})",
               R"(, {"between": ["gpu0", "nvs[0-1]"], "type": "nvlink", "count": 9},
         {"between": ["gpu1", "nvs[0-1]"], "type": "nvlink", "count": 9},
         {"between": ["nvs0", "nvs1"], "type": "nvlink"})");
  const Lines told = losses(switches);
  CHECK(told ==
        Lines{"gpu0-nvs0 and 3 more: 9 x 25 GB/s (20 GB/s usable) is written as 9 x 25 GB/s "
              "(20.6 GB/s usable)",
              "nvs0-nvs1: a cable that joins neither two gpus nor a gpu and a switch is "
              "left out",
              "2 NVSwitches are read as one",
              "nvs0 and 1 more: a reader takes it to reduce and multicast"});
  CHECK(cable_of(nccl_machine_of(exported(switches).text), "gpu0-nvs0") ==
        "nvlink x18 450 GB/s 370.8 GB/s");
}

TEST_CASE("cables that the format does not know are left out") {
  const auto lost = [](const char* nodes, const char* links) {
    return losses(two_gpus(nodes, links));
  };
  CHECK(lost(R"(, {"id": "nvs0", "kind": "switch"})",
             R"(, {"between": ["gpu[0-1]", "nvs0"], "type": "xgmi"})")
            .front() ==
        "gpu0-nvs0 and 1 more: a cable that joins neither two gpus nor a gpu and a switch is left "
        "out");
  CHECK(lost("", R"(, {"between": ["gpu0", "gpu1"], "type": "xgmi"},
                    {"between": ["gpu0", "gpu1"], "type": "nvlink"})") ==
        Lines{"gpu0-gpu1@nvlink: NVLink beside xGMI is left out"});
  CHECK(lost(R"(, {"id": "cpu1", "kind": "cpu"})",
             R"(, {"between": ["gpu0", "cpu1"], "type": "c2c"})") ==
        Lines{"gpu0-cpu1: a C2C link to another than the gpu's own cpu is left out"});
  CHECK(lost("", R"(, {"between": ["gpu0", "cpu0"], "type": "host"})") ==
        Lines{"gpu0-cpu0: a link of kind host is left out"});
}

TEST_CASE("devices that no PCIe link leads to a cpu hang below one") {
  const Topology loose =
      machine(R"({"id": "gpu[0-1]", "kind": "gpu"}, {"id": "cpu[0-1]", "kind": "cpu"})",
              R"({"between": ["gpu0", "gpu1"], "type": "nvlink"},
         {"between": ["cpu0", "cpu1"], "type": "socket"},
         {"between": ["gpu1", "cpu1"], "type": "c2c"})");
  CHECK(losses(loose) ==
        Lines{"gpu0 and 1 more: no PCIe link leads to a cpu; wrote link_speed=\"8.0 "
              "GT/s PCIe\" link_width=\"16\""});
  const Topology read = nccl_machine_of(exported(loose).text);
  CHECK(cable_of(read, "gpu0-cpu0") == "pcie x1 15.75 GB/s 12 GB/s");
  CHECK(cable_of(read, "gpu1-cpu1@c2c") == "c2c x1 450 GB/s 450 GB/s");
  const Topology no_cpu = machine(R"({"id": "gpu[0-1]", "kind": "gpu"},
                                     {"id": "plx0", "kind": "switch"})",
                                  R"({"between": ["gpu[0-1]", "plx0"], "type": "x16"})");
  CHECK(losses(no_cpu).front() ==
        "plx0: no PCIe link leads to a cpu; wrote link_speed=\"8.0 GT/s PCIe\" link_width=\"16\"");
  CHECK(ids_of(nccl_machine_of(exported(no_cpu).text)) == Lines{"gpu0", "gpu1", "cpu0", "plx0"});
}

TEST_CASE("a network beyond the nics is left out") {
  constexpr std::string_view kNics = R"(, {"id": "nic[0-1]", "kind": "nic"},
                                        {"id": "leaf", "kind": "switch"},
                                        {"id": "spine", "kind": "switch"})";
  const Topology fabric = two_gpus(kNics, R"(, {"between": ["nic[0-1]", "plx0"], "type": "x16"},
                         {"between": ["nic[0-1]", "leaf"], "type": "net", "count": 2},
                         {"between": ["leaf", "spine"], "type": "net"})");
  CHECK(losses(fabric) ==
        Lines{"leaf-spine: a network link beyond the nics is left out",
              "leaf: the network beyond the nics is left out, but for their speed",
              "spine: a switch that no PCIe link, gpu or nic reaches is left out"});
  CHECK(cable_of(nccl_machine_of(exported(fabric).text), "nic1-net0") ==
        "network x2 25 GB/s 24 GB/s");
}

TEST_CASE("what else a machine says is told once") {
  CHECK(
      losses(machine(R"({"id": "gpu[0-1]", "kind": "gpu", "forwards": true},
                          {"id": "cpu0", "kind": "cpu", "transit_bandwidth": "20 GB/s"},
                          {"id": "plx[0-1]", "kind": "switch"})",
                     R"({"between": ["gpu[0-1]", "plx0"], "type": "late"},
                          {"between": ["plx1", "cpu0"], "type": "half"},
                          {"between": ["plx0", "plx1"], "type": "x16"})",
                     R"(, "ranks": ["gpu1", "cpu0"], "routing": {"p2p": "PXB", "gdr": false})")) ==
      Lines{"cpu0: transit and reduce bandwidths are left out",
            "gpu0 and 1 more: whether it forwards is left out",
            "gpu0-plx0 and 1 more: latency and overhead are left out",
            "plx1-cpu0: half duplex is left out",
            "plx1: a reader takes a PCIe switch above nothing but another for one with it",
            "gpu0 and 1 more: a reader takes the gpus for ranks",
            "routing: P2P up to PXB is left out; NCCL goes as far by default",
            "routing: gdr is left out, as no nic has a network link"});
  CHECK(losses(two_gpus(R"(, {"id": "plx1", "kind": "switch"})",
                        R"(, {"between": ["plx1", "cpu0"], "type": "x16"})")) ==
        Lines{"plx1: a reader leaves out a PCIe switch with nothing below it"});
}

TEST_CASE("every rule of routing that is left out is named") {
  const auto lost = [](const std::string& routing) {
    return losses(two_gpus(R"(, {"id": "nic[0-1]", "kind": "nic"})",
                           R"(, {"between": ["nic[0-1]", "plx0"], "type": "x16"})",
                           R"(, "routing": {)" + routing + "}"));
  };
  const auto level = [](const std::string& name) {
    return Lines{"routing: P2P up to " + name +
                 " is left out; NCCL goes up to PXB by default, or up to " + name +
                 " with NCCL_P2P_LEVEL=" + name};
  };
  for (const char* name : {"LOC", "NVL", "PIX", "PHB"})
    CHECK(lost(fmt::format(R"("p2p": "{}")", name)) == level(name));
  CHECK(lost(R"("p2p": "SYS")") == Lines{});
  CHECK(lost(R"("acs": true)") ==
        Lines{"routing: ACS is left out; a reader lets PCIe switches pass peers straight through"});
  CHECK(lost(R"("relays": ["nvb", "pxn"])") ==
        Lines{"routing: relay nvb is left out", "routing: relay pxn is left out"});
  CHECK(lost(R"("nics": {"gpu0": "nic1", "gpu1": "nic0"})") ==
        Lines{"gpu0 and 1 more: the nic chosen for it is left out"});
}

TEST_CASE("machines that are no tree below cpus, or have no gpu, are refused") {
  const auto refusal = [](const Topology& topology) {
    return refusal_of([&] { exported(topology); });
  };
  CHECK(refusal(two_gpus("", R"(, {"between": ["gpu0", "cpu0"], "type": "x16"})")) ==
        "gpu0-plx0 is no branch of a tree of PCIe links below the cpus; NCCL's format has one way "
        "from each device to its cpu: remove the others");
  CHECK(refusal(machine(R"({"id": "cpu[0-1]", "kind": "cpu"})",
                        R"({"between": ["cpu0", "cpu1"], "type": "socket"})",
                        R"(, "ranks": ["cpu[0-1]"])")) ==
        "there is no gpu; NCCL's format tells of machines with gpus");
  std::string nodes = R"({"id": "gpu0", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"},
                         {"id": "s[0-99]", "kind": "switch"})";
  std::string links = R"({"between": ["gpu0", "s99"], "type": "x16"},
                         {"between": ["s0", "cpu0"], "type": "x16"},
                         {"between": ["s[0-98]", "s[1-99]"], "type": "x16"})";
  CHECK(refusal(machine(nodes, links)) ==
        "s57 is nested too deep in PCIe switches; no PCI tree is that deep");
  CHECK(refusal(machine(R"({"id": "gpu0", "kind": "gpu"}, {"id": "cpu[0-1024]", "kind": "cpu"})",
                        R"({"between": ["gpu0", "cpu0"], "type": "x16"})")) ==
        "there are 1025 cpus; write machines of at most 1024");
}

TEST_CASE("machines of the shelf are written, and read back as a machine that stays") {
  for (const char* name : {"dgx1v", "dgx2", "p3_textbook", "pcie_4gpu", "pcie_8gpu"}) {
    CAPTURE(name);
    const Topology shipped = load_topology(name, SYNCSIM_SHELF);
    const Topology read = nccl_machine_of(exported(shipped).text);
    CHECK(read.ranks().size() == shipped.nodes_of_kind(NodeKind::gpu).size());
    CHECK(portrait(nccl_machine_of(exported(read).text)) == portrait(read));
  }
}

}  // namespace syncsim::testing
