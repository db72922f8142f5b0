// Plain traffic on machines of 1 GB/s, where a byte takes 1,000 ps.

#include "sim/exec/replay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/flow_csv.h"
#include "sim/exec/flow_statistics.h"
#include "sim/exec/flow_work.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::replay_test {
namespace {

using testing::gigabytes;
using Finishes = std::vector<std::int64_t>;

Topology::Parts star(int gpus) { return testing::star(gpus, gigabytes(1)); }

Topology::Parts delayed_star() {
  Topology::Parts parts = star(3);
  for (Link& link : parts.links) {
    link.latency = {30};
    link.overhead = {7};
  }
  return parts;
}

Traffic flows(const std::string& lines, const Topology& machine) {
  std::istringstream input("start,source,destination,bytes,via,weight\n" + lines);
  return read_traffic(input, "f.csv", machine);
}

Replay replayed(const std::string& lines, const Topology& machine, ExecutionOptions options = {}) {
  options.audit = true;
  return replay(flows(lines, machine), machine, options);
}

Finishes finishes(const std::string& lines, const Topology::Parts& parts,
                  const ExecutionOptions& options = {}) {
  Finishes result;
  for (const Time time : replayed(lines, Topology(parts), options).finishes)
    result.push_back(time.ps);
  return result;
}

const ResourceTotals& resource(const Replay& replay, const std::string& name) {
  for (const ResourceTotals& totals : replay.resources)
    if (totals.name == name) return totals;
  FAIL("no resource " << name);
  return replay.resources.front();
}

// A fat tree of 4-port switches: 16 hosts, 4 pods of 2 edge and 2 aggregation switches, 4 cores.
Topology::Parts fat_tree() {
  Topology::Parts parts;
  parts.name = "fat tree";
  testing::add_gpus(parts, 16);
  const auto switches = [&](const std::string& name, int count) {
    const auto first = static_cast<NodeId>(parts.nodes.size());
    for (int i = 0; i < count; ++i)
      testing::add_node(parts, name + std::to_string(i), NodeKind::switch_);
    return first;
  };
  const NodeId edge = switches("edge", 8);
  const NodeId aggregation = switches("agg", 8);
  const NodeId core = switches("core", 4);
  Link link = testing::link_of(LinkKind::network, gigabytes(12.5));
  link.latency = {1'000'000};
  for (NodeId host = 0; host < 16; ++host) testing::add_cable(parts, host, edge + host / 2, link);
  for (NodeId i = 0; i < 8; ++i) {
    for (NodeId j = 0; j < 2; ++j) {
      testing::add_cable(parts, edge + i, aggregation + i / 2 * 2 + j, link);
      testing::add_cable(parts, aggregation + i, core + i % 2 * 2 + j, link);
    }
  }
  return parts;
}

// Not the library's distributions: those may differ between compilers.
class Random {
 public:
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % bound);
  }

 private:
  std::uint64_t state_ = 1;
};

