// What is said of a machine and of a route, as text and as JSON.

#include "sim/report/machine_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/topology/edits.h"
#include "tests/support/machines.h"
#include "tests/support/runs.h"

namespace syncsim::machine_report_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::gigabytes;
using testing::link_of;

RouteReport route(const Topology& machine, const std::string& from, const std::string& to,
                  std::uint32_t channel = 0) {
  return route_report(machine, Rates::line, machine.node(from), machine.node(to), channel);
}

std::vector<std::string> names(const RouteReport& report) {
  std::vector<std::string> result;
  for (const RouteReport::Step& step : report.steps) result.push_back(step.name);
  return result;
}

using Names = std::vector<std::string>;

// gpu0 - cpu0 - gpu1, whose cpu passes 10 GB/s.
Topology behind_cpu() {
  Topology::Parts parts;
  parts.name = "two";
  testing::add_gpus(parts, 2);
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  parts.nodes[cpu].transit_bandwidth = gigabytes(10);
  parts.nodes[cpu].peer_cost = 1.2;
  Link cable = link_of(LinkKind::pcie, gigabytes(16));
  cable.latency = Time{500'000};
  for (const NodeId gpu : {0U, 1U}) testing::add_cable(parts, gpu, cpu, cable);
  return Topology(parts);
}

}  // namespace

TEST_CASE("cables are counted one by one, also those of a bundle") {
  CHECK(to_string(counts_of(Topology(testing::dgx1v()))) == "8 ranks, 14 nodes, 37 cables");
  CHECK(to_string(counts_of(Topology(testing::star(1)))) == "1 rank, 2 nodes, 1 cable");
}

TEST_CASE("ranks that send the same are told together, those that do not apart") {
  Topology::Parts parts = testing::star(4);
  parts.links[4].bandwidth = gigabytes(32);
  const MachineReport report = machine_report(Topology(parts), Rates::line);
  REQUIRE(report.injection.size() == 2);
  CHECK(report.injection[0].ranks == Names{"gpu[0-1]", "gpu3"});
  CHECK(report.injection[0].parts.at(LinkKind::pcie) == Injection::Part{16e9, 1});
  CHECK(report.injection[1].ranks == Names{"gpu2"});
  CHECK(report.injection[1].parts.at(LinkKind::pcie) == Injection::Part{32e9, 1});
}

TEST_CASE("what a gpu sends over a kind is the sum of its links of that kind, at the rates asked") {
  const Topology dgx1v = testing::shelf_machine("dgx1v");
  CHECK(machine_report(dgx1v, Rates::line).injection[0].parts.at(LinkKind::nvlink) ==
        Injection::Part{150e9, 6});
  CHECK(machine_report(dgx1v, Rates::usable).injection[0].parts.at(LinkKind::nvlink) ==
        Injection::Part{120e9, 6});
}

TEST_CASE("links are grouped by the figures of one cable, both ways") {
  Topology::Parts parts = testing::star(3);
  parts.links[0].bandwidth = parts.links[0].usable = gigabytes(8);
  const MachineReport report = machine_report(Topology(parts), Rates::line);
  REQUIRE(report.links.size() == 2);
  CHECK(report.links[0].cables == 1);
  CHECK(report.links[0].there.bandwidth == gigabytes(8));
  CHECK(report.links[0].back.bandwidth == gigabytes(16));
  CHECK(report.links[1].cables == 2);
  const std::string text = machine_text(report);
  CHECK(text.find("pcie                  1 8 GB/s / 16 GB/s") != std::string::npos);
}

