// p2pBandwidthLatencyTest fitted onto machines.

#include <doctest/doctest.h>

#include "tests/topology/import/p2p_support.h"

namespace syncsim::p2p_matrix_test {

using namespace testing::p2p;

TEST_CASE("a cable of one pair gets its rates, a shared one the largest that crossed it") {
  const auto [machine, warnings] = fit(kOneWayOn + kRates);
  CHECK(warnings.empty());
  CHECK(usable(machine, "gpu0>gpu1") == 46.5e9);
  CHECK(usable(machine, "gpu1>gpu0") == 47.25e9);
  CHECK(usable(machine, "gpu0>plx0") == 11e9);
  CHECK(usable(machine, "gpu1>plx0") == 12.5e9);
  CHECK(usable(machine, "gpu2>plx0") == 12.25e9);
  CHECK(usable(machine, "plx0>gpu2") == 12.5e9);
  CHECK(usable(machine, "plx0>gpu0") == 11.5e9);
  CHECK(usable(machine, "plx0>cpu0") == 10e9);
  CHECK(link(machine, "gpu0>gpu1").bandwidth == Bandwidth{50e9});
  CHECK(link(machine, "gpu0>gpu1").latency == Time{9'000'000});
  CHECK(machine.source() == "fitted: p2pBandwidthLatencyTest");
}

TEST_CASE("a copy between two gpus then runs at the rate that was measured") {
  const Topology machine = fit(kOneWayOn + kRates).machine;
  CHECK(route_rate(machine, "gpu0", "gpu1") == 46.5e9);
  CHECK(route_rate(machine, "gpu1", "gpu0") == 47.25e9);
  CHECK(route_rate(machine, "gpu0", "gpu2") == 11e9);
  CHECK(route_rate(machine, "gpu1", "gpu2") == 12.5e9);
  CHECK(route_rate(machine, "gpu2", "gpu0") == 11.5e9);
}

TEST_CASE(
    "the port of a gpu on an NVSwitch, and each of its planes, are as fast as its best pair") {
  const char* const star = R"({
    "name": "star", "link_types": {"nvlink": {"kind": "nvlink", "bandwidth": "50 GB/s"}},
    "nodes": [{"id": "gpu[0-2]", "kind": "gpu"}, {"id": "nvs[0-1]", "kind": "switch"}],
    "links": [{"between": ["gpu[0-2]", "nvs0"], "type": "nvlink"},
              {"between": ["gpu[0-2]", "nvs1"], "type": "nvlink"}]})";
  const auto [machine, warnings] =
      fit(kOneWayOn + "D\\D 0 1 2\n0 900 90 88\n1 91 900 92\n2 70 89 900\n", star);
  CHECK(usable(machine, "gpu0>nvs0") == 45e9);
  CHECK(usable(machine, "gpu1>nvs1") == 46e9);
  CHECK(usable(machine, "nvs1>gpu0") == 45.5e9);
  CHECK(route_rate(machine, "gpu1", "gpu2") == doctest::Approx(92e9));
  CHECK(warnings == Lines{"t.txt:5:3: gpu2-gpu0: measured 70 GB/s, the machine allows 89 GB/s"});
}

TEST_CASE("packets that cost more on their way through a host bridge are counted so") {
  const char* const ports = R"({
    "name": "ports", "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu", "peer_cost": 1.25}],
    "links": [{"between": ["gpu[0-1]", "cpu0"], "type": "pcie"}]})";
  const Topology machine = fit(kOneWayOn + "D\\D 0 1\n0 500 8\n1 9 500\n", ports).machine;
  CHECK(usable(machine, "gpu0>cpu0") == 10e9);
  CHECK(route_rate(machine, "gpu0", "gpu1") == doctest::Approx(8e9));
  CHECK(route_rate(machine, "gpu1", "gpu0") == doctest::Approx(9e9));
}

TEST_CASE("no rate exceeds the line, and what was measured beyond it is told") {
  const auto [machine, warnings] = fit(kOneWayOn + "D\\D 0 1\n0 500 16.5\n1 12 500\n", kPair);
  CHECK(usable(machine, "gpu0>plx0") == 16e9);
  CHECK(usable(machine, "gpu1>plx0") == 12e9);
  CHECK(warnings ==
        Lines{"t.txt: gpu0>plx0 was measured at 16.5 GB/s, above its line rate 16 GB/s; took the "
              "latter",
              "t.txt: plx0>gpu1 was measured at 16.5 GB/s, above its line rate 16 GB/s; took the "
              "latter",
              "t.txt:3:7: gpu0-gpu1: measured 16.5 GB/s, the machine allows 16 GB/s"});
}

