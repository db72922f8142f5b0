// hwloc's XML to machines, what is odd in it, and this host.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/topology/connected.h"
#include "tests/topology/import/hwloc_support.h"

namespace syncsim::hwloc_test {
using namespace testing::hwloc;

TEST_CASE("packages are cpus, bridges with several devices switches, and functions one device") {
  const std::string shared = bridge("15.753846", bridge("15.753846", gpu("0000:03:00.0")) +
                                                     bridge("15.753846", gpu("0000:04:00.0")) +
                                                     nic("0000:05:00.0") + nic("0000:05:00.1"));
  const Imported imported =
      import(machine(package(host_bridge(bridge("15.753846", shared)), "GenuineIntel") +
                     package(host_bridge(bridge("15.753846", gpu("0000:83:00.0")) +
                                         nic("0000:84:00.0", "7.88")))));
  CHECK(nodes(imported) == "gpu0 gpu1 gpu2 plx0 cpu0 cpu1 nic0 nic1 ");
  CHECK(cables(imported) == Names{"plx0-cpu0 15.75 GB/s", "gpu0-plx0 15.75 GB/s",
                                  "gpu1-plx0 15.75 GB/s", "nic0-plx0 15.75 GB/s",
                                  "gpu2-cpu1 15.75 GB/s", "nic1-cpu1 7.875 GB/s",
                                  "cpu0-cpu1 16 GB/s"});
  CHECK(imported.parts.links[0].usable == Bandwidth{12e9});
  CHECK(ranks(imported) == Names{"gpu0", "gpu1", "gpu2"});
  CHECK(imported.parts.nodes[4].peer_cost == 1.2);
  CHECK(imported.parts.nodes[5].peer_cost == 1);
  CHECK(imported.parts.description == "Some CPU");
}

TEST_CASE("the way through bridges that share nothing is as fast as its slowest part") {
  const Imported imported = import(
      machine(package(host_bridge(bridge("7.876923", bridge("15.753846", gpu("0000:03:00.0")))))));
  CHECK(cables(imported) == Names{"gpu0-cpu0 7.875 GB/s"});
}

TEST_CASE("sockets are joined at the rate of their model, unless a profile is asked for") {
  const auto two = [](const std::string& infos, const std::string& profile = "") {
    const std::string package =
        R"(<object type="Package">)" + infos + R"(<info name="CPUModel" value="X"/></object>)";
    return cables(import(machine(package + package + host_bridge(gpu("0000:03:00.0"))), profile))
        .back();
  };
  const auto model = [](const std::string& vendor, int family, int number) {
    return fmt::format(R"(<info name="CPUVendor" value="{}"/>)"
                       R"(<info name="CPUFamilyNumber" value="{}"/>)"
                       R"(<info name="CPUModelNumber" value="{}"/>)",
                       vendor, family, number);
  };
  CHECK(two(model("GenuineIntel", 6, 79)) == "cpu0-cpu1 19.2 GB/s");
  CHECK(two(model("GenuineIntel", 6, 143)) == "cpu0-cpu1 32 GB/s");
  CHECK(two(model("GenuineIntel", 6, 79), "volta") == "cpu0-cpu1 20.8 GB/s");
  CHECK(two(model("AuthenticAMD", 25, 1)) == "cpu0-cpu1 16 GB/s");
  CHECK(two(R"(<info name="Architecture" value="aarch64"/>)") == "cpu0-cpu1 6 GB/s");
  CHECK(two(model("Unheard", 1, 1)) == "cpu0-cpu1 16 GB/s");
  CHECK(two(model("GenuineIntel", 0, 0)) == "cpu0-cpu1 16 GB/s");
}

TEST_CASE("NUMA nodes are the cpus where a package has several") {
  const std::string group = R"(<object type="Group"><object type="NUMANode"/>)";
  const Imported imported =
      import(machine(R"(<object type="Package">)" + group + "</object>" + group +
                     host_bridge(gpu("0000:03:00.0")) + "</object></object>"));
  CHECK(nodes(imported) == "gpu0 cpu0 cpu1 ");
  CHECK(cables(imported)[0] == "gpu0-cpu1 15.75 GB/s");
}

TEST_CASE("hwloc 1 wrote sockets, and NUMA nodes around them") {
  const Imported imported = import(machine(R"(<object type="NUMANode"><object type="Socket"/>)" +
                                           host_bridge(gpu("0000:03:00.0")) +
                                           R"(</object><object type="NUMANode">)"
                                           R"(<object type="Socket"/></object>)"));
  CHECK(nodes(imported) == "gpu0 cpu0 cpu1 ");
}

TEST_CASE("figures that hwloc does not know are warned of, once, with what was taken") {
  const Imported imported = import(
      machine(package(host_bridge(gpu("0000:03:00.0", "0") + gpu("0000:04:00.0", "0.000000") +
                                  gpu("0000:05:00.0", "4.000000") + nic("0000:06:00.0", "6.1"))) +
              package("")),
      "volta");
  CHECK(warns(imported,
              "the link's speed is unknown; took 16 lanes of pcie3_x1, 15.75 GB/s "
              "(profile volta) (and 1 more like it)"));
  CHECK(
      warns(imported, "the link of a gpu is at Gen1, as when it idles; took 16 lanes of pcie3_x1"));
  CHECK(warns(imported, "a link of 6.1 GB/s is of no PCIe generation; kept it"));
  CHECK(warns(imported, "hwloc does not say how cpus are joined; took socket_intel_skl, "));
  CHECK(warns(imported, "hwloc does not say how fast memory is"));
  CHECK(warns(imported, "hwloc does not say which gpus are joined by NVLink"));
  CHECK(cables(imported)[3] == "nic0-cpu0 6.1 GB/s");
}

TEST_CASE("displays of controllers and virtual machines are no gpus, accelerators are") {
  const Imported imported = import(machine(
      package(host_bridge(device("0000:01:00.0", "0300 [1a03:2000] [0:0] 41", "0.25") +
                          device("0000:02:00.0", "1200 [1da3:1000] [0:0] 01", "31.507692") +
                          device("0000:03:00.0", "0880 [1234:5678] [0:0] 01", "3.938462",
                                 R"(<object type="OSDev" osdev_type="5" name="opencl0d0"/>)") +
                          device("0000:04:00.0", "0108 [144d:a808] [0:0] 00", "3.938462")))));
  CHECK(nodes(imported) == "gpu0 gpu1 cpu0 ");
  CHECK(warns(imported, "a display of vendor 1a03 computes nothing; left it out"));
  CHECK(cables(imported)[0] == "gpu0-cpu0 31.5 GB/s");
}

TEST_CASE("a host without gpus still is a machine, of its cpus") {
  const Imported imported = import(machine(package("") + package("")));
  CHECK(ranks(imported) == Names{"cpu0", "cpu1"});
  CHECK(warns(imported, "there are no gpus; the ranks are the cpus"));
  CHECK(ranks(import(R"(<object type="Machine"/>)")) == Names{"cpu0"});
}

TEST_CASE("devices of the whole machine go to the first cpu, with a warning") {
  const Imported imported =
      import(machine(package("") + package("") + host_bridge(gpu("0000:03:00.0"))));
  CHECK(cables(imported)[0] == "gpu0-cpu0 15.75 GB/s");
  CHECK(warns(imported, "devices are near no cpu in particular; joined them to the first"));
}

TEST_CASE("a second topology in one text is told") {
  const std::string host = machine(package(host_bridge(gpu("0000:03:00.0"))));
  const Imported twice = import(host + "</topology><topology>" + host);
  CHECK(nodes(twice) == "gpu0 cpu0 ");
  CHECK(warns(twice, "<topology> stands beside the root, <topology>; took that one alone"));
}

TEST_CASE("what is no hwloc topology, or an impossible one, is refused") {
  CHECK(refusal("") ==
        "host.xml:3:1: there is no hwloc topology; "
        "write one with: lstopo --of xml FILE.xml");
  CHECK(refusal("<object") ==
        "host.xml:4:9: malformed XML: a tag is not written as <name ...>; "
        "mend it there, or write the file anew");
  CHECK(refusal(machine(package(host_bridge(gpu("0000:03:00.0", "fast")))))
            .ends_with(R"(: pci_link_speed is "fast"; write GB/s, as in "15.753846")"));
  CHECK(refusal(machine(package(host_bridge(gpu("0000:03:00.0", "-1")))))
            .ends_with(R"(: pci_link_speed is "-1"; write GB/s, as in "15.753846")"));
  std::string devices;
  for (int i = 0; i < 1025; ++i) devices += gpu("0000:03:" + std::to_string(i) + ".0");
  CHECK(refusal(machine(package(host_bridge(devices))))
            .ends_with(": there are more than 1024 devices on a bus; import the machine in parts"));
  std::string many;
  for (int i = 0; i < 257; ++i) many += R"(<object type="Package"/>)";
  CHECK(refusal(machine(many)) ==
        "host.xml:3:1: there are 257 cpus; import a machine of at most 256");
}

TEST_CASE("every damaged text is imported or refused, and nothing else") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  const std::string good =
      kHead +
      machine(package(host_bridge(bridge("15.75", gpu("0000:03:00.0") + nic("0000:04:00.0"))))) +
      "</topology>\n";
  const auto import_or_refuse = [&](const std::string& text) {
    try {
      Topology(read_hwloc_xml(text, "x", {rates, "", {}}).parts);
    } catch (const InputError& error) {
      CHECK(!error.place().empty());
    }
  };
  for (std::size_t at = 0; at < good.size(); ++at) {
    import_or_refuse(good.substr(0, at));
    for (const char damage : {'<', '"', '9', '\0'}) {
      std::string text = good;
      text[at] = damage;
      import_or_refuse(text);
    }
  }
}

