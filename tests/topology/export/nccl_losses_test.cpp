// What NCCL's XML has no words for is told.

#include <doctest/doctest.h>

#include "tests/topology/export/nccl_export_support.h"

namespace syncsim::testing::nccl_losses_test {

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

TEST_CASE("a C2C link of more cables than a reader takes is written with fewer, of the same sum") {
  const Topology many =
      two_gpus("", R"(, {"between": ["gpu0", "cpu0"], "type": "c2c", "count": 4000})");
  CHECK(losses(many) == Lines{"gpu0-cpu0: 4000 x 450 GB/s (450 GB/s usable) is written as 1000 x "
                              "1800000 MB/s"});
}

}  // namespace syncsim::testing::nccl_losses_test
