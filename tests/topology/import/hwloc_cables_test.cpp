// NVLink and xGMI in hwloc's XML.

#include "sim/topology/import/hwloc_cables.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/topology/import/hwloc_support.h"

namespace syncsim::hwloc_cables_test {

using namespace testing::hwloc;

namespace {

// A gpu with gp_index 2 `number`, which the system knows as object 30 + `number`.
std::string known_gpu(int number) {
  return fmt::format(
      R"(<object type="PCIDev" gp_index="{0}" pci_busid="0000:0{1}:00.0" )"
      R"(pci_type="0302 [10de:20b0] [0:0] a1" pci_link_speed="31.507692">)"
      R"(<object type="OSDev" gp_index="{2}" name="nvml{1}" subtype="NVML" osdev_type="1"/></object>)",
      20 + number, number, 30 + number);
}

// Three gpus, two below the first of two cpus.
std::string three_gpus() {
  return machine(package(host_bridge(known_gpu(0) + known_gpu(1))) +
                 package(host_bridge(known_gpu(2))));
}

std::string matrix(const std::string& name, const std::vector<int>& values) {
  return fmt::format(R"(<distances2 type="OSDev" nbobjs="3" kind="9" name="{}" indexing="gp">
      <indexes length="6">30 31 </indexes><indexes length="3">32 </indexes>
      <u64values length="30">{}</u64values></distances2>)",
                     name, fmt::join(values, " "));
}

// Of the cables of a kind: name, rates there and back, usable there, count.
Names fast_cables(const Imported& imported, LinkKind kind) {
  const Topology topology(imported.parts);
  Names names;
  for (LinkId id = 0; id < topology.links().size(); id += 2) {
    const Link& link = topology.links()[id];
    if (link.kind != kind) continue;
    names.push_back(fmt::format(
        "{} {} {} {} x{}", topology.cable_name(id), to_string(link.bandwidth),
        to_string(topology.links()[id + 1].bandwidth), to_string(link.usable), link.count));
  }
  return names;
}

std::string of_values(const std::vector<int>& values) {
  return refusal(three_gpus() + matrix("NVLinkBandwidth", values));
}

}  // namespace

TEST_CASE("NVLinks are joined with the rates of the matrix and the profile's share of them") {
  const Imported imported =
      import(three_gpus() + matrix("NVLinkBandwidth",
                                   {1000000, 50000, 25000, 50000, 1000000, 0, 75000, 0, 1000000}));
  CHECK(fast_cables(imported, LinkKind::nvlink) ==
        Names{"gpu0-gpu1 50 GB/s 50 GB/s 40 GB/s x2", "gpu0-gpu2 25 GB/s 75 GB/s 20 GB/s x3"});
  CHECK(warns(imported,
              "hwloc does not say what kernels get of NVLink; took the share of nvlink3, "
              "20 GB/s of 25 GB/s (and 1 more like it)"));
  CHECK(!warns(imported, "took PCIe alone"));
}

TEST_CASE("xGMI has a matrix of its own, and others are no cables") {
  const std::vector<int> values = {1, 50000, 0, 50000, 1, 0, 0, 0, 1};
  CHECK(
      fast_cables(import(three_gpus() + matrix("XGMIBandwidth", values)), LinkKind::xgmi).size() ==
      1);
  const Imported hops = import(three_gpus() + matrix("XGMIHops", values));
  CHECK(fast_cables(hops, LinkKind::xgmi).empty());
  CHECK(warns(hops, "took PCIe alone"));
}

TEST_CASE("NVSwitches are one node, with the profile's abilities - other objects are the cpu") {
  const Imported imported =
      import(three_gpus() + R"(<distances2hetero nbobjs="5" kind="25" name="NVLinkBandwidth">
    <indexes>OSDev:30 OSDev:31 PCIDev:40 PCIDev:41 Package:50</indexes>
    <u64values>9 0 50000 25000 0  0 9 50000 0 75000  50000 50000 9 0 0  25000 0 0 9 0
      0 75000 0 0 9</u64values></distances2hetero>)",
             "hopper");
  CHECK(fast_cables(imported, LinkKind::nvlink) ==
        Names{"gpu1-cpu0@nvlink 75 GB/s 75 GB/s 61.8 GB/s x3",
              "gpu0-nvs0 75 GB/s 75 GB/s 61.8 GB/s x3", "gpu1-nvs0 50 GB/s 50 GB/s 41.2 GB/s x2"});
  CHECK(imported.parts.nodes.back().id == "nvs0");
  CHECK(imported.parts.nodes.back().abilities == Abilities{true, true});
}

TEST_CASE("what a matrix tells of one end only, or of no gpu, is warned of") {
  const Imported one_way =
      import(three_gpus() + matrix("NVLinkBandwidth", {1, 50000, 0, 0, 1, 0, 0, 0, 1}));
  CHECK(fast_cables(one_way, LinkKind::nvlink) == Names{"gpu0-gpu1 50 GB/s 50 GB/s 40 GB/s x2"});
  CHECK(warns(one_way, "two objects are joined in one direction; took it both ways"));
  const Imported unknown = import(machine(package(host_bridge(known_gpu(0)))) +
                                  matrix("NVLinkBandwidth", {1, 5, 0, 5, 1, 0, 0, 0, 1}));
  CHECK(fast_cables(unknown, LinkKind::nvlink).empty());
  CHECK(warns(unknown, "a cable of kind nvlink leads to no gpu of the tree; left it out"));
}

TEST_CASE("matrices that are not whole or hold other than numbers are refused") {
  CHECK(of_values({1, 2, 3}).find("a matrix has 3 words in <u64values>; write 9") !=
        std::string::npos);
  CHECK(of_values(std::vector<int>(100, 1))
            .find("a matrix has more than 9 words in <u64values>; write 9") != std::string::npos);
  CHECK(of_values({1, -2, 3, 4, 5, 6, 7, 8, 9})
            .find(R"("-2" stands in a matrix; write a whole number up to 1000000000)") !=
        std::string::npos);
  const auto refused = [](const std::string& attributes, const std::string& indexes) {
    return refusal(three_gpus() + "<distances2 type=\"OSDev\" name=\"NVLinkBandwidth\" " +
                   attributes + "><indexes>" + indexes + "</indexes></distances2>");
  };
  CHECK(refused(R"(nbobjs="99999999999")", "").find("write a whole number up to 1024") !=
        std::string::npos);
  CHECK(refused("", "").find(R"("" stands in a matrix)") != std::string::npos);
  CHECK(refused(R"(nbobjs="1")", "x").find(R"("x" stands in a matrix)") != std::string::npos);
}

}  // namespace syncsim::hwloc_cables_test
