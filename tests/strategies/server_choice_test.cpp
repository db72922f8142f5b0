// Which nodes parameter_server and byteps choose, and what they refuse.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::server_choice_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::refusal_of;
using testing::uneven_boxes;
using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;
using Names = std::set<std::string>;

Schedule on(const Topology& machine, const std::string& strategy, const ParameterSet& parameters,
            std::int64_t bytes = 2'520, Kind kind = Kind::allreduce) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return emitted(machine, {strategy, collective_of(kind, ranks, bytes), parameters});
}

// Who is pushed to.
std::set<std::string> servers(const Topology& machine, const ParameterSet& parameters = {}) {
  std::set<std::string> result;
  const Schedule schedule = on(machine, "parameter_server", parameters);
  for (const Op& op : schedule.ops)
    if (schedule.phases[op.phase] == "push") result.insert(schedule.participants[op.destination]);
  return result;
}

std::string refusal(const std::string& strategy, const ParameterSet& parameters,
                    const Topology& machine = uneven_boxes()) {
  return refusal_of([&] { on(machine, strategy, parameters); });
}

}  // namespace

TEST_CASE("servers are the first CPUs of machines without ranks, if there are any") {
  CHECK(servers(uneven_boxes()) == Names{"spare0/cpu0", "spare1/cpu0"});
}

TEST_CASE("else servers are the first CPUs of the ranks' machines, or else the ranks") {
  CHECK(servers(testing::shelf_machine("ethernet_10g_x4")) ==
        Names{"node0/cpu0", "node1/cpu0", "node2/cpu0", "node3/cpu0"});
  CHECK(servers(testing::shelf_machine("dgx1v")) == Names{"cpu0"});
  CHECK(servers(Topology(testing::star(3))) == Names{"gpu0", "gpu1", "gpu2"});
}

TEST_CASE("a number of servers takes those of machines without ranks, first CPUs, others, ranks") {
  const std::vector<std::string> order = {"spare0/cpu0", "spare1/cpu0", "a/cpu0", "b/cpu0",
                                          "a/cpu1",      "a/gpu0",      "a/gpu1"};
  for (std::size_t count = 1; count <= order.size(); ++count)
    CHECK(servers(uneven_boxes(), {{"servers", std::to_string(count)}}) ==
          Names(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)));
}

TEST_CASE("servers may be named, as ids, ranges and patterns, CPUs or GPUs") {
  CHECK(servers(uneven_boxes(), {{"servers", "spare[0-1]/cpu0,c/gpu*"}}) ==
        Names{"spare0/cpu0", "spare1/cpu0", "c/gpu0", "c/gpu1"});
  CHECK(servers(uneven_boxes(), {{"servers", "b/gpu0"}}) == Names{"b/gpu0"});
}

TEST_CASE("servers that are none are refused") {
  CHECK(refusal("parameter_server", {{"servers", "0"}}) ==
        "parameter_server parameter servers: \"0\" is out of range; write one from 1 to 11");
  CHECK(refusal("parameter_server", {{"servers", "12"}}) ==
        "parameter_server parameter servers: \"12\" is out of range; write one from 1 to 11");
  CHECK(refusal("parameter_server", {{"servers", "switch0"}}) ==
        "parameter_server parameter servers: \"switch0\" is a switch, which adds up nothing; name "
        "CPUs or GPUs");
  CHECK(refusal("parameter_server", {{"servers", "a/cpu0,a/cpu*"}}) ==
        "parameter_server parameter servers: \"a/cpu0\" is named twice; name it once");
  CHECK(refusal("parameter_server", {{"servers", "a/cpus"}}) ==
        "parameter_server parameter servers: no node is called \"a/cpus\"; did you mean "
        "\"a/cpu0\"?");
}

TEST_CASE("weights that do not fit the servers are refused") {
  const auto weighted = [](const std::string& weights) {
    return refusal("parameter_server", {{"servers", "2"}, {"weights", weights}});
  };
  CHECK(weighted("1,2,3") ==
        "parameter_server parameter weights: \"1,2,3\" for 2 servers; write a whole number for "
        "each, not all 0, or equal");
  CHECK(weighted("0,0") ==
        "parameter_server parameter weights: \"0,0\" for 2 servers; write a whole number for each, "
        "not all 0, or equal");
  CHECK(weighted("1,x") ==
        "parameter_server parameter weights: \"x\" is no whole number; write one from 0 to "
        "1000000");
}

TEST_CASE("other parameters of servers are refused with what would be right") {
  CHECK(refusal("parameter_server", {{"max_rate", "8"}}) ==
        "parameter_server parameter max_rate: \"8\" has no unit; write \"8 GB/s\"");
  CHECK(refusal_of([] {
          on(uneven_boxes(), "parameter_server", {{"max_rate", "1 B/s"}, {"servers", "1"}},
             25'200'000);
        }) ==
        "parameter_server parameter max_rate: \"1 B/s\" takes more than 106 days for a shard of "
        "25.2 MB; write a higher rate");
  CHECK(refusal("parameter_server", {{"workers", "rank"}}) ==
        "parameter_server parameter workers: unknown choice \"rank\"; did you mean \"ranks\"?");
  CHECK(refusal("byteps", {{"cpus", "a/cpu0"}}) ==
        "byteps parameter cpus: \"a/cpu0\" is not the first CPU of a machine without ranks; name "
        "such CPUs, or write how many of the 2 that there are");
  CHECK(refusal("byteps", {{"cpus", "3"}}) ==
        "byteps parameter cpus: \"3\" is out of range; write one from 0 to 2");
  CHECK(refusal("byteps", {{"chunks", "0"}}) ==
        "byteps parameter chunks: \"0\" is out of range; write one from 1 to 1000000");
}

TEST_CASE("what is no sum of whole data is not for servers") {
  CHECK(refusal_of([] { on(uneven_boxes(), "parameter_server", {}, 60, Kind::all_gather); }) ==
        "strategy \"parameter_server\" does not do all-gather; choose one of allreduce, reduce, "
        "broadcast, barrier");
}

}  // namespace syncsim::server_choice_test
