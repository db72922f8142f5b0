// Odd devices and nics in a NCCL topology file: what is left out, and what is taken.

#include <doctest/doctest.h>

#include <vector>

#include "sim/topology/edits.h"
#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_devices_test {
namespace {

const std::string kGpu = gpu_at("01:00.0", R"(dev="0")");

std::string beside_gpu(std::string_view inside) {
  return one_cpu(bridge_at("09:00.0", kGpu) + "\n" + std::string(inside));
}

// The warnings of a <net> with these attributes, which stands in line 4.
Lines of_net(std::string_view attributes, const std::string& profile = "") {
  return warnings_of(beside_gpu(nic_at("02:00.0", fmt::format("\n<net {}/>", attributes))),
                     profile);
}

std::string network_of(std::string_view attributes) {
  const Topology machine =
      nccl_machine_of(beside_gpu(nic_at("02:00.0", fmt::format("\n<net {}/>", attributes))));
  return cable_of(machine, "nic0-net0");
}

// A device of a class, in file order of a machine without any <gpu>.
std::string hint(std::string_view bus_id, std::string_view pci_class) {
  return fmt::format("<pci busid=\"{}\" class=\"{}\" {}/>\n", bus_id, pci_class, kGen3);
}

}  // namespace

TEST_CASE("a port without a speed has NCCL's 10 Gbit/s") {
  CHECK(of_net("") == Lines{"t.xml:4:1: speed is missing; took 10000 Mbit/s, as NCCL does"});
  CHECK(of_net(R"(speed="0")") == Lines{"t.xml:4:1: speed is 0; took 10000 Mbit/s, as NCCL does"});
  CHECK(of_net(R"(speed="-1")") ==
        Lines{"t.xml:4:1: speed is -1; took 10000 Mbit/s, as NCCL does"});
  CHECK(of_net(R"(speed="fast")") ==
        Lines{"t.xml:4:1: speed is \"fast\", no whole number; took it as missing",
              "t.xml:4:1: speed is fast; took 10000 Mbit/s, as NCCL does"});
  CHECK(network_of(R"(speed="-1")") == "network x1 1.25 GB/s 1.2 GB/s");
  CHECK(of_net("", "ampere") ==
        Lines{"t.xml:4:1: speed is missing; took network_200g, as of profile ampere"});
}

TEST_CASE("a speed beyond any nic's is taken for kbit/s") {
  CHECK(of_net(R"(speed="10000000")") == Lines{});
  CHECK(of_net(R"(speed="200000000")") ==
        Lines{"t.xml:4:1: speed is 200000000 Mbit/s, more than any nic has; took 200000 Mbit/s, as "
              "if it were in kbit/s"});
  CHECK(network_of(R"(speed="200000000")") == "network x1 25 GB/s 24 GB/s");
}

TEST_CASE("a latency that is none is 0") {
  CHECK(of_net(R"(speed="1000" latency="0.000000")") == Lines{});
  for (const char* latency : {"-1", "nan", "inf", "2000000", "soon", "1.5us"})
    CHECK(of_net(fmt::format(R"(speed="1000" latency="{}")", latency)) ==
          Lines{fmt::format("t.xml:4:1: latency is \"{}\", no microseconds from 0 to 1000000; took "
                            "0",
                            latency)});
}

TEST_CASE("a port that is part of another, or marked as pruned, is left out") {
  CHECK(of_net(R"(speed="1000" net="0")") ==
        Lines{"t.xml:3:1: a nic has no <net>, so its network speed is not known; took no network "
              "link",
              "t.xml:4:1: net is 0, this port is part of another <net>; left it out"});
  CHECK(of_net(R"(speed="1000" keep="0")").back() == "t.xml:4:1: keep is 0; left it out");
  CHECK(of_net(R"(speed="1000" keep="1")") == Lines{});
}

TEST_CASE("gdr of some ports alone is gdr of all") {
  const std::string nics = nic_at("02:00.0", R"(<net dev="0" speed="1000" gdr="1"/>)") + "\n" +
                           nic_at("03:00.0", R"(<net dev="1" speed="1000" gdr="0"/>)");
  CHECK(warnings_of(beside_gpu(nics)) ==
        Lines{"t.xml:4:1: gdr is 0 here and not elsewhere; took 1 for all"});
}

