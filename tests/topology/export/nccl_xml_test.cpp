// Machines as NCCL topology XML, and back.

#include "sim/topology/export/nccl_xml.h"

#include <doctest/doctest.h>

#include "sim/topology/connected.h"
#include "sim/topology/edits.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/export/nccl_export_support.h"

namespace syncsim::testing::nccl_xml_test {
namespace {

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

TEST_CASE("cpus whose gpus are cabled to each other are one machine, without sockets too") {
  const std::string nodes =
      R"({"id": "gpu[0-1]", "kind": "gpu"}, {"id": "cpu[0-1]", "kind": "cpu"})";
  const std::string below = R"({"between": ["gpu[0-1]", "cpu[0-1]"], "type": "x16"})";
  const Topology cabled =
      machine(nodes, below + R"(, {"between": ["gpu0", "gpu1"], "type": "nvlink", "count": 6})");
  const Exported written = exported(cabled);
  CHECK(written.text.find("host_hash") == std::string::npos);
  CHECK(written.warnings ==
        Lines{"cpu0: not all cpus that it reaches are joined in pairs, as a reader takes them"});
  CHECK(cable_of(nccl_machine_of(written.text), "gpu0-gpu1") == "nvlink x6 150 GB/s 120 GB/s");
  const Topology apart =
      machine(nodes + R"(, {"id": "nvs0", "kind": "switch"})",
              below + R"(, {"between": ["gpu[0-1]", "nvs0"], "type": "nvlink"})");
  CHECK(exported(apart).text.find(R"(host_hash="0x1")") != std::string::npos);
}

TEST_CASE("the shelf's machines reach all gpus when their sockets are gone and they come back") {
  for (const char* name : {"gh200_quad", "mi300x", "v100_quad"}) {
    CAPTURE(name);
    const std::vector<Edit> edits = {parse_edit("remove kind:socket")};
    const Topology cut = apply_edits(load_topology(name, SYNCSIM_SHELF), edits);
    CHECK(!first_cut_off_pair(nccl_machine_of(exported(cut).text)));
  }
}

TEST_CASE("a cpu with C2C is written as ARM") {
  const std::string text = exported(load_topology("gh200_quad", SYNCSIM_SHELF)).text;
  CHECK(text.find(R"(<cpu numaid="3" arch="arm64">)") != std::string::npos);
  CHECK(text.find("ppc64") == std::string::npos);
  CHECK(exported(two_gpus("", R"(, {"between": ["gpu0", "cpu0"], "type": "c2c"})"))
            .text.find(R"(<cpu numaid="0" arch="arm64">)") != std::string::npos);
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

}  // namespace syncsim::testing::nccl_xml_test
