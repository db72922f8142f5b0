// Aggregation on one node, a GPU or a CPU.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::hub_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::refusal_of;
using testing::shelf_machine;
using testing::Task;

using ParameterSet = std::map<std::string, std::string>;

// "0>2 reduce" for every transfer, in order.
std::vector<std::string> transfers(const Schedule& schedule) {
  std::vector<std::string> result;
  for (const Op& op : schedule.ops)
    if (schedule.moves_data(op))
      result.push_back(std::to_string(op.source) + ">" + std::to_string(op.destination) + " " +
                       schedule.phases[op.phase]);
  return result;
}

Schedule on(const std::string& machine, const std::string& strategy, const Collective& collective,
            const ParameterSet& parameters = {}) {
  const Topology topology = shelf_machine(machine);
  const auto count = static_cast<std::size_t>(collective.ranks);
  return emitted(topology, std::span(topology.ranks()).first(count),
                 {strategy, collective, parameters});
}

Collective allreduce(int ranks) { return collective_of(CollectiveKind::allreduce, ranks, 60); }

std::string refusal(const std::string& strategy, const ParameterSet& parameters) {
  return refusal_of([&] { on("pcie_4gpu", strategy, allreduce(4), parameters); });
}

}  // namespace

TEST_CASE("central_gpu aggregates on rank 0 unless told otherwise") {
  CHECK(transfers(on("pcie_4gpu", "central_gpu", allreduce(3))) ==
        std::vector<std::string>{"1>0 reduce", "2>0 reduce", "0>1 broadcast", "0>2 broadcast"});
}

TEST_CASE("central_gpu aggregates on the rank that root names") {
  CHECK(transfers(on("pcie_4gpu", "central_gpu", allreduce(3), {{"root", "2"}})) ==
        std::vector<std::string>{"0>2 reduce", "1>2 reduce", "2>0 broadcast", "2>1 broadcast"});
}

TEST_CASE("central_gpu aggregates on the collective's root, so that a reduce ends there") {
  const Collective reduce = collective_of(CollectiveKind::reduce, 3, 60, 1);
  CHECK(transfers(on("pcie_4gpu", "central_gpu", reduce)) ==
        std::vector<std::string>{"0>1 reduce", "2>1 reduce"});
}

TEST_CASE("a reduce aggregated away from its root is sent there") {
  const Collective reduce = collective_of(CollectiveKind::reduce, 3, 60, 1);
  CHECK(transfers(on("pcie_4gpu", "central_gpu", reduce, {{"root", "2"}})) ==
        std::vector<std::string>{"0>2 reduce", "1>2 reduce", "2>1 send"});
}

TEST_CASE("a broadcast from the hub needs no way in") {
  const Collective broadcast = collective_of(CollectiveKind::broadcast, 3, 60, 1);
  CHECK(transfers(on("pcie_4gpu", "central_gpu", broadcast)) ==
        std::vector<std::string>{"1>0 broadcast", "1>2 broadcast"});
}

TEST_CASE("central_cpu sends every rank's data to the CPU and the result back") {
  const std::map<CollectiveKind, std::vector<std::string>> expected = {
      {CollectiveKind::allreduce, {"0>2 reduce", "1>2 reduce", "2>0 broadcast", "2>1 broadcast"}},
      {CollectiveKind::reduce, {"0>2 reduce", "1>2 reduce", "2>1 send"}},
      {CollectiveKind::broadcast, {"1>2 send", "2>0 broadcast", "2>1 broadcast"}},
      {CollectiveKind::reduce_scatter, {"0>2 reduce", "1>2 reduce", "2>0 scatter", "2>1 scatter"}},
      {CollectiveKind::all_gather, {"0>2 gather", "1>2 gather", "2>0 broadcast", "2>1 broadcast"}},
      {CollectiveKind::gather, {"0>2 gather", "2>1 send"}},
      {CollectiveKind::scatter, {"1>2 send", "2>0 scatter"}},
      {CollectiveKind::all_to_all, {"0>2 gather", "1>2 gather", "2>0 scatter", "2>1 scatter"}},
      {CollectiveKind::send_recv, {"0>2 gather", "1>2 gather", "2>0 scatter", "2>1 scatter"}},
      {CollectiveKind::barrier, {"0>2 reduce", "1>2 reduce", "2>0 broadcast", "2>1 broadcast"}}};
  for (const CollectiveKind kind : strategies().at("central_cpu").collectives) {
    CAPTURE(to_string(kind));
    CHECK(transfers(on("pcie_4gpu", "central_cpu", collective_of(kind, 2, 60, 1))) ==
          expected.at(kind));
  }
}

