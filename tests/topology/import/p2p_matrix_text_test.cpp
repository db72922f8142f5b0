// p2pBandwidthLatencyTest as it is pasted: order, notes, what falls short, what is refused.

#include <doctest/doctest.h>

#include "tests/topology/import/p2p_support.h"

namespace syncsim::p2p_matrix_text_test {

using namespace testing::p2p;

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
  CHECK(refusal(kLatencyOn + "GPU 0\n0 1000001\n") ==  // more than a link may have
        "t.txt:3:3: \"1000001\" is none of this matrix' figures; write microseconds, as in 2.5");
  for (const char* figure : {"2", "0.5", "yes", "01"})
    CHECK(refusal(kConnectivity + "D\\D 0\n0 " + figure) ==
          "t.txt:3:3: \"" + std::string(figure) +
              "\" is none of this matrix' figures; write 0 or 1");
}

}  // namespace syncsim::p2p_matrix_text_test