TEST_CASE("only hwloc's own declaration is passed over") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  const std::string other = R"(<!DOCTYPE topology [<!ENTITY a "b">]><topology/>)";
  CHECK(testing::refusal_of([&] {
          read_hwloc_xml(other, "x", {rates, "", {}});
        }).find("there is a document type declaration") != std::string::npos);
  const std::string inner =
      R"(<!DOCTYPE topology SYSTEM "hwloc2.dtd" [<!ENTITY a "b">]><topology/>)";
  CHECK(testing::refusal_of([&] {
          read_hwloc_xml(inner, "x", {rates, "", {}});
        }).find("there is a document type declaration") != std::string::npos);
}

TEST_CASE("hwloc's XML is recognised, others are not") {
  CHECK(looks_like_hwloc_xml(std::string(kHead) + "<object"));
  CHECK(!looks_like_hwloc_xml("<system version=\"1\"><cpu/></system>"));
  CHECK(importer_for(std::string(kHead) + "<object", "").name == "hwloc");
}

TEST_CASE("this host becomes a machine whose ranks reach each other") {
  const std::string text = host_hwloc_xml();
  CHECK(looks_like_hwloc_xml(text));
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  const Imported imported = read_hwloc_xml(text, "this host", {rates, "", {}});
  const Topology topology(imported.parts);
  CHECK(!topology.nodes_of_kind(NodeKind::cpu).empty());
  CHECK(!topology.ranks().empty());
  CHECK(!first_cut_off_pair(topology));
}

