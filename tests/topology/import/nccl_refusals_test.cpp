// NCCL topology files that are refused, each with its place; and that no file does worse.

#include <doctest/doctest.h>

#include <random>

#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_refusals_test {

TEST_CASE("another root is refused, a graph of rings is told where it belongs") {
  CHECK(nccl_refusal("<graphs version=\"1\"><graph/></graphs>") ==
        "t.xml:1:1: the root is <graphs>: this is a graph of rings and trees; use it with rings; a "
        "machine's root is <system>");
  CHECK(nccl_refusal("<!-- x -->\n<topology/>") ==
        "t.xml:2:1: the root is <topology>; a NCCL topology file's root is <system>");
}

TEST_CASE("a machine without GPUs is refused") {
  const char* told = "t.xml: there are no GPUs; a machine has at least one <gpu>";
  CHECK(nccl_refusal("<system/>") == told);
  CHECK(nccl_refusal(one_cpu("")) == told);
  CHECK(nccl_refusal(one_cpu(nic_at("01:00.0", "<net/>"))) == told);
}

TEST_CASE("a <gpu> without its PCI device is refused where it stands") {
  const std::string told =
      "<gpu> stands in no <pci>; write its PCI device around it: <pci busid=\"...\" "
      "link_speed=\"...\" link_width=\"...\"><gpu .../></pci>";
  CHECK(nccl_refusal(one_cpu(R"(  <gpu dev="0" sm="80"/>)")) == "t.xml:2:3: " + told);
  CHECK(nccl_refusal("<system>\n <gpu dev=\"0\"/></system>") == "t.xml:2:2: " + told);
  CHECK(nccl_refusal(one_cpu(gpu_at("01:00.0", "") + "\n<gpu/>")) == "t.xml:3:1: " + told);
}

TEST_CASE("numbers that no machine has are refused") {
  const auto with = [](const char* attributes, const std::string& cables = "") {
    return nccl_refusal(one_cpu(gpu_at("01:00.0", attributes, "\n" + cables)));
  };
  CHECK(with("", nvlink_to("01:00.0", 5000)) ==
        "t.xml:3:1: count is \"5000\"; write a number from -1 to 1000");
  CHECK(with("", R"(<c2c count="1" bw="99999999999999999999"/>)") ==
        "t.xml:3:1: bw is \"99999999999999999999\"; write a number from -1 to 1000000000");
  CHECK(with(R"(sm="9999999")").find("sm is \"9999999\"; write a number from -1 to 100000") !=
        std::string::npos);
  CHECK(nccl_refusal(one_cpu(nic_at("01:00.0", "\n<net speed=\"99999999999\"/>"))) ==
        "t.xml:3:1: speed is \"99999999999\"; write it in Mbit/s, at most 10000000");
  CHECK(nccl_refusal("<system><cpu numaid=\"-7\"/></system>") ==
        "t.xml:1:9: numaid is \"-7\"; write a number from -1 to 1000000");
}

TEST_CASE("a file of too many cpus or bytes is refused") {
  std::string cpus = "<system>";
  for (int i = 0; i < 1025; ++i) cpus += "\n<cpu/>";
  CHECK(nccl_refusal(cpus + "</system>") ==
        "t.xml:1026:1: there are more than 1024 cpus; import one machine at a time");
  CHECK(nccl_refusal(std::string(static_cast<std::size_t>(kMostImportBytes) + 1, ' ')) ==
        "t.xml: the text has 64000001 bytes; write at most 64000000");
}

TEST_CASE("every beginning of a file is refused in one line, but the whole one") {
  const std::string whole = sound_file();
  for (std::size_t size = 0; size < whole.rfind("</system>"); ++size) {
    const std::string refusal = nccl_refusal(whole.substr(0, size));
    CAPTURE(refusal);
    CHECK(refusal.starts_with("t.xml"));
    CHECK(refusal.find('\n') == std::string::npos);
  }
}

TEST_CASE("a damaged file is a machine or one clear error") {
  const std::string whole = sound_file();
  std::mt19937 random(4);
  constexpr std::string_view kBytes = "<>\"/= 09afx&-\t\n";
  int machines = 0;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (std::size_t damage = 1 + random() % 3; damage > 0; --damage)
      text[random() % text.size()] =
          round % 2 == 0 ? kBytes[random() % kBytes.size()] : static_cast<char>(random() % 256);
    const std::string refusal = nccl_refusal(text);
    if (refusal == "accepted") {
      ++machines;
    } else {
      ++refused;
      CHECK(refusal.starts_with("t.xml"));
      CHECK(refusal.find('\n') == std::string::npos);
    }
  }
  CHECK(machines > 300);
  CHECK(refused > 300);
}

TEST_CASE(
    "a file with lines lost, doubled or swapped, or values emptied, is a machine or an error") {
  const std::string whole = sound_file();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = whole.find('\n', at) + 1;
    lines.push_back(whole.substr(at, end - at));
    at = end;
  }
  const auto accepted = [](const std::vector<std::string>& some) {
    std::string text;
    for (const std::string& line : some) text += line;
    const std::string refusal = nccl_refusal(text);
    CHECK((refusal == "accepted" || refusal.starts_with("t.xml")));
    return refusal == "accepted";
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> some = lines;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    accepted(some);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      some = lines;
      std::swap(some[i], some[k]);
      accepted(some);
    }
  }
  CHECK(accepted(lines));
  for (std::size_t at = whole.find("=\""); at != whole.npos; at = whole.find("=\"", at + 2)) {
    std::string text = whole;
    text.erase(at + 2, text.find('"', at + 2) - at - 2);
    CHECK(nccl_refusal(text) == "accepted");
  }
}

}  // namespace syncsim::testing::nccl_refusals_test
