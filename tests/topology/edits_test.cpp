#include "sim/topology/edits.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/machines.h"
#include "tests/topology/json_support.h"

namespace syncsim::edits_test {
namespace {

using testing::gigabytes;
using testing::refusal_of;

// gpu0, gpu1, gpu2 on switch0 at 16 GB/s, 12 usable, 2 us; gpu0-gpu1 also by nvlink.
Topology machine() {
  Topology::Parts parts = testing::star(3);
  for (Link& link : parts.links) {
    link.usable = gigabytes(12);
    link.latency = {2'000'000};
  }
  testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::nvlink, gigabytes(50), 2));
  return Topology(parts);
}

Topology edited(const Topology& topology, std::string_view text) {
  const std::vector<Edit> edits = {parse_edit(text)};
  return apply_edits(topology, edits);
}

std::string refusal(const Topology& topology, std::string_view text) {
  return refusal_of([&] { edited(topology, text); });
}

const Link& link(const Topology& topology, std::string_view name) {
  for (const Link& candidate : topology.links())
    if (candidate.name == name) return candidate;
  FAIL("no link " << name);
  return topology.links().front();
}

bool has_link(const Topology& topology, std::string_view name) {
  for (const Link& candidate : topology.links())
    if (candidate.name == name) return true;
  return false;
}

}  // namespace

TEST_CASE("a bandwidth set on a cable holds for both directions, and for no other cable") {
  const Topology topology = edited(machine(), "link:gpu0-switch0 bandwidth=8 GB/s");
  CHECK(link(topology, "gpu0>switch0").bandwidth == gigabytes(8));
  CHECK(link(topology, "switch0>gpu0").bandwidth == gigabytes(8));
  CHECK(link(topology, "gpu1>switch0").bandwidth == gigabytes(16));
  CHECK(link(topology, "gpu0>gpu1").bandwidth == gigabytes(50));
}

TEST_CASE("a cable is named from either end") {
  const Topology topology = edited(machine(), "link:switch0-gpu0 bandwidth=8 GB/s");
  CHECK(link(topology, "gpu0>switch0").bandwidth == gigabytes(8));
  CHECK(link(topology, "switch0>gpu0").bandwidth == gigabytes(8));
}

TEST_CASE("a figure set on a direction leaves the way back alone") {
  const Topology topology = edited(machine(), "link:gpu0>switch0 bandwidth=8 GB/s");
  CHECK(link(topology, "gpu0>switch0").bandwidth == gigabytes(8));
  CHECK(link(topology, "switch0>gpu0").bandwidth == gigabytes(16));
  const Topology slow = edited(machine(), "link:switch0>* latency=5 us");
  CHECK(link(slow, "switch0>gpu2").latency == Time{5'000'000});
  CHECK(link(slow, "gpu2>switch0").latency == Time{2'000'000});
}

TEST_CASE("usable keeps its fraction of the line rate, and a bundle its count") {
  const Topology set = edited(machine(), "link:gpu0-switch0 bandwidth=8 GB/s");
  CHECK(link(set, "gpu0>switch0").usable == gigabytes(6));
  const Topology scaled = edited(machine(), "scale kind:pcie bandwidth 2");
  CHECK(link(scaled, "gpu2>switch0").bandwidth == gigabytes(32));
  CHECK(link(scaled, "gpu2>switch0").usable == gigabytes(24));
  const Topology bundle = edited(machine(), "link:gpu0-gpu1 bandwidth=40 GB/s");
  CHECK(link(bundle, "gpu0>gpu1").bandwidth == gigabytes(40));
  CHECK(link(bundle, "gpu0>gpu1").count == 2);
}