TEST_CASE("a nic without a PCI device has the slowest PCIe that carries its ports") {
  const auto speed = [](const char* mbit) {
    return beside_gpu(fmt::format("<nic><net name=\"eth0\" dev=\"0\" speed=\"{}\"/></nic>", mbit));
  };
  struct Row {
    const char* mbit;
    const char* taken;
    const char* line;
  };
  for (const Row& row : {Row{"10000", "8.0 GT/s PCIe", "pcie x1 15.75 GB/s 12 GB/s"},
                         Row{"200000", "16.0 GT/s PCIe", "pcie x1 31.5 GB/s 24 GB/s"},
                         Row{"9000000", "64.0 GT/s PCIe", "pcie x1 126 GB/s 96 GB/s"}}) {
    CHECK(warnings_of(speed(row.mbit)) ==
          Lines{fmt::format("t.xml:3:1: a nic stands below its cpu without a PCI device; took {} "
                            "x16, which carries its ports",
                            row.taken)});
    CHECK(cable_of(nccl_machine_of(speed(row.mbit)), "nic0-cpu0") == row.line);
  }
}

TEST_CASE("devices that carry no traffic of GPUs or nics are left out") {
  struct Row {
    const char* pci_class;
    const char* why;
  };
  for (const Row& row : {Row{"0x010802", "class \"0x010802\" is no GPU, nic or bridge"},
                         Row{"strange", "class \"strange\" is no GPU, nic or bridge"},
                         Row{"0x068000", "this is an NVSwitch's own PCI device"},
                         Row{"0x060400", "a bridge has no GPU or nic below it"},
                         Row{"0x030200", "a GPU without <gpu> takes no part in the job"},
                         Row{"", "nothing says what this device is"}}) {
    CAPTURE(row.pci_class);
    const std::string file = beside_gpu(hint("02:00.0", row.pci_class));
    CHECK(warnings_of(file) == Lines{fmt::format("t.xml:3:1: {}; left it out", row.why)});
    CHECK(ids_of(nccl_machine_of(file)) == Lines{"gpu0", "cpu0", "plx0"});
  }
}

TEST_CASE("without any <gpu> the classes say what GPUs are") {
  const std::string file = one_cpu(hint("01:00.0", "0x030200") + hint("02:00.0", "0x030000") +
                                   hint("03:00.0", "0x120000") + hint("04:00.0", "0x020700"));
  CHECK(ids_of(nccl_machine_of(file)) == Lines{"gpu0", "gpu1", "cpu0", "nic0"});
  CHECK(warnings_of(file) ==
        Lines{"t.xml:1:21: there is no PCIe switch: took a root port for every device, though a "
              "virtual machine may hide the switches",
              "t.xml:2:1: no <gpu> tells of this GPU (NCCL writes it to NCCL_TOPO_DUMP_FILE); took "
              "it for one by its class, in file order, "
              "and no NVLink (and 1 more like it)",
              "t.xml:3:1: a display stands beside GPUs; left it out",
              "t.xml:5:1: a nic has no <net>, so its network speed is not known; took no network "
              "link"});
  // A desktop's cards are displays.
  CHECK(ids_of(nccl_machine_of(one_cpu(hint("01:00.0", "0x030000")))) == Lines{"gpu0", "cpu0"});
}

TEST_CASE("without any class the first devices of each cpu are GPUs, what is over are nics") {
  const auto bare = [](const char* bus_id) { return fmt::format("<pci busid=\"{}\"/>\n", bus_id); };
  const std::string file = "<system><cpu numaid=\"0\">\n" + bare("01:00.0") + bare("02:00.0") +
                           "</cpu><cpu numaid=\"1\">\n" + bare("03:00.0") + bare("04:00.0") +
                           bare("00:00.0") + "</cpu></system>";
  const Topology machine = nccl_machine_of(file);
  CHECK(ids_of(machine) == Lines{"gpu0", "gpu1", "gpu2", "gpu3", "cpu0", "cpu1", "nic0"});
  CHECK(cable_of(machine, "gpu2-cpu1") == "pcie x1 15.75 GB/s 12 GB/s");
  const Lines warnings = warnings_of(file);
  REQUIRE(warnings.size() == 8);
  CHECK(warnings[4] ==
        "t.xml:2:1: no class says what this is; took it for a GPU without NVLinks "
        "(and 3 more like it)");
  CHECK(warnings[6] ==
        "t.xml:7:1: no class says what this is; took it for a nic, as its cpu has "
        "more devices than another");
}

TEST_CASE("GPUs without any NVLink are told") {
  CHECK(
      warnings_of(one_cpu(bridge_at("09:00.0", kGpu + gpu_at("02:00.0", R"(dev="1")")))) ==
      Lines{fmt::format("t.xml:2:{}: no GPU has an nvlink or xgmi, as where the file leaves them "
                        "to NCCL to find (it writes them to NCCL_TOPO_DUMP_FILE); took PCIe alone",
                        bridge_at("09:00.0", "").find("</") + 1)});
}

