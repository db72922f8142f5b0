// p2pBandwidthLatencyTest fitted onto machines.

#include <doctest/doctest.h>

#include "sim/topology/routing.h"
#include "tests/topology/import/matrix_support.h"

namespace syncsim {
namespace {

using Lines = std::vector<std::string>;
using testing::import_matrix;

const std::string kConnectivity = "P2P Connectivity Matrix\n";
const std::string kOneWayOff = "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n";
const std::string kOneWayOn = "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n";
const std::string kReads = "Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)\n";
const std::string kBothWaysOff = "Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n";
const std::string kBothWaysOn = "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n";
const std::string kLatencyOff = "P2P=Disabled Latency Matrix (us)\n";
const std::string kLatencyOn = "P2P=Enabled Latency (P2P Writes) Matrix (us)\n";

// gpu0 and gpu1 joined by two NVLinks, gpu2 reached over PCIe only.
const char* const kMachine = R"({
  "name": "m", "link_types": {
    "nvlink": {"kind": "nvlink", "bandwidth": "25 GB/s", "latency": "9 us"},
    "pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "10 GB/s"}},
  "nodes": [{"id": "gpu[0-2]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "cpu0", "kind": "cpu"}],
  "links": [{"between": ["gpu0", "gpu1"], "type": "nvlink", "count": 2},
            {"between": ["gpu[0-2]", "plx0"], "type": "pcie"},
            {"between": ["plx0", "cpu0"], "type": "pcie"}]})";

const char* const kPair = R"({
  "name": "pair", "source": "s",
  "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"}},
  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "cpu0", "kind": "cpu"}],
  "links": [{"between": ["gpu[0-1]", "plx0"], "type": "pcie"},
            {"between": ["plx0", "cpu0"], "type": "pcie"}]})";

testing::MatrixMachine fit(const std::string& text, std::string_view machine = kMachine) {
  return import_matrix("p2p", text, "", testing::read_machine(machine));
}

std::string refusal(const std::string& text, std::string_view machine = kMachine) {
  return testing::refusal_of([&] { fit(text, machine); });
}

const Link& link(const Topology& machine, std::string_view name) {
  for (const Link& link : machine.links())
    if (link.name == name) return link;
  throw InternalError("no such link");
}

double usable(const Topology& machine, std::string_view name) {
  return link(machine, name).usable.bytes_per_second;
}

double route_rate(const Topology& machine, std::string_view from, std::string_view to) {
  const Resources resources(machine, Rates::usable);
  return Router(machine, resources).find(machine.node(from), machine.node(to)).bottleneck;
}

const std::string kRates =
    "   D\\D     0      1      2\n"
    "     0 500.00  46.50  11.00\n"
    "     1  47.25 501.00  12.50\n"
    "     2  11.50  12.25 502.00\n";

}  // namespace

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