TEST_CASE("a latency is set and scaled to the nearest picosecond") {
  CHECK(link(edited(machine(), "link:gpu0-switch0 latency=7 ns"), "gpu0>switch0").latency ==
        Time{7'000});
  const Topology scaled = edited(machine(), "scale link:gpu0-switch0 latency 0.3333333");
  CHECK(link(scaled, "gpu0>switch0").latency == Time{666'667});
  CHECK(link(scaled, "gpu1>switch0").latency == Time{2'000'000});
  CHECK(link(scaled, "gpu0>switch0").bandwidth == gigabytes(16));
}

TEST_CASE("figures are set and scaled by kind, and other kinds stay") {
  const Topology set = edited(machine(), "kind:pcie latency=0 us");
  CHECK(link(set, "gpu1>switch0").latency == Time{});
  const Topology scaled = edited(machine(), "scale kind:nvlink bandwidth 0.5");
  CHECK(link(scaled, "gpu0>gpu1").bandwidth == gigabytes(25));
  CHECK(link(scaled, "gpu0>switch0").bandwidth == gigabytes(16));
}

TEST_CASE("a star in a pattern stands for any run of characters") {
  const Topology topology = edited(machine(), "link:gpu*-switch0 bandwidth=8 GB/s");
  for (const std::string name : {"gpu0>switch0", "gpu1>switch0", "switch0>gpu2"})
    CHECK(link(topology, name).bandwidth == gigabytes(8));
  CHECK(link(topology, "gpu0>gpu1").bandwidth == gigabytes(50));
  const Topology all = edited(machine(), "scale link:* bandwidth 0.5");
  CHECK(link(all, "gpu0>gpu1").bandwidth == gigabytes(25));
  CHECK(link(all, "gpu2>switch0").bandwidth == gigabytes(8));
  const Topology middle = edited(machine(), "link:g*0-*w*ch0 bandwidth=8 GB/s");
  CHECK(link(middle, "gpu0>switch0").bandwidth == gigabytes(8));
  CHECK(link(middle, "gpu1>switch0").bandwidth == gigabytes(16));
}

TEST_CASE("a removed cable is gone both ways, and the names of the others stay") {
  const Topology topology = edited(machine(), "remove link:gpu1-gpu0");
  CHECK(!has_link(topology, "gpu0>gpu1"));
  CHECK(!has_link(topology, "gpu1>gpu0"));
  CHECK(topology.links().size() == 6);
  CHECK(edited(machine(), "remove kind:nvlink").links().size() == 6);
}

TEST_CASE("a removed node takes its links and its rank along - the others close ranks") {
  const Topology topology = edited(machine(), "remove node:gpu0");
  CHECK(!topology.find_node("gpu0"));
  CHECK(topology.ranks() == std::vector<NodeId>{0, 1});
  CHECK(topology.nodes()[topology.ranks()[0]].id == "gpu1");
  CHECK(topology.links().size() == 4);
  CHECK(topology.nodes()[link(topology, "gpu2>switch0").from].id == "gpu2");
  CHECK(topology.nodes()[link(topology, "gpu2>switch0").to].id == "switch0");
  CHECK(edited(machine(), "remove node:*2").nodes().size() == 3);
}

TEST_CASE("edits are applied in order, each to what the one before left") {
  const std::vector<Edit> edits = {parse_edit("link:gpu0-switch0 bandwidth=8 GB/s"),
                                   parse_edit("scale kind:pcie bandwidth 0.5"),
                                   parse_edit("remove node:gpu1")};
  const Topology before = machine();
  const Topology after = apply_edits(before, edits);
  CHECK(link(after, "gpu0>switch0").bandwidth == gigabytes(4));
  CHECK(link(after, "gpu2>switch0").bandwidth == gigabytes(8));
  CHECK(after.ranks().size() == 2);
  CHECK(link(before, "gpu0>switch0").bandwidth == gigabytes(16));
  CHECK(apply_edits(before, {}).links().size() == before.links().size());
}

TEST_CASE("where two nodes share two kinds of cable, the name says which") {
  Topology::Parts parts = testing::star(2);
  testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::nvlink, gigabytes(50)));
  testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::pcie, gigabytes(16)));
  const Topology topology(parts);
  const Topology removed = edited(topology, "remove link:gpu1-gpu0@pcie");
  CHECK(has_link(removed, "gpu0>gpu1@nvlink"));
  CHECK(!has_link(removed, "gpu0>gpu1@pcie"));
  CHECK(refusal(topology, "remove link:gpu0-gpu1") ==
        R"(edit "remove link:gpu0-gpu1": no link is called "gpu0-gpu1"; )"
        R"(did you mean "gpu0-gpu1@nvlink"?)");
}