TEST_CASE("the link above gpus that idle is woken with them, above one awake with that") {
  const auto below = [](const std::string& speed, const std::string& devices) {
    return import(machine(package(host_bridge(bridge(speed, devices)))), "volta");
  };
  const std::string idle = gpu("0000:03:00.0", "4.0") + gpu("0000:04:00.0", "4.0");
  const Imported asleep = below("4.000000", idle);
  CHECK(cables(asleep) ==
        Names{"plx0-cpu0 15.75 GB/s", "gpu0-plx0 15.75 GB/s", "gpu1-plx0 15.75 GB/s"});
  CHECK(warns(asleep,
              "the link of a switch is at Gen1, as when the gpus below it idle; took 16 lanes of "
              "pcie3_x1, 15.75 GB/s (profile volta)"));
  const Imported half = below("2.0", gpu("0000:03:00.0", "31.507692") + gpu("0000:04:00.0", "4.0"));
  CHECK(cables(half).front() == "plx0-cpu0 15.75 GB/s");
  CHECK(half.parts.links.front().generation == 4);
  CHECK(half.parts.links.front().lanes == 8);
  CHECK(warns(half, "took 8 lanes of pcie4_x1, 15.75 GB/s, as of the fastest gpu below it"));
  const Imported nics = below("4.0", nic("0000:03:00.0") + nic("0000:04:00.0"));
  CHECK(cables(nics).front() == "plx0-cpu0 4 GB/s");
  CHECK(!warns(nics, "Gen1"));
}

}  // namespace syncsim::hwloc_test