Traffic random_flows(std::uint32_t count) {
  Random random;
  Traffic traffic;
  traffic.file = "random";
  for (std::uint32_t i = 0; i < count; ++i) {
    Flow flow;
    flow.start = {random.below(2'000'000) * std::int64_t{20'000}};
    flow.source = random.below(16);
    flow.destination = random.below(16);
    flow.bytes = {random.below(100'000)};
    flow.weight = 1 + random.below(3);
    if (random.below(4) == 0) flow.via = random.below(36);
    traffic.bytes = traffic.bytes + flow.bytes;
    traffic.flows.push_back(flow);
  }
  return traffic;
}

}  // namespace

TEST_CASE("two flows halve a link - the one that is left takes it all") {
  // 2 x 1,000 bytes until 2 us, then 2,000 bytes alone
  CHECK(finishes("0,gpu0,gpu1,1000,,\n0,gpu0,gpu2,3000,,", star(3)) ==
        Finishes{2'000'000, 4'000'000});
}

TEST_CASE("a flow that starts later takes its half from then on") {
  // the first has 1,000 bytes left at 1 us, as the second has
  CHECK(finishes("0,gpu0,gpu1,2000,,\n1 us,gpu0,gpu2,1000,,", star(3)) ==
        Finishes{3'000'000, 3'000'000});
  CHECK(finishes("0,gpu0,gpu1,500,,\n1 us,gpu0,gpu2,1000,,", star(3)) ==
        Finishes{500'000, 2'000'000});
}

TEST_CASE("three flows: a third each, then halves, then all") {
  // 1/3 GB/s until 3 us; the others have 1,000 and 2,000 left: 2 us in halves; 1,000 alone
  CHECK(finishes("0,gpu0,gpu1,1000,,\n0,gpu0,gpu1,2000,,\n0,gpu0,gpu1,3000,,", star(2)) ==
        Finishes{3'000'000, 5'000'000, 6'000'000});
}

TEST_CASE("weights share a link") {
  // 3/4 and 1/4 GB/s until 4 us, then 2,000 bytes alone
  CHECK(finishes("0,gpu0,gpu1,3000,,3\n0,gpu0,gpu2,3000,,1", star(3)) ==
        Finishes{4'000'000, 6'000'000});
}

TEST_CASE("flows do not queue behind each other, even between the same nodes") {
  CHECK(finishes("0,gpu0,gpu1,1000,,\n0,gpu0,gpu1,1000,,", star(2)) ==
        Finishes{2'000'000, 2'000'000});
}

TEST_CASE("a flow takes start + overhead + latency + transfer") {
  ExecutionOptions options;
  options.overhead = {200};
  // overhead: the run's 200 and the links' 7; latency: twice 30
  CHECK(finishes("11 ps,gpu0,gpu1,1000,,", delayed_star(), options) == Finishes{1'000'278});
  CHECK(finishes("11 ps,gpu0,gpu1,0,,", delayed_star(), options) == Finishes{278});
}

TEST_CASE("a flow from a node to itself takes the overhead only") {
  ExecutionOptions options;
  options.overhead = {200};
  CHECK(finishes("5 ps,gpu0,gpu0,1 GB,,", delayed_star(), options) == Finishes{205});
  CHECK(finishes("5 ps,gpu0,gpu0,1 GB,,", delayed_star()) == Finishes{5});
}

TEST_CASE("via a node: to it and on, both ways at once, latencies added") {
  const Topology machine(delayed_star());
  const Replay through = replayed("0,gpu0,gpu1,1000,gpu2,", machine);
  CHECK(through.finishes[0] == Time{1'000'127});
  for (const char* name : {"gpu0>switch0", "switch0>gpu2", "gpu2>switch0", "switch0>gpu1"})
    CHECK(resource(through, name).bytes == 1'000);
  CHECK(resource(through, "gpu1>switch0").bytes == 0);
  // a flow to itself by way of another comes back
  CHECK(replayed("0,gpu0,gpu0,1000,gpu1,", machine).finishes[0] == Time{1'000'127});
}

TEST_CASE("a cable that is used twice on the way has half its rate") {
  Topology::Parts half = star(2);
  for (Link& link : half.links) link.half_duplex = true;
  CHECK(finishes("0,gpu0,gpu0,1000,gpu1,", half) == Finishes{2'000'000});
  CHECK(finishes("0,gpu0,gpu0,1000,gpu1,", star(2)) == Finishes{1'000'000});
}

TEST_CASE("a via that the flow meets anyway changes nothing, transit included") {
  Topology::Parts slow = star(2);
  slow.nodes[2].transit_bandwidth = gigabytes(0.5);
  CHECK(finishes("0,gpu0,gpu1,1000,,", slow) == Finishes{2'000'000});
  CHECK(finishes("0,gpu0,gpu1,1000,switch0,", slow) == Finishes{2'000'000});
  CHECK(finishes("0,gpu0,gpu1,1000,gpu1,", slow) == Finishes{2'000'000});
  CHECK(finishes("0,gpu0,gpu1,1000,gpu0,", slow) == Finishes{2'000'000});
  CHECK(finishes("0,gpu0,gpu0,1000,gpu0,", slow) == Finishes{0});
}

TEST_CASE("flows begin and end at any node - usable rates are used where asked for") {
  Topology::Parts machine = star(2);
  CHECK(finishes("0,switch0,gpu0,1000,,\n0,gpu1,switch0,500,,", machine) ==
        Finishes{1'000'000, 500'000});
  for (Link& link : machine.links) link.usable = gigabytes(0.5);
  ExecutionOptions usable;
  usable.rates = Rates::usable;
  CHECK(finishes("0,gpu0,gpu1,1000,,", machine, usable) == Finishes{2'000'000});
}

TEST_CASE("nodes without a route are refused at the flow's line") {
  Topology::Parts apart = star(2);
  testing::add_node(apart, "gpu2", NodeKind::gpu);
  CHECK(testing::refusal_of([&] { finishes("0,gpu0,gpu1,1,,\n0,gpu0,gpu2,1,,", apart); }) ==
        "f.csv:3: no route from gpu0 to gpu2; join them by links through nodes that forward "
        "(a gpu forwards only when it says so)");
  CHECK(testing::refusal_of([&] { finishes("0,gpu0,gpu1,1,gpu2,", apart); }) ==
        "f.csv:2: no route from gpu0 to gpu2; join them by links through nodes that forward "
        "(a gpu forwards only when it says so)");
}

TEST_CASE("time beyond 64 bits is refused") {
  CHECK(testing::refusal_of([&] { finishes("0,gpu0,gpu1,9000000 GB,,", star(2)); }) == "accepted");
  CHECK(testing::refusal_of([&] { finishes("0,gpu0,gpu1,10000000 GB,,", star(2)); }) ==
        "simulated time would pass 2^63 - 1 ps (about 106 days); "
        "move less, over faster links, at less overhead and latency");
}

TEST_CASE("flows of one pair share a route in the network") {
  const Topology machine(star(3));
  const Resources resources(machine, Rates::line);
  const Traffic traffic = flows(
      "0,gpu0,gpu1,1,,\n1,gpu0,gpu1,2,,\n0,gpu0,gpu1,1,gpu2,\n0,gpu0,gpu1,1,gpu0,\n0,gpu1,gpu0,1,,",
      machine);
  const FlowWork work(traffic, machine, resources, {}, 0);
  CHECK(work.size() == 5);
  CHECK(work.lane_count() == 5);
  CHECK(work.network().route_count() == 3);
  CHECK(work.route_of(0) == work.route_of(1));
  CHECK(work.route_of(0) == work.route_of(3));
}

TEST_CASE("times, percentiles and slowdown of the flows") {
  // alone 1, 3, 0 and 1 us; the first two halve a link and take 2 and 4 us
  const Topology machine(star(3));
  const Traffic traffic = flows(
      "1 us,gpu0,gpu1,1000,,\n1 us,gpu0,gpu2,3000,,\n1 us,gpu1,gpu1,9,,\n7 us,gpu1,gpu2,1000,,",
      machine);
  const FlowStatistics all = statistics_of(traffic, replay(traffic, machine, {}));
  CHECK(all.flows == 4);
  CHECK(all.bytes == Bytes{5'009});
  CHECK(all.first_start == Time{1'000'000});
  CHECK(all.last_finish == Time{8'000'000});
  CHECK(all.makespan() == Time{7'000'000});
  CHECK(all.mean == Time{1'750'000});
  CHECK(all.median == Time{1'000'000});
  CHECK(all.p99 == Time{4'000'000});
  CHECK(all.maximum == Time{4'000'000});
  CHECK(all.mean_slowdown == doctest::Approx((2 + 4.0 / 3 + 1 + 1) / 4).epsilon(1e-14));
}

TEST_CASE("written flows say all there is, and can be replayed") {
  const Topology machine(delayed_star());
  const std::string lines = "1.5 us,gpu0,gpu1,4 kB,,\n0.0000005,gpu0,gpu1,2000,gpu2,0.25\n";
  const Traffic traffic = flows(lines, machine);
  const Replay first = replay(traffic, machine, {});
  std::ostringstream out;
  write_flows(out, traffic, first, machine);
  // The second carries 999.94 bytes from 500,127 ps on, then a fifth of the link while the first
  // has the rest for 5 us, and its last 0.06 bytes alone.
  CHECK(out.str() ==
        "index,start,source,destination,bytes,via,weight,finish,fct,finish_ps,fct_ps\n"
        "0,0.000001500000,gpu0,gpu1,4000,,1,0.000006500067,0.000005000067,6500067,5000067\n"
        "1,0.000000500000,gpu0,gpu1,2000,gpu2,0.25,0.000006500127,0.000006000127,6500127,"
        "6000127\n");
  std::istringstream again(out.str());
  const Traffic reread = read_traffic(again, "again", machine);
  CHECK(replay(reread, machine, {}).finishes == first.finishes);
  std::ostringstream second;
  write_flows(second, reread, first, machine);
  CHECK(second.str() == out.str());
}

TEST_CASE("ids are quoted where CSV needs it") {
  Topology::Parts odd = star(2);
  odd.nodes[0].id = "a,b";
  odd.nodes[1].id = "#\"c\"";
  for (Link& link : odd.links) link.name.clear();
  const Topology machine(odd);
  Traffic traffic;
  traffic.flows.resize(1);
  traffic.flows[0].destination = 1;
  std::ostringstream out;
  write_flows(out, traffic, replay(traffic, machine, {}), machine);
  CHECK(out.str().find(R"(,"a,b","#""c""",0,)") != std::string::npos);
  std::istringstream again(out.str());
  CHECK(read_traffic(again, "again", machine).flows[0].destination == 1);
}

TEST_CASE("ten thousand random flows on a fat tree: fair at every event, every byte delivered") {
  const Topology machine(fat_tree());
  const Traffic traffic = random_flows(10'000);
  ExecutionOptions options;
  options.audit = true;  // capacities, fairness and delivery, after every event
  const Replay first = replay(traffic, machine, options);
  CHECK(replay(traffic, machine, {}).finishes == first.finishes);

  const Resources resources(machine, Rates::line);
  const FlowWork work(traffic, machine, resources, {}, 0);
  std::vector<double> expected(resources.all().size(), 0);
  for (std::uint32_t op = 0; op < work.size(); ++op) {
    const Time took = first.finishes[op] - traffic.flows[op].start;
    CHECK(took.ps >= first.alone[op].ps - 1);
    for (const engine::Use& use : work.network().route(work.route_of(op)))
      expected[use.resource] += use.coefficient * static_cast<double>(work.bytes_of(op));
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(first.resources[i].bytes == doctest::Approx(expected[i]).epsilon(1e-12));
}

}  // namespace syncsim::replay_test