TEST_CASE("central_cpu takes the machine's first CPU, or the one that cpu names") {
  CHECK(on("dgx1v", "central_cpu", allreduce(8)).participants.back() == "cpu0");
  CHECK(on("dgx1v", "central_cpu", allreduce(8), {{"cpu", "cpu1"}}).participants.back() == "cpu1");
}

TEST_CASE("parts travel to and from the hub alone: an all-gather moves S in, n S out") {
  const Schedule schedule =
      on("pcie_4gpu", "central_cpu", collective_of(CollectiveKind::all_gather, 4, 80));
  std::map<std::string, std::int64_t> bytes;
  for (const Op& op : schedule.ops) bytes[schedule.phases[op.phase]] += schedule.bytes(op).count;
  CHECK(bytes == std::map<std::string, std::int64_t>{{"gather", 80}, {"broadcast", 4 * 80}});
}

TEST_CASE("hubs that are none are refused") {
  CHECK(refusal("central_gpu", {{"root", "4"}}) ==
        "central_gpu parameter root: \"4\" is out of range; write one from 0 to 3");
  CHECK(refusal("central_gpu", {{"root", "gpu0"}}) ==
        "central_gpu parameter root: \"gpu0\" is no whole number; write one from 0 to 3");
  CHECK(refusal("central_cpu", {{"cpu", "gpu0"}}) ==
        "central_cpu parameter cpu: \"gpu0\" is no CPU; name a node of kind "
        "\"cpu\", such as \"cpu0\"");
  CHECK(refusal("central_cpu", {{"cpu", "cpu1"}}) ==
        "central_cpu parameter cpu: unknown CPU \"cpu1\"; did you mean \"cpu0\"?");
  CHECK(refusal("central_cpu", {{"root", "1"}}) ==
        "unknown central_cpu parameter \"root\"; choose one of cpu, order");
}

TEST_CASE("distributed aggregates part i on rank i") {
  const Schedule schedule = on("pcie_4gpu", "distributed", allreduce(3));
  std::map<std::pair<ParticipantId, std::uint32_t>, int> added;  // (owner, chunk) -> reduces
  for (const Op& op : schedule.ops)
    if (op.kind == OpKind::reduce) ++added[{op.destination, op.destination_chunk}];
  CHECK(added == std::map<std::pair<ParticipantId, std::uint32_t>, int>{
                     {{0, 0}, 2}, {{1, 1}, 2}, {{2, 2}, 2}});
}

TEST_CASE("distributed names its phases after what they do") {
  const std::map<CollectiveKind, std::vector<std::string>> expected = {
      {CollectiveKind::allreduce, {"reduce", "broadcast"}},
      {CollectiveKind::reduce, {"reduce", "gather"}},
      {CollectiveKind::broadcast, {"scatter", "broadcast"}},
      {CollectiveKind::reduce_scatter, {"reduce"}},
      {CollectiveKind::all_gather, {"broadcast"}},
      {CollectiveKind::gather, {"gather"}},
      {CollectiveKind::scatter, {"scatter"}},
      {CollectiveKind::all_to_all, {"exchange"}},
      {CollectiveKind::send_recv, {"exchange"}},
      {CollectiveKind::barrier, {"reduce", "broadcast"}}};
  for (const CollectiveKind kind : strategies().at("distributed").collectives) {
    CAPTURE(to_string(kind));
    CHECK(on("pcie_4gpu", "distributed", collective_of(kind, 4, 64)).phases == expected.at(kind));
  }
}

}  // namespace syncsim::hub_test