TEST_CASE("what a write to a peer takes is shared by the links of the route, least share") {
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
  CHECK(link(machine, "gpu0>plx0").latency == Time{1'500'000});
  CHECK(link(machine, "gpu1>plx0").latency == Time{1'000'000});
  CHECK(link(machine, "plx0>gpu2").latency == Time{1'000'000});
  CHECK(link(machine, "gpu2>plx0").latency == Time{2'000'000});
  CHECK(link(machine, "plx0>gpu0").latency == Time{2'500'000});
  CHECK(link(machine, "plx0>cpu0").latency == Time{});
  CHECK(usable(machine, "gpu0>plx0") == 10e9);
  // The latency of local memory makes no difference.
  for (const char* local : {"0", "2", "9"})
    CHECK(fit(kLatencyOn + "GPU 0 1\n0 " + local + " 1\n1 2 " + local + "\n", kPair)
              .machine.links()[0]
              .latency == Time{500'000});
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

TEST_CASE("sections come in any order, with notes and prompts between them, as pasted") {
  const std::string text =
      "```\r\n$ ./p2pBandwidthLatencyTest\r\n[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\r\n"
      "Device: 0, NVIDIA, pciBusID: 3b, pciDeviceID: 0, pciDomainID:0\r\n"
      "***NOTE: In case a device doesn't have P2P access to other one\r\n\r\n" +
      kLatencyOff + "   D\\D 0 1\r\n 0 2.0 9.0\r\n 1 9.0 2.0\r\n\r\n" + kOneWayOn +
      " D\\D 0 1\r\n 0 1524.39 11.00 \r\n 1 11.00 1500.00 \r\n" + kConnectivity +
      " D\\D 0 1\r\n 0 1 1\r\n 1 1 1\r\nNOTE: The CUDA Samples are no measurements.\r\n```\r\n";
  CHECK(importer_for(text, "").name == "p2p");
  const auto [machine, warnings] = fit(text, kPair);
  CHECK(warnings.empty());
  CHECK(route_rate(machine, "gpu0", "gpu1") == 11e9);
  CHECK(machine.source() == "s; fitted: p2pBandwidthLatencyTest");
}

TEST_CASE("of two runs the first counts, with a warning") {
  const std::string on = "D\\D 0 1\n0 500 11\n1 11 500\n";
  const std::string other = "D\\D 0 1\n0 500 9\n1 9 500\n";
  const auto [machine, warnings] =
      fit(kOneWayOn + on + kOneWayOn + other + kBothWaysOn + other + kBothWaysOn + on, kPair);
  CHECK(route_rate(machine, "gpu0", "gpu1") == 11e9);
  REQUIRE(warnings.size() == 3);
  CHECK(warnings[0] == "t.txt:5:1: a second run of the test; took the first only");
}

TEST_CASE("the first twenty pairs that fall short are told, the others counted") {
  std::string rows = "D\\D";
  std::string star =
      R"({"name": "s", "link_types": {"n": {"kind": "nvlink", "bandwidth": "9 GB/s"}},
    "nodes": [{"id": "gpu[0-9]", "kind": "gpu"}, {"id": "nvs0", "kind": "switch"}],
    "links": [{"between": ["gpu[0-9]", "nvs0"], "type": "n"}]})";
  for (int i = 0; i < 10; ++i) rows += " " + std::to_string(i);
  for (int i = 0; i < 10; ++i) {
    rows += "\n" + std::to_string(i);
    for (int j = 0; j < 10; ++j) rows += (i + 1) % 10 == j ? " 8" : " 4";
  }
  const Lines warnings = fit(kOneWayOn + rows, star).warnings;
  REQUIRE(warnings.size() == 21);
  CHECK(warnings[0] == "t.txt:3:7: gpu0-gpu2: measured 4 GB/s, the machine allows 8 GB/s");
  CHECK(warnings[20] == "t.txt: and 60 more pairs");
}

TEST_CASE("every pair that falls short both ways is told, the first twenty of them") {
  const auto star = [](int gpus) {
    return R"({"name": "s", "link_types": {"n": {"kind": "nvlink", "bandwidth": "9 GB/s"}},
      "nodes": [{"id": "gpu[0-)" +
           std::to_string(gpus - 1) + R"(]", "kind": "gpu"}, {"id": "nvs0", "kind": "switch"}],
      "links": [{"between": ["gpu[0-)" +
           std::to_string(gpus - 1) + R"(]", "nvs0"], "type": "n"}]})";
  };
  const auto text = [](int gpus) {
    std::string result;
    for (const bool both : {false, true}) {
      result += (both ? kBothWaysOn : kOneWayOn) + "D\\D";
      for (int i = 0; i < gpus; ++i) result += " " + std::to_string(i);
      for (int i = 0; i < gpus; ++i) {
        result += "\n" + std::to_string(i);
        for (int j = 0; j < gpus; ++j) result += both ? (i + j == 1 ? " 16" : " 12") : " 8";
      }
      result += "\n";
    }
    return result;
  };
  CHECK(
      fit(text(3), star(3)).warnings ==
      Lines{"t.txt:8:9: gpu0-gpu2: both ways at once measured 12 GB/s, the machine allows 16 GB/s",
            "t.txt:9:9: gpu1-gpu2: both ways at once measured 12 GB/s, the machine allows 16 GB/s",
            "t.txt:10:3: gpu2-gpu0: both ways at once measured 12 GB/s, the machine allows 16 GB/s",
            "t.txt:10:6: gpu2-gpu1: both ways at once measured 12 GB/s, the machine allows 16 "
            "GB/s"});
  const Lines many = fit(text(10), star(10)).warnings;
  REQUIRE(many.size() == 21);
  CHECK(many[20] == "t.txt: and 68 more pairs, both ways at once");
}

