// What NCCL's XML keeps of PCIe links, and the machines that it has no words for.

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "tests/topology/export/nccl_export_support.h"

namespace syncsim::testing::nccl_limits_test {
namespace {

// Generation and lanes of every PCIe link.
std::set<std::pair<int, int>> pcie_sorts(const Topology& topology) {
  std::set<std::pair<int, int>> sorts;
  for (const Link& link : topology.links())
    if (link.kind == LinkKind::pcie) sorts.emplace(link.generation, link.lanes);
  return sorts;
}

}  // namespace

TEST_CASE("lanes and generation are written as they are, whatever the bandwidth") {
  const auto written = [](const std::string& figures) {
    const Topology small = read_machine(
        R"({"name": "m", "nodes": [{"id": "gpu0", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"},
            {"id": "nic0", "kind": "nic"}],
            "link_types": {"up": {"kind": "pcie", )" +
        figures + R"(}}, "links": [{"between": ["gpu0", "cpu0"], "type": "up"},
            {"between": ["nic0", "cpu0"], "type": "up"}]})");
    const Exported result = exported(small);
    const auto begin = result.text.find("link_speed");
    return Lines{result.text.substr(begin, result.text.find('>', begin) - begin),
                 result.warnings.empty() ? "" : result.warnings.front()};
  };
  // 8 GB/s are Gen3 x8, Gen2 x16 and near Gen4 x4.
  CHECK(written(R"("bandwidth": "8 GB/s", "usable": "6 GB/s", "lanes": 4, "generation": 4)") ==
        Lines{R"(link_speed="16.0 GT/s PCIe" link_width="4")",
              "gpu0-cpu0 and 1 more: 8 GB/s (6 GB/s usable) is written as 16.0 GT/s PCIe x4, 7.875 "
              "GB/s (6 GB/s usable)"});
  CHECK(written(R"("bandwidth": "15.75 GB/s", "usable": "12 GB/s", "lanes": 32, "generation": 2)")
            .front() == R"(link_speed="5.0 GT/s PCIe" link_width="32")");
  CHECK(written(R"("bandwidth": "31.5 GB/s", "usable": "24 GB/s", "lanes": 16, "generation": 4)") ==
        Lines{R"(link_speed="16.0 GT/s PCIe" link_width="16")", ""});
  // One of the two alone leaves the other to the bandwidth.
  CHECK(written(R"("bandwidth": "7.875 GB/s", "usable": "6 GB/s", "lanes": 4)") ==
        Lines{R"(link_speed="16.0 GT/s PCIe" link_width="4")", ""});
  CHECK(written(R"("bandwidth": "7.875 GB/s", "usable": "6 GB/s", "generation": 5)") ==
        Lines{R"(link_speed="32.0 GT/s PCIe" link_width="2")", ""});
  // A reader would wake a GPU at generation 1, but no nic.
  const Lines idle =
      written(R"("bandwidth": "4 GB/s", "usable": "3 GB/s", "lanes": 16, "generation": 1)");
  CHECK(idle == Lines{R"(link_speed="5.0 GT/s PCIe" link_width="8")",
                      "gpu0-cpu0: generation 1 is written as 5.0 GT/s PCIe x8, as a reader takes "
                      "it for that of a GPU at rest"});
  for (const char* stated : {R"(, "lanes": 1, "generation": 1)", ""})
    CHECK(written(std::string(R"("bandwidth": "0.25 GB/s", "usable": "0.1875 GB/s")") + stated) ==
          Lines{R"(link_speed="2.5 GT/s PCIe" link_width="1")",
                "gpu0-cpu0: a reader takes generation 1 for that of a GPU at rest, and another in "
                "its place"});
}

TEST_CASE("a switch above a GPU at generation 1 is written at another, one above nics is not") {
  const auto below = [](const char* device) {
    return exported(read_machine(fmt::format(
        R"({{"name": "m", "nodes": [{{"id": "gpu0", "kind": "gpu"}}, {{"id": "cpu0", "kind": "cpu"}},
            {{"id": "plx0", "kind": "switch"}}, {{"id": "nic0", "kind": "nic"}}],
            "link_types": {{
              "fast": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s", "lanes": 16,
                        "generation": 3}},
              "slow": {{"kind": "pcie", "bandwidth": "4 GB/s", "usable": "3 GB/s", "lanes": 16,
                        "generation": 1}}}},
            "links": [{{"between": ["{0}", "plx0"], "type": "fast"}},
                      {{"between": ["{1}", "cpu0"], "type": "fast"}},
                      {{"between": ["plx0", "cpu0"], "type": "slow"}}]}})",
        device, std::string_view(device) == "gpu0" ? "nic0" : "gpu0")));
  };
  CHECK(below("gpu0").warnings ==
        Lines{"plx0-cpu0: generation 1 is written as 5.0 GT/s PCIe x8, as a reader takes it for "
              "that of a GPU at rest"});
  const Exported above_nic = below("nic0");
  CHECK(above_nic.warnings == Lines{});
  CHECK(pcie_sorts(nccl_machine_of(above_nic.text)) ==
        std::set<std::pair<int, int>>{{1, 16}, {3, 16}});
}

