// parameter_server by way of one GPU and the CPU of each machine: the textbook's seven steps.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/schedule/check.h"
#include "tests/support/clusters.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::seven_steps_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::refusal_of;
using testing::written_machine;
using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

const ParameterSet kSeven = {
    {"servers", "s/cpu0"}, {"inside", "one"}, {"via", "cpu"}, {"update", "3 ms"}, {"chunks", "1"}};

ParameterSet with(ParameterSet set, const ParameterSet& more) {
  for (const auto& [name, value] : more) set[name] = value;
  return set;
}

// Two boxes of two GPUs at 16 GB/s, and two servers, on a network of 10 GB/s.
Topology boxes() {
  return written_machine(R"({
    "name": "boxes",
    "link_types": {"net": {"kind": "network", "bandwidth": "10 GB/s"}},
    "instances": [
      {"prefix": "box[0-1]/", "topology": {"name": "box",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
        "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
                  {"id": "cpu0", "kind": "cpu"}],
        "links": [{"between": ["gpu[0-1]", "plx0"], "type": "pcie"},
                  {"between": ["cpu0", "plx0"], "type": "pcie"}]}}],
    "nodes": [{"id": "s/cpu0", "kind": "cpu"}, {"id": "t/cpu0", "kind": "cpu"},
              {"id": "top", "kind": "switch"}],
    "links": [{"between": ["box[0-1]/cpu0", "top"], "type": "net"},
              {"between": ["s/cpu0", "top"], "type": "net"},
              {"between": ["t/cpu0", "top"], "type": "net"}]})");
}

Schedule on(const Topology& machine, const ParameterSet& parameters, Kind kind = Kind::allreduce,
            std::int64_t bytes = 160'000'000) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return emitted(machine, {"parameter_server", collective_of(kind, ranks, bytes, 1), parameters});
}

std::vector<std::string> ops_of(const Schedule& schedule) {
  std::vector<std::string> result;
  for (const Op& op : schedule.ops)
    result.push_back(schedule.participants[op.source] + ">" +
                     schedule.participants[op.destination] + " " + schedule.phases[op.phase]);
  return result;
}

}  // namespace

TEST_CASE("gradients take the textbook's seven steps, all but the first of transfers") {
  CHECK(ops_of(on(boxes(), kSeven)) ==
        std::vector<std::string>{"box0/gpu1>box0/gpu0 add up", "box1/gpu1>box1/gpu0 add up",
                                 "box0/gpu0>box0/cpu0 to the CPU", "box1/gpu0>box1/cpu0 to the CPU",
                                 "box0/cpu0>s/cpu0 push", "box1/cpu0>s/cpu0 push",
                                 "s/cpu0>s/cpu0 update", "s/cpu0>box0/cpu0 pull",
                                 "s/cpu0>box1/cpu0 pull", "box0/cpu0>box0/gpu0 from the CPU",
                                 "box1/cpu0>box1/gpu0 from the CPU", "box0/gpu0>box0/gpu1 hand out",
                                 "box1/gpu0>box1/gpu1 hand out"});
}

TEST_CASE("the seven steps' times add up: two of 10 ms each way in the box, m M/B across") {
  // 160 MB at 16 GB/s: 10 ms; two boxes at one server of 10 GB/s: 32 ms.
  const auto time = [&](const ParameterSet& more) {
    return testing::simulated(on(boxes(), with(kSeven, more)), boxes()).finish;
  };
  CHECK(time({}) == parse_time("107 ms"));
  CHECK(time({{"update", "none"}}) == parse_time("104 ms"));
  // Halves at once, 5 ms less each way; the first leaves the CPU while the second is pulled.
  CHECK(time({{"inside", "spread"}}) == parse_time("92 ms"));
  CHECK(time({{"via", "gpus"}}) == parse_time("87 ms"));
}

TEST_CASE("the updater's time goes by bytes, over servers and chunks") {
  const Schedule schedule = on(
      boxes(), with(kSeven, {{"servers", "s/cpu0,t/cpu0"}, {"weights", "3,1"}, {"chunks", "2"}}));
  std::map<std::string, std::int64_t> updates;
  for (const Op& op : schedule.ops)
    if (op.kind == OpKind::compute)
      updates[schedule.participants[op.source]] += schedule.durations[op.source_chunk].ps;
  CHECK(updates ==
        std::map<std::string, std::int64_t>{{"s/cpu0", 2'250'000'000}, {"t/cpu0", 750'000'000}});
}

TEST_CASE("a machine's CPU that is the server adds up, and is not pushed to") {
  const std::vector<std::string> ops =
      ops_of(on(boxes(), with(kSeven, {{"servers", "box0/cpu0"}, {"update", "none"}})));
  CHECK(ops == std::vector<std::string>{
                   "box0/gpu1>box0/gpu0 add up", "box1/gpu1>box1/gpu0 add up",
                   "box0/gpu0>box0/cpu0 to the CPU", "box1/gpu0>box1/cpu0 to the CPU",
                   "box1/cpu0>box0/cpu0 push", "box0/cpu0>box1/cpu0 pull",
                   "box0/cpu0>box0/gpu0 from the CPU", "box1/cpu0>box1/gpu0 from the CPU",
                   "box0/gpu0>box0/gpu1 hand out", "box1/gpu0>box1/gpu1 hand out"});
}

TEST_CASE("by whichever way, servers are proved for every collective") {
  for (const char* servers : {"s/cpu0", "s/cpu0,t/cpu0", "box0/cpu0,box1/cpu0", "box0/gpu1,s/cpu0"})
    for (const char* inside : {"one", "spread"})
      for (const char* via : {"cpu", "gpus"})
        for (const char* chunks : {"1", "3"})
          for (const Kind kind : strategies().at("parameter_server").collectives)
            for (const std::int64_t bytes : {1, 10'007}) {
              CAPTURE(servers);
              CAPTURE(inside);
              CAPTURE(via);
              CAPTURE(to_string(kind));
              const Schedule schedule = on(
                  boxes(),
                  with(
                      kSeven,
                      {{"servers", servers}, {"inside", inside}, {"via", via}, {"chunks", chunks}}),
                  kind, bytes);
              const auto violation = check(schedule);
              CHECK((violation ? violation->message : "proved") == "proved");
            }
}

TEST_CASE("one machine alone goes by its CPU too") {
  const Schedule schedule =
      on(testing::shelf_machine("pcie_4gpu"), {{"via", "cpu"}, {"inside", "one"}, {"chunks", "1"}});
  CHECK(schedule.phases ==
        std::vector<std::string>{"add up", "to the CPU", "from the CPU", "hand out"});
}

TEST_CASE("ways that a machine does not have are refused") {
  const auto refusal = [](const ParameterSet& parameters) {
    return refusal_of([&] { on(testing::uneven_boxes(), parameters, Kind::allreduce, 60); });
  };
  CHECK(refusal({{"via", "cpu"}}) ==
        "parameter_server parameter via: \"cpu\": the machine of \"c/gpu0\" has none; write gpus, "
        "or add a node of kind \"cpu\"");
  CHECK(refusal({{"via", "cpu"}, {"workers", "ranks"}}) ==
        "parameter_server parameter via: \"cpu\" is of machines, not of ranks; leave out one of "
        "via and workers");
  CHECK(refusal({{"inside", "two"}}) ==
        "parameter_server parameter inside: unknown choice \"two\"; choose one of spread, one");
  CHECK(refusal({{"update", "3"}}) ==
        "parameter_server parameter update: \"3\" has no unit; write \"3 us\"");
}

}  // namespace syncsim::seven_steps_test