TEST_CASE("half duplex cables get one rate for both directions") {
  const char* const half = R"({
    "name": "half",
    "link_types": {"nvlink": {"kind": "nvlink", "bandwidth": "25 GB/s", "duplex": "half"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
    "links": [{"between": ["gpu0", "gpu1"], "type": "nvlink"}]})";
  const auto [machine, warnings] = fit(
      kOneWayOn + "D\\D 0 1\n0 9 20\n1 21 9\n" + kBothWaysOn + "D\\D 0 1\n0 9 12\n1 20 9\n", half);
  CHECK(usable(machine, "gpu0>gpu1") == 21e9);
  CHECK(usable(machine, "gpu1>gpu0") == 21e9);
  CHECK(warnings == Lines{"t.txt:7:5: gpu0-gpu1: both ways at once measured 12 GB/s, the machine "
                          "allows 21 GB/s"});
}

TEST_CASE("a pair without P2P gets its staged rate and a policy that stages it") {
  const auto [machine, warnings] =
      fit(kConnectivity + "     D\\D     0     1\n     0\t     1     0\n     1\t     0     1\n" +
              kOneWayOff + "   D\\D     0      1\n     0 541.84   5.71\n     1   5.70 543.05\n" +
              kOneWayOn + "   D\\D     0      1\n     0 541.84   5.90\n     1   5.90 543.05\n" +
              kBothWaysOff + "   D\\D     0      1\n     0 533.91   6.12\n     1   6.10 533.91\n",
          kPair);
  CHECK(machine.routing().p2p == PeerLevel::nvl);
  CHECK(route_rate(machine, "gpu0", "gpu1") == 5.71e9);
  CHECK(route_rate(machine, "gpu1", "gpu0") == 5.70e9);
  CHECK(usable(machine, "gpu0>plx0") == 5.71e9);
  CHECK(usable(machine, "plx0>cpu0") == 6.12e9);  // both flows go up to be staged
  CHECK(usable(machine, "cpu0>plx0") == 6.12e9);
  CHECK(warnings == Lines{"t.txt:3: the connectivity means P2P up to NVL; took that for SYS"});
}

TEST_CASE("the P2P level moves no farther than the connectivity asks for") {
  const std::string head = kConnectivity + "D\\D 0 1 2\n";
  const std::string rates = kOneWayOff + kRates + kOneWayOn + kRates;
  const auto level = [&](const std::string& rows, const std::string& policy) {
    std::string machine = kMachine;
    machine.insert(machine.size() - 1, R"(, "routing": {"p2p": ")" + policy + "\"}");
    return std::string(to_string(fit(head + rows + rates, machine).machine.routing().p2p));
  };
  const std::string bridged = "0 1 1 0\n1 1 1 0\n2 0 0 1\n";
  const std::string all = "0 1 1 1\n1 1 1 1\n2 1 1 1\n";
  const std::string none = "0 1 0 0\n1 0 1 0\n2 0 0 1\n";
  CHECK(level(bridged, "SYS") == "NVL");
  CHECK(level(bridged, "NVL") == "NVL");
  CHECK(level(bridged, "LOC") == "NVL");
  CHECK(level(all, "PHB") == "PHB");
  CHECK(level(all, "NVL") == "PIX");
  CHECK(level(none, "SYS") == "LOC");
  const std::string odd = "0 1 0 1\n1 0 1 1\n2 1 1 1\n";
  CHECK(level(odd, "PXB") == "PXB");
  CHECK(fit(head + odd + rates).warnings ==
        Lines{"t.txt:3:5: gpu0-gpu1 (NVL) has no P2P although gpu0-gpu2 (PIX) has; no P2P level "
              "explains it, kept SYS"});
}