TEST_CASE("a matrix needs a machine, of as many gpus, and something to fit") {
  const std::string text = kOneWayOn + "D\\D 0 1\n0 500 11\n1 11 500\n";
  CHECK(testing::refusal_of([&] { import_matrix("p2p", text); }) ==
        "t.txt: a p2p matrix needs a machine; name one with --onto MACHINE");
  CHECK(refusal(text) ==
        "t.txt:2:1: the matrices are of 2 gpus and the machine has 3; name the "
        "machine that was measured with --onto");
  CHECK(refusal(kOneWayOff + "D\\D 0 1\n0 500 11\n1 11 500\n", kPair) ==
        "t.txt: holds no figures that can be fitted; paste the matrices of P2P=Enabled too");
  CHECK(refusal("P2P=Disabled, they say") ==
        R"(t.txt: holds no matrix of p2pBandwidthLatencyTest; paste its output, from "P2P )"
        R"(Connectivity Matrix" on)");
}

TEST_CASE("staging where no cpu is to stage in is refused") {
  const char* const bare = R"({
    "name": "bare", "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
    "links": [{"between": ["gpu0", "gpu1"], "type": "pcie"}]})";
  CHECK(refusal(kConnectivity + "D\\D 0 1\n0 1 0\n1 0 1\n" + kOneWayOff +
                    "D\\D 0 1\n0 500 11\n1 11 500\n",
                bare)
            .starts_with("t.txt: the routing policy leads the traffic of gpu0 through a cpu, "));
}

TEST_CASE("sections that are ragged, doubled, cut off or of other gpus are refused") {
  CHECK(refusal(kOneWayOn) == "t.txt:1:1: this section holds no matrix; paste it whole");
  CHECK(refusal(kOneWayOn + kLatencyOn) ==
        "t.txt:1:1: this section holds no matrix; paste it whole");
  CHECK(refusal(kOneWayOn + "D\\D\n") == "t.txt:2:1: there are no columns; number them from 0");
  CHECK(refusal(kOneWayOn + "D\\D 0 2\n") ==
        R"(t.txt:2:7: column 1 is called "2"; number the columns from 0)");
  CHECK(refusal(kOneWayOn + "D\\D 0 1\n0 1 2\n\n1 2 1\n") ==
        "t.txt:4:1: here row 1 should stand; give the matrix 2 rows");
  CHECK(refusal(kOneWayOn + "D\\D 0 1\n0 1 2\n") ==
        "t.txt:1:1: here row 1 should stand; give the matrix 2 rows");
  CHECK(refusal(kOneWayOn + "D\\D 0 1\n0 1\n1 2 1\n") ==
        "t.txt:3:4: row 0 has 1 figures for 2 columns; give every row a figure for each column");
  CHECK(refusal(kOneWayOn + "D\\D 0 1\n0 1 2 3\n1 2 1\n") ==
        "t.txt:3:7: row 0 has more figures than the 2 columns; give every row a figure for each "
        "column");
  CHECK(refusal(kOneWayOn + "D\\D 0\n0 1\n" + kLatencyOn + "GPU 0 1\n") ==
        "t.txt:5:1: there are 2 columns and 1 in line 2; give every matrix the same gpus");
  std::string wide = kOneWayOn + "D\\D";
  for (int i = 0; i < 10000; ++i) wide += " " + std::to_string(i);
  CHECK(refusal(wide).ends_with(": there are more than 256 columns; import one machine at a time"));
}

TEST_CASE("figures that are none are refused at their place") {
  for (const char* figure :
       {"x", "nan", "inf", "-5.71", "1e3", "5.7.1", "0", "0.00", "99999999999", "5,71", "0x10"})
    CHECK(refusal(kOneWayOn + "D\\D 0\n0 " + figure) ==
          "t.txt:3:3: \"" + std::string(figure) +
              "\" is none of this matrix' figures; write GB/s above zero, as in 24.5");
  CHECK(refusal(kLatencyOn + "GPU 0\n0 -1\n") ==
        "t.txt:3:3: \"-1\" is none of this matrix' figures; write microseconds, as in 2.5");
  for (const char* figure : {"2", "0.5", "yes", "01"})
    CHECK(refusal(kConnectivity + "D\\D 0\n0 " + figure) ==
          "t.txt:3:3: \"" + std::string(figure) +
              "\" is none of this matrix' figures; write 0 or 1");
}

}  // namespace syncsim
