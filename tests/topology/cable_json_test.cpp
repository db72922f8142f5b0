// What a link entry says besides its ends.

#include <doctest/doctest.h>

#include "tests/topology/json_support.h"

namespace syncsim::cable_json_test {
namespace {

std::string with_links(const std::string& links) {
  return R"({"name": "m", "link_types": {
      "x16": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"},
      "x8": {"kind": "pcie", "bandwidth": "8 GB/s", "latency": "2 us"},
      "half": {"kind": "pcie", "bandwidth": "8 GB/s", "duplex": "half"},
      "nvlink": {"kind": "nvlink", "bandwidth": "25 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}], "links": [)" +
         links + "]}";
}

Topology machine(const std::string& links) { return testing::read_machine(with_links(links)); }
std::string refusal(const std::string& links) {
  return testing::refusal_of([&] { machine(links); });
}

}  // namespace

TEST_CASE("\"back\" is the type of the way back") {
  const Topology both =
      machine(R"({"between": ["gpu0", "gpu1"], "type": "x16", "back": "x8", "count": 2})");
  CHECK(both.links()[0].bandwidth == Bandwidth{32e9});
  CHECK(both.links()[0].usable == Bandwidth{24e9});
  CHECK(both.links()[1].bandwidth == Bandwidth{16e9});
  CHECK(both.links()[1].usable == Bandwidth{16e9});
  CHECK(both.links()[0].latency.ps == 0);
  CHECK(both.links()[1].latency.ps == 2'000'000);
  CHECK(both.links()[1].count == 2);
}

TEST_CASE("\"bundle\" counts cables whose type has the figures of all") {
  const Topology bundle = machine(R"({"between": ["gpu0", "gpu1"], "type": "x16", "bundle": 3})");
  CHECK(bundle.links()[0].count == 3);
  CHECK(bundle.links()[0].bandwidth == Bandwidth{16e9});
  CHECK(bundle.links()[1].usable == Bandwidth{12e9});
}

TEST_CASE("\"kind_in_name\" names links against the rule") {
  const std::string ends = R"({"between": ["gpu0", "gpu1"], "type": "x16")";
  CHECK(machine(ends + "}").cable_name(0) == "gpu0-gpu1");
  CHECK(machine(ends + R"(, "kind_in_name": true})").cable_name(0) == "gpu0-gpu1@pcie");
  const Topology two = machine(
      ends + R"(, "kind_in_name": false}, {"between": ["gpu1", "gpu0"], "type": "nvlink"})");
  CHECK(two.links()[1].name == "gpu1>gpu0");
  CHECK(two.links()[2].name == "gpu1>gpu0@nvlink");
}

TEST_CASE("copies of a machine name their links as it does") {
  const std::string pair =
      with_links(R"({"between": ["gpu0", "gpu1"], "type": "x16", "kind_in_name": true})");
  const Topology copies = testing::read_machine(
      R"({"name": "two", "link_types": {"net": {"kind": "network", "bandwidth": "1 GB/s"}},
          "instances": [{"prefix": "n[0-1]/", "topology": )" +
      pair + R"(}],
          "nodes": [{"id": "s0", "kind": "switch"}],
          "links": [{"between": ["n[0-1]/gpu[0-1]", "s0"], "type": "net"}]})");
  CHECK(copies.cable_name(2) == "n1/gpu0-n1/gpu1@pcie");
}

TEST_CASE("contradictory ways back, counts and names are refused") {
  const std::string ends = R"({"between": ["gpu0", "gpu1"], "type": "x16", )";
  CHECK(refusal(ends + R"("back": "x4"})") ==
        R"(m.json:/links/0/back: unknown link type "x4"; did you mean "x8"?)");
  CHECK(refusal(ends + R"("back": "nvlink"})") ==
        "m.json:/links/0/back: the way back is nvlink and the way there pcie; "
        "write a type of the same kind");
  CHECK(refusal(ends + R"("back": "half"})") ==
        "m.json:/links/0/back: the two ways differ in duplex; write types of the same duplex");
  CHECK(refusal(ends + R"("count": 2, "bundle": 2})") ==
        R"(m.json:/links/0/bundle: a link entry has "count" or "bundle", not both; )"
        R"(write "count" where the type's figures are those of one cable)");
  CHECK(refusal(ends + R"("bundle": 0})") ==
        "m.json:/links/0/bundle: 0 is out of range; write a whole number from 1 to 2147483647");
  CHECK(refusal(ends + R"("kind_in_name": 1})") ==
        "m.json:/links/0/kind_in_name: is the number 1; write true or false");
  CHECK(refusal(ends + R"("kind_in_name": false},
                {"between": ["gpu0", "gpu1"], "type": "nvlink", "kind_in_name": false})") ==
        R"(m.json:/: there are two links "gpu0>gpu1"; )"
        R"(join two nodes by one cable of a kind, with a "count")");
}

}  // namespace syncsim::cable_json_test
