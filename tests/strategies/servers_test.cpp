// parameter_server and byteps: who adds up what, on machines of several boxes.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "sim/schedule/check.h"
#include "tests/support/clusters.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::servers_test {
namespace {

using testing::cluster;
using testing::collective_of;
using testing::emitted;
using testing::Task;
using testing::uneven_boxes;
using testing::written_machine;
using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

Schedule on(const Topology& machine, const std::string& strategy, const ParameterSet& parameters,
            std::int64_t bytes = 2'520, Kind kind = Kind::allreduce) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return emitted(machine, {strategy, collective_of(kind, ranks, bytes), parameters});
}

// The bytes that come to each node by pushes, whoever sends them.
std::map<std::string, std::int64_t> pushed(const Schedule& schedule) {
  std::map<std::string, std::int64_t> result;
  for (const Op& op : schedule.ops)
    if (schedule.phases[op.phase] == "push")
      result[schedule.participants[op.destination]] += schedule.bytes(op).count;
  return result;
}

using Load = std::map<std::string, std::int64_t>;

}  // namespace

TEST_CASE("shards are equal, or as weights say - what none of the ranks is needs a helper") {
  const ParameterSet four = {{"servers", "spare0/cpu0,spare1/cpu0,b/gpu0,a/cpu0"},
                             {"workers", "ranks"}};
  CHECK(pushed(on(uneven_boxes(), "parameter_server", four)) == Load{{"spare0/cpu0", 6 * 630},
                                                                     {"spare1/cpu0", 6 * 630},
                                                                     {"b/gpu0", 5 * 630},
                                                                     {"a/cpu0", 6 * 630}});
  ParameterSet weighted = four;
  weighted["weights"] = "5,0,1,1";
  CHECK(pushed(on(uneven_boxes(), "parameter_server", weighted)) ==
        Load{{"spare0/cpu0", 6 * 1'800}, {"b/gpu0", 5 * 360}, {"a/cpu0", 6 * 360}});
  CHECK(on(uneven_boxes(), "parameter_server", four).participants.size() == 6 + 3);
}

TEST_CASE("GPUs of one machine add up first: the machine pushes the data once") {
  CHECK(pushed(on(uneven_boxes(), "parameter_server", {})) ==
        Load{{"spare0/cpu0", 3 * 1'260}, {"spare1/cpu0", 3 * 1'260}});
  const Schedule schedule = on(uneven_boxes(), "parameter_server", {});
  CHECK(schedule.phases == std::vector<std::string>{"add up", "push", "pull", "hand out"});
}

TEST_CASE("a server among a machine's GPUs is sent to by the others, without a push") {
  const Schedule schedule = on(uneven_boxes(), "parameter_server", {{"servers", "a/gpu1"}});
  std::int64_t added = 0;
  for (const Op& op : schedule.ops)
    if (op.destination == 1 && schedule.phases[op.phase] == "add up") {
      CHECK((op.source == 0 || op.source == 2));
      added += schedule.bytes(op).count;
    }
  CHECK(added == 2 * 2'520);
  CHECK(pushed(schedule) == Load{{"a/gpu1", 2 * 2'520}});
}

TEST_CASE("chunks follow each other - automatic ones are of 4,096,000 bytes, at most 256") {
  const auto pieces = [](std::int64_t bytes) {
    return on(cluster({.with_gpus = 2, .without = 1}), "parameter_server", {}, bytes).ops.size() /
           4;
  };
  CHECK(pieces(4'096'000) == 1);
  CHECK(pieces(4'096'001) == 2);
  CHECK(pieces(40'960'000) == 10);
  CHECK(pieces(10'000'000'000) == 256);
}

TEST_CASE("of a reduce the root alone pulls, of a broadcast the root alone pushes") {
  const Topology machine = cluster({.with_gpus = 3, .without = 1});
  const auto transfers = [&](Kind kind) {
    std::vector<std::string> result;
    const Schedule schedule = emitted(machine, {"parameter_server", collective_of(kind, 3, 60, 1)});
    for (const Op& op : schedule.ops)
      result.push_back(std::to_string(op.source) + ">" + std::to_string(op.destination) + " " +
                       schedule.phases[op.phase]);
    return result;
  };
  CHECK(transfers(Kind::reduce) ==
        std::vector<std::string>{"0>3 push", "1>3 push", "2>3 push", "3>1 pull"});
  CHECK(transfers(Kind::broadcast) == std::vector<std::string>{"1>3 push", "3>0 pull", "3>2 pull"});
}

TEST_CASE("byteps gives every machine the shard of Theorem 1") {
  // n = 3, k = 2: 4/11 on each machine without GPUs, 1/11 on each with; pushes of other machines.
  CHECK(pushed(on(uneven_boxes(), "byteps", {}, 1'100)) == Load{{"spare0/cpu0", 3 * 400},
                                                                {"spare1/cpu0", 3 * 400},
                                                                {"a/cpu0", 3 * 100},
                                                                {"b/cpu0", 3 * 100},
                                                                {"c/gpu0", 2 * 100}});
}

TEST_CASE("byteps uses as many machines without GPUs as it is told, or those named") {
  const Load one = {
      {"spare0/cpu0", 3 * 400}, {"a/cpu0", 3 * 200}, {"b/cpu0", 3 * 200}, {"c/gpu0", 2 * 200}};
  CHECK(pushed(on(uneven_boxes(), "byteps", {{"cpus", "1"}}, 1'000)) == one);
  const Load other = pushed(on(uneven_boxes(), "byteps", {{"cpus", "spare1/cpu*"}}, 1'000));
  CHECK(other.contains("spare1/cpu0"));
  CHECK(other.size() == one.size());
  CHECK(pushed(on(uneven_boxes(), "byteps", {{"cpus", "0"}}, 900)) ==
        Load{{"a/cpu0", 900}, {"b/cpu0", 900}, {"c/gpu0", 600}});
}

TEST_CASE("what was chosen is told") {
  CHECK(on(uneven_boxes(), "parameter_server", {}).notes ==
        std::vector<std::string>{"servers: spare[0-1]/cpu0"});
  CHECK(on(uneven_boxes(), "byteps", {}).notes ==
        std::vector<std::string>{"shards of the data: 4/11 each on spare[0-1]/cpu0; 1/11 each on "
                                 "a/cpu0, b/cpu0, c/gpu0"});
}

TEST_CASE("byteps in one machine adds up on its CPU, whatever others there are") {
  const Schedule schedule = on(testing::shelf_machine("dgx1v"), "byteps", {});
  CHECK(pushed(schedule) == Load{{"cpu0", 2'520}});
  const Topology machine = cluster({.with_gpus = 1, .without = 2});
  CHECK(on(machine, "byteps", {}).ops.empty());
  CHECK(on(machine, "byteps", {}).notes ==
        std::vector<std::string>{"shards of the data: 1/1 each on worker0/gpu0"});
}

TEST_CASE(
    "a transfer's share of a port is its shard's: all of a chunk's shards are done together") {
  const Schedule schedule = on(uneven_boxes(), "byteps", {});
  REQUIRE(schedule.channels.size() == 6);
  CHECK(schedule.channels[2].weight == 1);
  CHECK(schedule.channels[4].weight == 4);
  CHECK(schedule.channels[5].weight == 4);
}

TEST_CASE("max_rate caps every push and pull") {
  const Topology machine = cluster({.with_gpus = 2, .without = 1});
  const Task task{"parameter_server",
                  collective_of(Kind::allreduce, 2, 1'000'000),
                  {{"max_rate", "8 Gbit/s"}, {"chunks", "1"}}};
  CHECK(testing::picoseconds(machine, task) == 2'000'000'000);
}

TEST_CASE("on machines of many boxes, servers are proved and beat no bound") {
  const Topology machine = uneven_boxes();
  const std::vector<NodeId> all = machine.ranks();
  const std::vector<NodeId> backwards(all.rbegin(), all.rend());
  const std::map<std::string, std::vector<ParameterSet>> variants = {
      {"parameter_server",
       {{},
        {{"servers", "7"}, {"chunks", "3"}},
        {{"servers", "*/gpu*"}, {"workers", "ranks"}},
        {{"servers", "a/gpu1,c/gpu0"}, {"weights", "1,2"}}}},
      {"byteps", {{}, {{"chunks", "3"}}, {{"cpus", "0"}}, {{"cpus", "1"}}}}};
  for (const auto& [strategy, sets] : variants)
    for (const ParameterSet& parameters : sets)
      for (const Kind kind : strategies().at(strategy).collectives)
        for (const std::int64_t bytes : {1, 7, 10'007}) {
          CAPTURE(strategy);
          CAPTURE(to_string(kind));
          CAPTURE(bytes);
          const Collective collective = collective_of(kind, 6, bytes, 4);
          const Schedule schedule = emitted(machine, backwards, {strategy, collective, parameters});
          const auto violation = check(schedule);
          CHECK((violation ? violation->message : "proved") == "proved");
          const LowerBound bound = lower_bound({.topology = machine,
                                                .ranks = backwards,
                                                .collective = collective,
                                                .helpers = helpers_of(schedule, machine)});
          CHECK(static_cast<double>(testing::simulated(schedule, machine).finish.ps) +
                    static_cast<double>(schedule.ops.size()) >=
                bound.seconds * 1e12);
        }
}

TEST_CASE("GPUs of one machine cost byteps a chunk inside it, beside what the network takes") {
  const Topology machine = written_machine(R"({
    "name": "boxes",
    "link_types": {"net": {"kind": "network", "bandwidth": "10 GB/s"}},
    "instances": [
      {"prefix": "box[0-1]/", "topology": {"name": "box",
        "link_types": {"nvlink": {"kind": "nvlink", "bandwidth": "200 GB/s"},
                       "pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
        "nodes": [{"id": "gpu[0-7]", "kind": "gpu"}, {"id": "nvs0", "kind": "switch"},
                  {"id": "plx0", "kind": "switch"}, {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["gpu[0-7]", "nvs0"], "type": "nvlink"},
                  {"between": ["gpu[0-7]", "plx0"], "type": "pcie"},
                  {"between": ["nic0", "plx0"], "type": "pcie"}]}},
      {"prefix": "spare[0-1]/", "topology": {"name": "spare",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
        "nodes": [{"id": "cpu0", "kind": "cpu"}, {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["nic0", "cpu0"], "type": "pcie"}]}}],
    "nodes": [{"id": "switch0", "kind": "switch"}],
    "links": [{"between": ["box[0-1]/nic0", "switch0"], "type": "net"},
              {"between": ["spare[0-1]/nic0", "switch0"], "type": "net"}]})");
  constexpr std::int64_t kBytes = 160'000'000;
  const Task task{"byteps", collective_of(Kind::allreduce, 16, kBytes), {{"chunks", "20"}}};
  // M/B over the network and a chunk of that; inside, at 200 GB/s, 7/8 of one of the first chunk's
  // two shards until pushes begin, and 7/8 of the last chunk after the pulls.
  const std::int64_t network = kBytes * 100 + kBytes * 100 / 20;
  const std::int64_t inside = (kBytes / 20 + kBytes / 40) * 7 / 8 * 5;
  CHECK(testing::picoseconds(machine, task) == network + inside);
}

}  // namespace syncsim::servers_test