TEST_CASE("numbers that should order GPUs and do not are told") {
  const auto order = [](const char* first, const char* second) {
    return warnings_of(one_cpu(bridge_at(
                           "09:00.0", "\n" + gpu_at("01:00.0", first, nvlink_to("02:00.0")) + "\n" +
                                          gpu_at("02:00.0", second, nvlink_to("01:00.0")))))
        .front();
  };
  CHECK(order(R"(sm="80" rank="1" dev="0")", R"(sm="80" rank="1" dev="1")") ==
        "t.xml:4:1: rank 1 stands at several GPUs; took no order by rank");
  CHECK(order(R"(sm="80" rank="1" dev="0")", R"(sm="80" dev="1")") ==
        "t.xml:3:1: rank is missing at some GPUs; took no order by rank");
  CHECK(order(R"(sm="80" dev="5")", R"(sm="80" dev="5")") ==
        "t.xml:4:1: dev 5 stands at several GPUs; took no order by dev");
}

TEST_CASE("what has no place is left out, a second <gpu> of a device too") {
  struct Row {
    std::string inside;
    const char* warning;
  };
  for (const Row& row : {Row{"<fan/>", "element \"fan\" has no place in \"cpu\"; left it out"},
                         Row{"hot", "text stands between the elements; left it out"},
                         Row{"<pci keep=\"0\"/>", "keep is 0; left it out"}}) {
    const Lines warnings = warnings_of(beside_gpu(row.inside));
    CHECK(warnings == Lines{fmt::format("t.xml:3:1: {}", row.warning)});
  }
  const std::string twice = fmt::format(R"(<pci busid="02:00.0" class="0x03" {}><gpu dev="1"/>)"
                                        "\n<gpu dev=\"2\"/><nic/></pci>",
                                        kGen3);
  const Lines warnings = warnings_of(beside_gpu(twice));
  CHECK(warnings[warnings.size() - 2] ==
        "t.xml:4:1: a PCI device holds several <gpu>; took the first; left it out");
  CHECK(warnings.back() == "t.xml:4:15: element \"nic\" has no place in \"pci\"; left it out");
  CHECK(warnings_of(one_cpu(bridge_at("09:00.0", kGpu + "\n<pcilink target=\"0a:00.0\"/>"))) ==
        Lines{"t.xml:3:1: a <pcilink> joins two parts of one switch at no stated speed; left it "
              "out"});
}

TEST_CASE("a device without a bus id is a device") {
  CHECK(warnings_of(beside_gpu(R"(<pci class="0x020000" link_speed="8 GT/s" link_width="1"/>)"))
            .front() == "t.xml:3:1: busid is missing; no nvlink or xgmi can lead here");
}

TEST_CASE("PCIe links know their lanes and generation, lanes only where PCIe has such a width") {
  struct Row {
    const char* speed;
    const char* width;
    int generation;
    int lanes;
  };
  for (const Row& row :
       {Row{"2.5 GT/s PCIe", "1", 1, 1}, Row{"5.0 GT/s PCIe", "2", 2, 2}, Row{"8 GT/s", "4", 3, 4},
        Row{"16.0 GT/s PCIe", "8", 4, 8}, Row{"32 GT/s", "12", 5, 12}, Row{"64 GT/s", "16", 6, 16},
        Row{"8 GT/s", "32", 3, 32}, Row{"8 GT/s", "3", 3, 0}, Row{"8 GT/s", "24", 3, 0},
        Row{"Unknown", "8", 3, 8}, Row{"16 GT/s", "0", 4, 16}}) {
    CAPTURE(row.speed);
    CAPTURE(row.width);
    const Topology machine = nccl_machine_of(one_cpu(
        gpu_at("01:00.0", "") +
        fmt::format(R"(<pci busid="02:00.0" class="0x02" link_speed="{}" link_width="{}"/>)",
                    row.speed, row.width)));
    for (const Link& link : machine.links()) {
      const bool of_nic = link.name == "nic0>cpu0" || link.name == "cpu0>nic0";
      CHECK(link.generation == (of_nic ? row.generation : 3));
      CHECK(link.lanes == (of_nic ? row.lanes : 16));
    }
  }
  const Topology sound = nccl_machine_of(sound_file());
  for (const Link& link : sound.links()) CHECK((link.lanes != 0) == (link.kind == LinkKind::pcie));
}

TEST_CASE("edits change the width and the generation of imported PCIe links") {
  const Topology machine = nccl_machine_of(sound_file());
  const auto edited = [&](const char* edit) {
    const std::vector<Edit> edits = {parse_edit(edit)};
    return cable_of(apply_edits(machine, edits), "gpu0-plx0");
  };
  CHECK(edited("link:gpu0-plx0 width=x8") == "pcie x1 7.875 GB/s 6 GB/s");
  CHECK(edited("link:gpu0-plx0 gen=4") == "pcie x1 31.5 GB/s 24 GB/s");
}

}  // namespace syncsim::testing::nccl_devices_test