TEST_CASE("a removal that cuts ranks off names them") {
  const std::string right = "; keep a way between them, or leave some out of the ranks";
  CHECK(refusal(machine(), "remove link:gpu2-switch0") ==
        R"(edit "remove link:gpu2-switch0": gpu2 (rank 2) is cut off from gpu0)" + right);
  CHECK(refusal(machine(), "remove node:switch0") ==
        R"(edit "remove node:switch0": gpu2 (rank 2) is cut off from gpu0)" + right);
  CHECK(refusal(machine(), "remove node:gpu*") ==
        R"(edit "remove node:gpu*": no ranks are left; keep at least one rank)");
}

TEST_CASE("a target that matches nothing is told the closest name, or the names there are") {
  CHECK(refusal(machine(), "remove link:gpu0-swich0") ==
        R"(edit "remove link:gpu0-swich0": no link is called "gpu0-swich0"; )"
        R"(did you mean "gpu0-switch0"?)");
  CHECK(refusal(machine(), "link:gpu9>switch0 latency=1 us") ==
        R"(edit "link:gpu9>switch0 latency=1 us": no link is called "gpu9>switch0"; )"
        R"(did you mean "gpu0>switch0"?)");
  CHECK(refusal(machine(), "remove link:x") ==
        R"(edit "remove link:x": no link is called "x"; )"
        "choose one of gpu0-switch0, gpu1-switch0, gpu2-switch0, gpu0-gpu1");
  CHECK(refusal(machine(), "remove node:nic0") ==
        R"(edit "remove node:nic0": no node is called "nic0"; )"
        "choose one of gpu0, gpu1, gpu2, switch0");
  CHECK(refusal(machine(), "remove node:swtch0") ==
        R"(edit "remove node:swtch0": no node is called "swtch0"; did you mean "switch0"?)");
  CHECK(refusal(machine(), "scale kind:nvlnk bandwidth 2") ==
        R"(edit "scale kind:nvlnk bandwidth 2": no link is of kind "nvlnk"; )"
        R"(did you mean "nvlink"?)");
  CHECK(refusal(machine(), "remove kind:socket") ==
        R"(edit "remove kind:socket": no link is of kind "socket"; choose one of nvlink, pcie)");
}

TEST_CASE("an edit that breaks a rule of machines is told the rule") {
  Topology::Parts parts = testing::star(2);
  for (Link& each : parts.links) each.half_duplex = true;
  CHECK(refusal(Topology(parts), "link:gpu0>switch0 bandwidth=8 GB/s") ==
        R"(edit "link:gpu0>switch0 bandwidth=8 GB/s": link "gpu0>switch0" is half duplex and )"
        "differs in bandwidth from its way back; "
        "give both directions the one bandwidth that they share");
  CHECK(refusal(machine(), "scale kind:pcie bandwidth 1e300") ==
        R"(edit "scale kind:pcie bandwidth 1e300": the bandwidth of gpu0>switch0 would be inf )"
        "B/s; keep it from 1 B/s to 1000000 TB/s");
  CHECK(
      refusal(machine(), "scale kind:pcie latency 1e300") ==
      R"(edit "scale kind:pcie latency 1e300": the latency 2.0000 us cannot be scaled by 1e+300; )"
      "keep it to 1 s");
}

}  // namespace syncsim::edits_test