TEST_CASE("clusters of several boxes are refused - boxes without a fabric are not") {
  const std::string told =
      " boxes, but NCCL's XML describes one; export one of them, such as "
      "dgx_a100 in place of dgx_a100_x2";
  struct Row {
    const char* name;
    int boxes;
  };
  for (const Row& row : {Row{"dgx_a100_x2", 2}, Row{"dgx1v_x2", 2}, Row{"hgx_h100_x16", 16},
                         Row{"fat_tree_2level", 32}, Row{"ethernet_10g_x4", 4}}) {
    CAPTURE(row.name);
    CHECK(refusal_of([&] { exported(load_topology(row.name, SYNCSIM_SHELF)); }) ==
          fmt::format("the machine has {}{}", row.boxes, told));
  }
  const auto pair = [](const char* forwards, const char* second) {
    return read_machine(fmt::format(
        R"({{"name": "m", "link_types": {{
              "x16": {{"kind": "pcie", "bandwidth": "15.75 GB/s"}},
              "nvlink": {{"kind": "nvlink", "bandwidth": "25 GB/s"}},
              "net": {{"kind": "network", "bandwidth": "12.5 GB/s"}}}},
            "nodes": [{{"id": "a/gpu0", "kind": "gpu"}}, {{"id": "{1}/gpu1", "kind": "gpu"}},
                       {{"id": "a/nic0", "kind": "nic"}}, {{"id": "{1}/nic1", "kind": "nic"}},
                       {{"id": "a/cpu0", "kind": "cpu"}}, {{"id": "{1}/cpu1", "kind": "cpu"}},
                       {{"id": "net0", "kind": "switch", "forwards": {0}}}],
            "links": [{{"between": ["a/gpu0", "a/cpu0"], "type": "x16"}},
                       {{"between": ["{1}/gpu1", "{1}/cpu1"], "type": "x16"}},
                       {{"between": ["a/nic0", "a/cpu0"], "type": "x16"}},
                       {{"between": ["{1}/nic1", "{1}/cpu1"], "type": "x16"}},
                       {{"between": ["a/gpu0", "{1}/gpu1"], "type": "nvlink"}},
                       {{"between": ["a/nic0", "net0"], "type": "net"}},
                       {{"between": ["{1}/nic1", "net0"], "type": "net"}}]}})",
        forwards, second));
  };
  const auto refusal = [&](const char* forwards, const char* second) {
    return refusal_of([&] { exported(pair(forwards, second)); });
  };
  CHECK(refusal("true", "b") == "the machine has 2" + told);
  CHECK(refusal("false", "b") == "accepted");
  CHECK(refusal("true", "a") == "accepted");
}

TEST_CASE("machines of the shelf keep their lanes and generations") {
  for (const char* name : {"dgx1v", "dgx_a100", "hgx_h100", "a100_pcie_bridged"}) {
    CAPTURE(name);
    const Topology shipped = load_topology(name, SYNCSIM_SHELF);
    CHECK(pcie_sorts(nccl_machine_of(exported(shipped).text)) == pcie_sorts(shipped));
  }
}

TEST_CASE("a nic has at most the ports that NCCL reads") {
  const auto nic = [](int first, int second) {
    return two_gpus(R"(, {"id": "nic0", "kind": "nic"}, {"id": "net[0-1]", "kind": "switch",
                         "forwards": false})",
                    fmt::format(R"(, {{"between": ["nic0", "plx0"], "type": "x16"}},
                        {{"between": ["nic0", "net0"], "type": "net", "count": {}}},
                        {{"between": ["nic0", "net1"], "type": "net", "count": {}}})",
                                first, second));
  };
  const std::string most = exported(nic(100, 28)).text;
  CHECK(most.find(R"(name="nic127")") != std::string::npos);
  CHECK(most.find(R"(name="nic128")") == std::string::npos);
  const std::string right =
      R"(, and NCCL reads 128 of a nic; lower the "count" of its network links)";
  CHECK(refusal_of([&] { exported(nic(100, 29)); }) == "nic0 has 129 network ports" + right);
  CHECK(refusal_of([&] { exported(nic(2'000'000'000, 2'000'000'000)); }) ==
        "nic0 has 4000000000 network ports" + right);
}

TEST_CASE("a port is at most as fast as a reader takes it to be") {
  const Topology fast = machine(
      R"({"id": "gpu0", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"}, {"id": "nic0", "kind": "nic"},
         {"id": "net0", "kind": "switch", "forwards": false})",
      R"({"between": ["gpu0", "cpu0"], "type": "x16"}, {"between": ["nic0", "cpu0"], "type": "x16"},
         {"between": ["nic0", "net0"], "type": "net", "bundle": 1})");
  Topology::Parts parts = fast.parts();
  for (Link& link : parts.links)
    if (link.kind == LinkKind::network) link.bandwidth = {2e12};
  const Exported written = exported(Topology(std::move(parts)));
  CHECK(written.text.find(R"(speed="10000000")") != std::string::npos);
  CHECK(written.warnings.front() == "nic0-net0: 2 TB/s is written as 10000000 Mbit/s");
}

TEST_CASE("machines of more elements than a reader takes are refused") {
  CHECK(refusal_of([] {
          exported(
              machine(R"({"id": "gpu[0-49999]", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"})",
                      R"({"between": ["gpu[0-49999]", "cpu0"], "type": "x16"})"));
        }) == "the machine takes more than 100000 elements; write one of its boxes");
}

}  // namespace syncsim::testing::nccl_limits_test