TEST_CASE("of a cluster its boxes are told, its nics, and what joins its halves") {
  const MachineReport report = machine_report(testing::shelf_machine("dgx_a100_x4"), Rates::line);
  CHECK(report.boxes == 4);
  CHECK(report.network.nics == 32);
  CHECK(report.network.rate == 32 * 25e9);
  const std::string text = machine_text(report);
  for (const char* line :
       {"32 nics in 4 boxes\n", "network        32 nics: 800 GB/s, 25 GB/s a rank\n",
        "bisection      400 GB/s over all links: node[0-1]/gpu[0-7] to node[2-3]/gpu[0-7], the "
        "first half of\n"
        "  the ranks\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("a route is told node by node, with the node that sets its rate") {
  const RouteReport report = route(behind_cpu(), "gpu0", "gpu1");
  CHECK(report.path == Names{"gpu0", "cpu0", "gpu1"});
  CHECK(names(report) == Names{"gpu0>cpu0", "cpu0:transit", "cpu0>gpu1"});
  CHECK(report.steps[0].kind == "pcie");
  CHECK(report.steps[0].coefficient == doctest::Approx(1.2));
  CHECK(report.steps[1].kind == "transit");
  CHECK(report.hops == 2);
  CHECK(report.latency == Time{1'000'000});
  CHECK(report.bottleneck == "cpu0:transit");
  CHECK(report.rate == 10e9);
}

TEST_CASE("a spread route passes several nodes at once, and all its links are told") {
  const RouteReport report = route(Topology(testing::dgx2()), "gpu0", "gpu9");
  CHECK(report.path == Names{"gpu0", "nvs[0-5]", "nvs[6-11]", "gpu9"});
  CHECK(report.steps.size() == 18);
  CHECK(report.rate == doctest::Approx(150e9));
  CHECK(report.bottleneck == "gpu0>nvs0");
}

TEST_CASE("a spread route that passes a node twice names it at both places") {
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  for (const char* id : {"plx0", "up0", "up1"}) testing::add_node(parts, id, NodeKind::switch_);
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  for (const NodeId gpu : {0U, 1U})
    testing::add_cable(parts, gpu, 2, link_of(LinkKind::pcie, gigabytes(16)));
  for (const NodeId up : {3U, 4U})
    for (const NodeId end : {NodeId{2}, cpu}) {
      Link link = link_of(LinkKind::pcie, gigabytes(8));
      link.spread = Spread::stripe;
      testing::add_cable(parts, up, end, link);
    }
  parts.routing.p2p = PeerLevel::nvl;
  CHECK(route(Topology(parts), "gpu0", "gpu1").path ==
        Names{"gpu0", "plx0", "up[0-1]", "cpu0", "up[0-1]", "plx0", "gpu1"});
}

TEST_CASE("a route to the node itself has no steps and no bottleneck") {
  const RouteReport report = route(behind_cpu(), "gpu0", "gpu0");
  CHECK(report.path == Names{"gpu0"});
  CHECK(report.steps.empty());
  MachineReport machine = machine_report(behind_cpu(), Rates::line);
  machine.route = report;
  CHECK(machine_text(machine).ends_with("route gpu0 to gpu0, channel 0\npath           gpu0\n"));
  CHECK(Json::parse(machine_json(machine))["route"]["GBps"].is_null());
}

TEST_CASE("the text says what is not usual of nodes, and the route's figures in columns") {
  MachineReport report = machine_report(behind_cpu(), Rates::line);
  report.description = "a test";
  report.edits = {"remove node:nic0"};
  report.route = route(behind_cpu(), "gpu0", "gpu1");
  CHECK("\n" + machine_text(report) == R"(
two: 2 ranks, 3 nodes, 2 cables, line rates
  a test
  edit: remove node:nic0
nodes          2 gpus, 1 cpu
ranks          gpu[0-1]
               cpu0: transit 10 GB/s
               cpu0: peer cost 1.2
routing        P2P up to SYS, ACS off, GPUDirect on
sends          gpu[0-1]: pcie 16 GB/s (1 cable)
bisection      10 GB/s over all links: gpu0 to gpu1, the least of all halves
links            cables           rate         usable       latency
pcie                  2        16 GB/s        16 GB/s   500.0000 ns

route gpu0 to gpu1, channel 0
path           gpu0 > cpu0 > gpu1
hops           2
latency        1.0000 us
bottleneck     cpu0:transit lets 10 GB/s through
  link or node             kind               rate     used       latency
  gpu0>cpu0                pcie            16 GB/s    x 1.2   500.0000 ns
  cpu0:transit             transit         10 GB/s
  cpu0>gpu1                pcie            16 GB/s    x 1.2   500.0000 ns
)");
}

TEST_CASE("the routing policy and what nodes can do is told") {
  Topology::Parts parts = testing::star(2);
  const NodeId nic = testing::add_node(parts, "nic0", NodeKind::nic);
  testing::add_cable(parts, 2, nic, link_of(LinkKind::pcie, gigabytes(16)));
  parts.nodes[2].abilities = {true, true};
  parts.nodes[2].reduce_bandwidth = gigabytes(5);
  parts.nodes[0].forwards = true;
  parts.nodes[nic].forwards = false;
  parts.routing = {PeerLevel::pxb, true, false, true, true, {{0, nic}}};
  const MachineReport report = machine_report(Topology(parts), Rates::line);
  const std::string text = machine_text(report);
  for (const char* line :
       {"switch0: reduces in the network\n", "switch0: multicasts\n", "switch0: adds up 5 GB/s\n",
        "gpu0: forwards\n", "nic0: does not forward\n", "gpu0 uses nic0\n",
        "P2P up to PXB, ACS on, GPUDirect off, relays by NVLink, relays to far nics\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(Json::parse(machine_json(report))["routing"].dump() ==
        R"({"p2p":"PXB","acs":true,"gdr":false,"relays":["nvb","pxn"],"nics":["gpu0 uses nic0"]})");
}

}  // namespace syncsim::machine_report_test