TEST_CASE("what a write to a peer takes is the sum of the links of the route") {
  const std::string latencies =
      "   GPU     0      1      2\n"
      "     0   1.00   1.50   3.00\n"
      "     1   1.40   1.00   2.00\n"
      "     2   5.00   4.00   2.00\n\n"
      "   CPU     0      1      2\n"
      "     0   9.00   9.00   9.00\n"
      "     1   9.00   9.00   9.00\n"
      "     2   9.00   9.00   9.00\n";
  const auto [machine, warnings] = fit(kLatencyOn + latencies);
  CHECK(warnings.empty());
  CHECK(link(machine, "gpu0>gpu1").latency == Time{1'500'000});
  CHECK(link(machine, "gpu1>gpu0").latency == Time{1'400'000});
  CHECK(link(machine, "gpu0>plx0").latency == Time{1'750'000});
  CHECK(link(machine, "gpu1>plx0").latency == Time{750'000});
  CHECK(link(machine, "plx0>gpu2").latency == Time{1'250'000});
  CHECK(link(machine, "gpu2>plx0").latency == Time{2'250'000});
  CHECK(link(machine, "plx0>gpu0").latency == Time{2'750'000});
  CHECK(link(machine, "plx0>cpu0").latency == Time{});
  CHECK(usable(machine, "gpu0>plx0") == 10e9);
  // The latency of local memory makes no difference.
  for (const char* local : {"0", "2", "9"})
    CHECK(fit(kLatencyOn + "GPU 0 1\n0 " + local + " 1\n1 2 " + local + "\n", kPair)
              .machine.links()[0]
              .latency == Time{500'000});
}

constexpr const char* kThreeBelowOne = R"({
  "name": "star", "link_types": {"nvlink": {"kind": "nvlink", "bandwidth": "50 GB/s"}},
  "nodes": [{"id": "gpu[0-2]", "kind": "gpu"}, {"id": "nvs0", "kind": "switch"}],
  "links": [{"between": ["gpu[0-2]", "nvs0"], "type": "nvlink"}]})";

TEST_CASE("latencies over a switch that are a sum of two are fitted to that sum") {
  const auto [machine, warnings] =
      fit(kLatencyOn + "GPU 0 1 2\n0 1 2.5 3\n1 2.5 1 3.5\n2 3 3.5 1\n", kThreeBelowOne);
  CHECK(warnings.empty());
  const auto latency = [&](const char* name) {
    return static_cast<double>(link(machine, name).latency.ps) / 1e6;
  };
  CHECK(latency("gpu0>nvs0") == doctest::Approx(1).epsilon(1e-5));
  CHECK(latency("gpu1>nvs0") == doctest::Approx(1.5).epsilon(1e-5));
  CHECK(latency("gpu2>nvs0") == doctest::Approx(2).epsilon(1e-5));
  CHECK(latency("nvs0>gpu2") == doctest::Approx(2).epsilon(1e-5));
}

TEST_CASE("latencies that no sum explains are fitted by least squares, and the worst is told") {
  // Of two rounds of three that should sum up alike one takes 1.5 us longer: a sixth for each.
  const auto [machine, warnings] =
      fit(kLatencyOn + "GPU 0 1 2\n0 1 3 2\n1 2 1 2\n2 2 1.5 1\n", kThreeBelowOne);
  const auto sum = [&](const char* up, const char* down) {
    return static_cast<double>((link(machine, up).latency + link(machine, down).latency).ps) / 1e6;
  };
  CHECK(sum("gpu0>nvs0", "nvs0>gpu1") == doctest::Approx(2.75).epsilon(1e-5));
  CHECK(sum("gpu2>nvs0", "nvs0>gpu1") == doctest::Approx(1.75).epsilon(1e-5));
  CHECK(sum("gpu1>nvs0", "nvs0>gpu0") == doctest::Approx(2.25).epsilon(1e-5));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front().starts_with(
      "t.txt:5:5: gpu2-gpu1: the latency was measured at 1.5000 us, and its links were fitted to "
      "1.7500 us"));
  CHECK(warnings.front().ends_with(", the worst of 6 pairs more than 5 % off"));
}

TEST_CASE("the shelf's DGX A100 has the latency that the test shows of it") {
  const Topology shelf = load_topology("dgx_a100", SYNCSIM_SHELF);
  std::string rows = "GPU 0 1 2 3 4 5 6 7\n";
  for (int i = 0; i < 8; ++i) {
    rows += std::to_string(i);
    for (int j = 0; j < 8; ++j) rows += i == j ? " 2.3" : " 3.0";
    rows += "\n";
  }
  const Topology fitted = import_matrix("p2p", kLatencyOn + rows, "", shelf).machine;
  for (LinkId id = 0; id < shelf.links().size(); ++id)
    CHECK(fitted.links()[id].latency == shelf.links()[id].latency);
}

TEST_CASE("reads tell what the column sends to the row, and count where writes are missing") {
  const std::string reads = "D\\D 0 1\n0 500 11\n1 12 500\n";
  const Topology machine = fit(kReads + reads, kPair).machine;
  CHECK(route_rate(machine, "gpu1", "gpu0") == 11e9);
  CHECK(route_rate(machine, "gpu0", "gpu1") == 12e9);
  const Topology both =
      fit(kReads + reads + kOneWayOn + "D\\D 0 1\n0 500 7\n1 8 500\n" +
              "P2P=Enabled Latency (P2P Reads) Matrix (us)\nGPU 0 1\n0 1 9\n1 9 1\n",
          kPair)
          .machine;
  CHECK(route_rate(both, "gpu0", "gpu1") == 7e9);
  CHECK(both.links()[0].latency == Time{});
}

TEST_CASE("without unidirectional rates half of the bidirectional ones count, with a warning") {
  const auto [machine, warnings] = fit(kBothWaysOn + "D\\D 0 1\n0 500 22\n1 24 500\n", kPair);
  CHECK(route_rate(machine, "gpu0", "gpu1") == 11e9);
  CHECK(route_rate(machine, "gpu1", "gpu0") == 12e9);
  CHECK(warnings == Lines{"t.txt: there are no unidirectional rates with P2P enabled; took half of "
                          "the bidirectional"});
}

}  // namespace syncsim::p2p_matrix_test
