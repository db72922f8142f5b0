// Cables, lanes, generations and ratios: the bandwidths that come of them, exactly.

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/pcie.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/edits/edits_support.h"

namespace syncsim::figures_test {
namespace {

using testing::edit_refusal;
using testing::edited;
using testing::gigabytes;
using testing::link_named;
using testing::parse_refusal;
using testing::refusal_of;
using testing::two_socket_server;
using testing::written;

Bandwidth rate_after(const std::string& edit, std::string_view link) {
  return link_named(edited(two_socket_server(), {edit}), link).bandwidth;
}

}  // namespace

TEST_CASE("of several figures the bandwidth is what comes out, in whatever order they stand") {
  const Topology topology =
      edited(two_socket_server(), {"link:gpu0-plx0 width=x8 bandwidth=10 GB/s latency=1 us"});
  const Link& link = link_named(topology, "plx0>gpu0");
  CHECK(link.lanes == 8);
  CHECK(link.bandwidth == gigabytes(10));
  CHECK(link.usable == gigabytes(7.5));
  CHECK(link.latency == Time{1'000'000});
  for (const char* edit : {"link:gpu0-plx0 bandwidth=10 GB/s width=x8",
                           "link:gpu0-plx0 gen=4 bandwidth=10 GB/s width=x8"})
    CHECK(rate_after(edit, "gpu0>plx0") == gigabytes(10));
}

TEST_CASE("a kind is set as a whole, by pattern too, and other kinds stay") {
  CHECK(rate_after("kind:pcie bandwidth=8 GB/s", "plx1>nic1") == gigabytes(8));
  CHECK(rate_after("kind:pcie bandwidth=8 GB/s", "nic0>net0") == gigabytes(12.5));
  CHECK(rate_after("kind:n* bandwidth=8 GB/s", "gpu0>gpu1") == gigabytes(8));
  CHECK(rate_after("kind:n* bandwidth=8 GB/s", "nic0>net0") == gigabytes(8));
  CHECK(rate_after("kind:n* bandwidth=8 GB/s", "gpu0>plx0") == gigabytes(16));
}

TEST_CASE("bandwidth goes with the number of cables") {
  const Topology topology = edited(two_socket_server(), {"link:gpu0-gpu1 count=3"});
  CHECK(link_named(topology, "gpu1>gpu0").count == 3);
  CHECK(link_named(topology, "gpu1>gpu0").bandwidth == gigabytes(75));
  CHECK(written(edited(topology, {"link:gpu0-gpu1 count=2"})) == written(two_socket_server()));
  for (const std::string count : {"0", "3000000000"})
    CHECK(parse_refusal("link:a-b count=" + count) ==
          "\"" + count + "\" is out of range; write one from 1 to 2147483647");
}

TEST_CASE("PCIe bandwidth goes with the number of lanes") {
  CHECK(rate_after("link:gpu0-plx0 width=x8", "gpu0>plx0") == gigabytes(8));
  CHECK(rate_after("link:gpu*-plx* width=x4", "plx1>gpu3") == gigabytes(4));
  CHECK(rate_after("kind:pcie width=x1", "plx1>cpu1") == gigabytes(1));
  CHECK(rate_after("kind:pcie width=x32", "plx1>cpu1") == gigabytes(32));
  CHECK(rate_after("kind:pcie width=x16", "plx1>cpu1") == gigabytes(16));
  const Topology narrow = edited(two_socket_server(), {"kind:pcie width=x8"});
  CHECK(link_named(narrow, "gpu0>plx0").usable == gigabytes(6));
  CHECK(written(edited(narrow, {"kind:pcie width=x16"})) == written(two_socket_server()));
}

TEST_CASE("PCIe bandwidth doubles with a generation, but for the change of coding at gen 3") {
  CHECK(rate_after("kind:pcie gen=4", "gpu0>plx0") == gigabytes(32));
  CHECK(rate_after("kind:pcie gen=5", "gpu0>plx0") == gigabytes(64));
  CHECK(rate_after("kind:pcie gen=6", "gpu0>plx0") == gigabytes(128));
  CHECK(rate_after("kind:pcie gen=3", "gpu0>plx0") == gigabytes(16));
  // 5 GT/s coded 8b/10b against 8 GT/s coded 128b/130b.
  CHECK(rate_after("kind:pcie gen=2", "gpu0>plx0").bytes_per_second ==
        doctest::Approx(16e9 * (5.0 * 8 / 10) / (8.0 * 128 / 130)).epsilon(1e-14));
  CHECK(rate_after("kind:pcie gen=1", "gpu0>plx0").bytes_per_second ==
        doctest::Approx(8.125e9 / 2).epsilon(1e-14));
  CHECK(pcie_lane_gigabits(2) / pcie_lane_gigabits(1) == 2);
  CHECK(link_named(edited(two_socket_server(), {"kind:pcie gen=4"}), "gpu0>plx0").generation == 4);
}

TEST_CASE("machines of the shelf know the lanes and generation of their PCIe links") {
  for (const std::string name : {"pcie_4gpu", "pcie_8gpu", "dgx1v", "p3_textbook"}) {
    const Topology topology = load_topology(name, SYNCSIM_SHELF);
    const Topology narrow = edited(topology, {"kind:pcie gen=4 width=x8"});
    CHECK(written(narrow) != written(topology));
    CHECK(narrow.links().back().bandwidth == topology.links().back().bandwidth);
  }
}

TEST_CASE("width and generation are of PCIe links that say theirs, and of whole cables") {
  const Topology machine = two_socket_server();
  CHECK(edit_refusal(machine, "link:gpu0-gpu1 width=x8") ==
        R"(edit "link:gpu0-gpu1 width=x8": gpu0>gpu1 is of kind nvlink and has no width; )"
        R"(name PCIe links, as in "kind:pcie")");
  CHECK(edit_refusal(machine, "link:gpu0-* gen=4") ==
        R"(edit "link:gpu0-* gen=4": gpu0>gpu1 is of kind nvlink and has no generation; )"
        R"(name PCIe links, as in "kind:pcie")");
  const Topology star(testing::star(2));
  CHECK(edit_refusal(star, "kind:pcie width=x8") ==
        R"(edit "kind:pcie width=x8": gpu0>switch0 does not say its width; )"
        R"(set its bandwidth, or add "lanes" to its link type)");
  CHECK(edit_refusal(star, "kind:pcie gen=4") ==
        R"(edit "kind:pcie gen=4": gpu0>switch0 does not say its generation; )"
        R"(set its bandwidth, or add "generation" to its link type)");
  for (const std::string figure : {"width", "gen", "count"})
    CHECK(parse_refusal("link:gpu0>plx0 " + figure + "=4") ==
          "both directions of a cable have one " + figure +
              R"(; name the cable, as in "link:a-b")");
  for (const std::string width : {"x3", "x0", "x", "wide", "-8", "x64"})
    CHECK(parse_refusal("kind:pcie width=" + width) ==
          "\"" + width +
              "\" is no width of a PCIe link; "
              "write one of x1, x2, x4, x8, x12, x16, x32");
  for (const std::string generation : {"0", "7"})
    CHECK(parse_refusal("kind:pcie gen=" + generation) ==
          "\"" + generation + "\" is out of range; write one from 1 to 6");
}

TEST_CASE("an oversubscribed link has its bandwidth divided by the ratio") {
  CHECK(rate_after("oversubscribe link:plx*-cpu* 2", "cpu0>plx0") == gigabytes(8));
  CHECK(rate_after("oversubscribe link:plx*-cpu* 2", "gpu0>plx0") == gigabytes(16));
  CHECK(rate_after("oversubscribe link:plx0>cpu0 4", "plx0>cpu0") == gigabytes(4));
  CHECK(rate_after("oversubscribe link:plx0>cpu0 4", "cpu0>plx0") == gigabytes(16));
  CHECK(rate_after("oversubscribe kind:network 3", "nic0>net0") == Bandwidth{12.5e9 / 3});
}

TEST_CASE("link types say lanes and generation of PCIe, and of nothing else") {
  const auto machine = [](std::string_view type) {
    return testing::read_machine(R"({"name": "m", "link_types": {"x": )" + std::string(type) +
                                 R"(}, "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
        "links": [{"between": ["gpu0", "gpu1"], "type": "x"}]})");
  };
  const std::string pcie = R"({"kind": "pcie", "bandwidth": "16 GB/s", )";
  const Topology known = machine(pcie + R"("lanes": 8, "generation": 4})");
  CHECK(known.links()[1].lanes == 8);
  CHECK(known.links()[1].generation == 4);
  CHECK(refusal_of([&] { machine(pcie + R"("lanes": 3})"); }) ==
        "m.json:/link_types/x/lanes: 3 is no width of a PCIe link; "
        "write one of 1, 2, 4, 8, 12, 16, 32");
  CHECK(refusal_of([&] { machine(pcie + R"("generation": 0})"); }).find("/generation") !=
        std::string::npos);
  CHECK(refusal_of([&] {
          machine(R"({"kind": "nvlink", "bandwidth": "16 GB/s", "lanes": 16})");
        }) == "m.json:/link_types/x/lanes: a link of kind nvlink has no PCIe lanes; leave it out");
}

TEST_CASE("a machine built by hand keeps the rules of lanes and generations") {
  Topology::Parts parts = testing::star(2);
  parts.links[0].lanes = 5;
  CHECK(refusal_of([&] { Topology{parts}; }) ==
        R"(link "gpu0>switch0" is PCIe generation 0 x5; )"
        "write a generation up to 6 and a width such as 16");
  parts = testing::star(2, gigabytes(16), LinkKind::nvlink);
  parts.links[0].generation = 3;
  CHECK(refusal_of([&] { Topology{parts}; }) ==
        R"(link "gpu0>switch0" is of kind nvlink and has PCIe lanes or a generation; )"
        "leave them out");
}

}  // namespace syncsim::figures_test
