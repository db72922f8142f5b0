// What reports say of staging without a limit.

#include "sim/report/staging_note.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/base/page_text.h"
#include "sim/report/machine_report.h"
#include "tests/support/machines.h"
#include "tests/support/runs.h"

namespace syncsim::staging_note_test {
namespace {

using testing::gigabytes;

constexpr const char* kOfOne =
    "staged through cpu0, whose transit is not known: no limit taken; "
    R"(set it with --edit "node:cpu0 transit_bandwidth=...")";

Topology with_cpus(const std::vector<std::string>& ids) {
  Topology::Parts parts;
  testing::add_gpus(parts, 1);
  for (const std::string& id : ids) testing::add_node(parts, id, NodeKind::cpu);
  return Topology(parts);
}

// Two gpus at one cpu that do not reach each other.
Topology::Parts apart() {
  Topology::Parts parts;
  parts.name = "apart";
  testing::add_gpus(parts, 2);
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  for (const NodeId gpu : {0U, 1U})
    testing::add_cable(parts, gpu, cpu, testing::link_of(LinkKind::pcie, gigabytes(16)));
  parts.routing.p2p = PeerLevel::nvl;
  return parts;
}

RouteReport route(const Topology::Parts& parts) {
  return route_report(Topology(parts), Rates::line, 0, 1, 0);
}

}  // namespace

TEST_CASE("the note names each cpu once, briefly, and how its transit is set") {
  CHECK(staging_note(with_cpus({"cpu0"}), std::vector<NodeId>{1, 1}) == kOfOne);
  CHECK(staging_note(with_cpus({"n0/cpu0", "n0/cpu1", "n1/cpu0", "n1/cpu1"}),
                     std::vector<NodeId>{4, 3, 2, 1}) ==
        "staged through n[0-1]/cpu[0-1], whose transit is not known: no limit taken; "
        R"(set it with --edit "node:n[0-1]/cpu[0-1] transit_bandwidth=...")");
  CHECK(staging_note(with_cpus({"a", "b", "c", "d", "e"}), std::vector<NodeId>{1, 2, 3, 4, 5}) ==
        "staged through a, b, c, d, ..., whose transit is not known: no limit taken; "
        R"(set it with --edit "node:a transit_bandwidth=...")");
}

TEST_CASE("a route says where it is staged without a limit") {
  Topology::Parts parts = apart();
  CHECK(route(parts).notes == std::vector<std::string>{kOfOne});
  MachineReport report = machine_report(Topology(parts), Rates::line);
  report.route = route(parts);
  CHECK(machine_text(report).ends_with("\n" + within_page(std::string("  ") + kOfOne + "\n")));
  CHECK(machine_json(report).find(R"("notes": [)") != std::string::npos);
  parts.nodes[2].transit_bandwidth = gigabytes(24);
  CHECK(route(parts).notes.empty());
  parts.nodes[2].transit_bandwidth.reset();
  parts.routing.p2p = PeerLevel::sys;  // through the cpu, not staged
  CHECK(route(parts).notes.empty());
}

}  // namespace syncsim::staging_note_test
