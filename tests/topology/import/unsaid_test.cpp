// What imported machines leave unsaid.

#include "sim/topology/import/unsaid.h"

#include <doctest/doctest.h>

#include "tests/support/machines.h"

namespace syncsim::unsaid_test {
namespace {

using testing::gigabytes;
using Lines = std::vector<std::string>;

// Two gpus on a switch and a third one beside it, below one cpu.
Topology::Parts machine(std::optional<Bandwidth> transit) {
  Topology::Parts parts;
  testing::add_gpus(parts, 3);
  const NodeId plx = testing::add_node(parts, "plx0", NodeKind::switch_);
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  parts.nodes[cpu].transit_bandwidth = transit;
  Link pcie = testing::link_of(LinkKind::pcie, gigabytes(16));
  pcie.latency = {1};
  for (const auto& [from, to] :
       {std::pair(NodeId{0}, plx), {NodeId{1}, plx}, {NodeId{2}, cpu}, {plx, cpu}})
    testing::add_cable(parts, from, to, pcie);
  return parts;
}

}  // namespace

TEST_CASE("a cpu between gpus whose capacity is not known is told, with how to set it") {
  CHECK(
      unsaid_figures(Topology(machine(std::nullopt))) ==
      Lines{"gpu0 and gpu2 reach each other through cpu0, and nothing says what it can pass on: "
            R"(took no limit; set one with --edit "node:cpu0 transit_bandwidth=..." or "node:cpu* )"
            R"(...")"});
  CHECK(unsaid_figures(Topology(machine(gigabytes(40)))).empty());
}

TEST_CASE("a cpu that no gpus pass, or that is a rank, is not told") {
  Topology::Parts pair = machine(std::nullopt);
  pair.ranks = {0, 1};
  CHECK(unsaid_figures(Topology(pair)).empty());
  pair.ranks = {0, 1, 4};
  CHECK(unsaid_figures(Topology(pair)).empty());
}

TEST_CASE("a machine without any latency is told") {
  Topology::Parts parts = machine(gigabytes(40));
  for (Link& link : parts.links) link.latency = {};
  CHECK(unsaid_figures(Topology(parts)) == Lines{"says no latencies, so all are 0"});
}

}  // namespace syncsim::unsaid_test
