// Simulated times on machines of 1 GB/s, where a byte takes 1,000 ps, and transfers of 1,000 bytes,
// which take a microsecond when alone.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/exec/executor.h"
#include "tests/exec/totals.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"
#include "tests/support/routed.h"
#include "tests/support/schedules.h"

namespace syncsim::simulated_executor_test {
namespace {

using testing::resource;

using testing::collective_of;
using testing::gigabytes;
using testing::HandMade;

constexpr std::int64_t kMicrosecond = 1'000'000;

Topology::Parts star(int gpus) { return testing::star(gpus, gigabytes(1)); }

// Data of `chunks` chunks of 1,000 bytes each.
HandMade plan(int ranks, std::uint32_t chunks) {
  return HandMade(collective_of(CollectiveKind::allreduce, ranks, 1'000 * chunks), chunks);
}

Timeline run(const HandMade& parts, const Topology::Parts& machine, ExecutionOptions options = {}) {
  options.audit = true;
  return execute_simulated(parts.build(), Topology(machine), options);
}

std::int64_t picoseconds(const HandMade& parts, const Topology::Parts& machine,
                         const ExecutionOptions& options = {}) {
  return run(parts, machine, options).finish.ps;
}

std::vector<std::int64_t> finishes(const Timeline& timeline) {
  std::vector<std::int64_t> result;
  for (const OpTimes& op : timeline.ops) result.push_back(op.finish.ps);
  return result;
}

using Finishes = std::vector<std::int64_t>;

// gpu0 and gpu1 send to each other at once.
HandMade exchange() {
  HandMade parts = plan(2, 2);
  parts.copy(0, 1, 0);
  parts.copy(1, 0, 1);
  return parts;
}

HandMade one_reduce() {
  HandMade parts = plan(2, 1);
  parts.reduce(0, 1, 0);
  return parts;
}

HandMade one_copy() {
  HandMade parts = plan(2, 1);
  parts.copy(0, 1, 0);
  return parts;
}

}  // namespace

TEST_CASE("a full-duplex link carries both directions at once, a half-duplex one shares them") {
  Topology::Parts half = star(2);
  for (Link& link : half.links) link.half_duplex = true;
  CHECK(picoseconds(exchange(), star(2)) == kMicrosecond);
  CHECK(picoseconds(exchange(), half) == 2 * kMicrosecond);
  CHECK(resource(run(exchange(), half), "gpu0-switch0").bytes == 2'000);
}

TEST_CASE("a reduce takes the longer of wire and sum, a copy the wire alone") {
  Topology::Parts slow = star(2);
  slow.nodes[1].reduce_bandwidth = gigabytes(0.25);
  CHECK(picoseconds(one_reduce(), slow) == 4 * kMicrosecond);
  CHECK(picoseconds(one_copy(), slow) == kMicrosecond);
  Topology::Parts fast = star(2);
  fast.nodes[1].reduce_bandwidth = gigabytes(4);
  CHECK(picoseconds(one_reduce(), fast) == kMicrosecond);
}

TEST_CASE("reduces into one node share its reduce engine - that of the sender does not matter") {
  HandMade parts = plan(3, 1);
  parts.reduce(0, 2, 0);
  parts.reduce(1, 2, 0);
  Topology::Parts at_receiver = star(3);
  at_receiver.nodes[2].reduce_bandwidth = gigabytes(0.5);
  CHECK(picoseconds(parts, at_receiver) == 4 * kMicrosecond);
  Topology::Parts at_sender = star(3);
  at_sender.nodes[0].reduce_bandwidth = gigabytes(0.5);
  CHECK(picoseconds(parts, at_sender) == 2 * kMicrosecond);
}

TEST_CASE("flows through a node share its transit bandwidth, those that end there do not") {
  HandMade through = plan(4, 2);
  through.copy(0, 1, 0);
  through.copy(2, 3, 1);
  Topology::Parts machine = star(4);
  CHECK(picoseconds(through, machine) == kMicrosecond);
  machine.nodes[4].transit_bandwidth = gigabytes(1);
  CHECK(picoseconds(through, machine) == 2 * kMicrosecond);

  HandMade into = plan(2, 2);
  const ParticipantId hub = into.helper("switch0");
  into.copy(0, hub, 0);
  into.copy(1, hub, 1);
  CHECK(picoseconds(into, machine) == kMicrosecond);
}

TEST_CASE("usable rates are used where asked for") {
  Topology::Parts machine = star(2);
  for (Link& link : machine.links) link.usable = gigabytes(0.8);
  ExecutionOptions usable;
  usable.rates = Rates::usable;
  CHECK(picoseconds(one_copy(), machine) == kMicrosecond);
  CHECK(picoseconds(one_copy(), machine, usable) == 1'250'000);
}

TEST_CASE("channels share a link in proportion to their weights") {
  HandMade parts = plan(2, 2);
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1);
  parts.on_channel(1);
  parts.schedule.channels[1].weight = 4;
  // 1/5 and 4/5 GB/s; when the second ends, the first has three quarters left, and the link alone
  CHECK(finishes(run(parts, star(2))) == Finishes{2'000'000, 1'250'000});
}

TEST_CASE("a channel's maximum rate holds, and what it leaves goes to the others") {
  HandMade parts = plan(2, 2);
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1);
  parts.on_channel(1);
  parts.schedule.channels[1].maximum_rate = 0.2e9;
  CHECK(finishes(run(parts, star(2))) == Finishes{1'250'000, 5'000'000});
}

TEST_CASE("one lane carries one op at a time, in op order - two channels carry two") {
  HandMade parts = plan(2, 2);
  parts.copy(0, 1, 0);
  parts.copy(0, 1, 1);
  CHECK(finishes(run(parts, star(2))) == Finishes{kMicrosecond, 2 * kMicrosecond});
  parts.on_channel(1);
  CHECK(finishes(run(parts, star(2))) == Finishes{2 * kMicrosecond, 2 * kMicrosecond});
}

TEST_CASE("an op starts overhead and latency after it is ready") {
  Topology::Parts machine = star(2);
  for (Link& link : machine.links) {
    link.latency = {30};
    link.overhead = {7};
  }
  HandMade parts = exchange();
  parts.edge(0, 1);
  ExecutionOptions options;
  options.overhead = {200};
  const Timeline timeline = run(parts, machine, options);
  CHECK(timeline.ops[0].ready == Time{0});
  CHECK(timeline.ops[0].start == Time{267});
  CHECK(timeline.ops[0].finish == Time{kMicrosecond + 267});
  CHECK(timeline.ops[1].ready == Time{kMicrosecond + 267});
  CHECK(timeline.ops[1].start == Time{kMicrosecond + 534});
  CHECK(timeline.finish == Time{2 * kMicrosecond + 534});
}

TEST_CASE("a signal takes overhead and latency, and no bytes of the link") {
  Topology::Parts machine = star(2);
  for (Link& link : machine.links) link.latency = {30};
  HandMade parts = plan(2, 1);
  parts.signal(0, 1);
  ExecutionOptions options;
  options.overhead = {200};
  const Timeline timeline = run(parts, machine, options);
  CHECK(timeline.finish == Time{260});
  CHECK(resource(timeline, "gpu0>switch0").bytes == 0);
}

TEST_CASE("compute ops occupy their lane for their duration, without the run's overhead") {
  HandMade parts = plan(2, 1);
  parts.schedule.durations = {{5'000}, {7'000}};
  parts.compute(0);
  parts.compute(0);
  parts.schedule.ops.back().source_chunk = 1;
  parts.compute(1);
  ExecutionOptions options;
  options.overhead = {200};
  CHECK(finishes(run(parts, star(2), options)) == Finishes{5'000, 12'000, 5'000});
}

TEST_CASE("a transfer waits for the compute op it depends on") {
  HandMade parts = plan(2, 1);
  const OpId compute = parts.compute(0);
  parts.edge(compute, parts.copy(0, 1, 0));
  CHECK(finishes(run(parts, star(2))) == Finishes{1'000, kMicrosecond + 1'000});
}

TEST_CASE("a local copy takes no time, a local sum what the reduce engine needs") {
  HandMade parts = plan(2, 1);
  const std::uint8_t scratch = parts.buffer(testing::even_buffer("scratch", 1, 1'000));
  parts.add(OpKind::copy, 0, {0, 0}, 0, {scratch, 0});
  Topology::Parts machine = star(2);
  machine.nodes[0].reduce_bandwidth = gigabytes(2);
  CHECK(picoseconds(parts, machine) == 0);
  parts.schedule.ops.back().kind = OpKind::reduce;
  CHECK(picoseconds(parts, machine) == kMicrosecond / 2);
}

TEST_CASE("without recording the ops the totals are the same") {
  HandMade parts = exchange();
  parts.copy(0, 1, 1);
  ExecutionOptions totals_only;
  totals_only.record_ops = false;
  const Timeline all = run(parts, star(2));
  const Timeline totals = run(parts, star(2), totals_only);
  CHECK(all.ops.size() == 3);
  CHECK(totals.ops.empty());
  CHECK(totals.finish == all.finish);
  CHECK(totals.ops_done == 3);
  CHECK(all.ops_done == 3);
  REQUIRE(totals.resources.size() == all.resources.size());
  for (std::size_t i = 0; i < totals.resources.size(); ++i) {
    CHECK(totals.resources[i].name == all.resources[i].name);
    CHECK(totals.resources[i].bytes == all.resources[i].bytes);
    CHECK(totals.resources[i].busy == all.resources[i].busy);
    CHECK(totals.resources[i].saturated == all.resources[i].saturated);
  }
}

TEST_CASE("a resource's totals: name, capacity, bytes, time in use, time at capacity") {
  HandMade parts = plan(3, 1);
  parts.copy(0, 2, 0);
  parts.copy(1, 2, 0);
  const Timeline timeline = run(parts, star(3));
  const ResourceTotals& into = resource(timeline, "switch0>gpu2");
  CHECK(into.capacity == 1e9);
  CHECK(into.bytes == 2'000);
  CHECK(into.busy == Time{2 * kMicrosecond});
  CHECK(into.saturated == Time{2 * kMicrosecond});
  const ResourceTotals& out = resource(timeline, "gpu0>switch0");
  CHECK(out.bytes == 1'000);
  CHECK(out.busy == Time{2 * kMicrosecond});
  CHECK(out.saturated == Time{0});
  CHECK(resource(timeline, "gpu2>switch0").busy == Time{0});
}

TEST_CASE("the seed picks among equal ways") {
  const Topology::Parts machine =
      testing::parallel_ways(2, testing::link_of(LinkKind::pcie, gigabytes(1)));
  const auto bytes_by_s0 = [&](std::uint32_t seed) {
    ExecutionOptions options;
    options.seed = seed;
    return resource(run(one_copy(), machine, options), "gpu0>s0").bytes;
  };
  CHECK(bytes_by_s0(0) + bytes_by_s0(1) == 1'000);
  CHECK(bytes_by_s0(0) == bytes_by_s0(2));
}

TEST_CASE("a deadlock names the ops that wait for ever") {
  HandMade parts = plan(3, 3);
  parts.copy(0, 1, 0);
  parts.copy(1, 2, 1);
  parts.reduce(2, 1, 2);
  parts.edge(1, 2);
  parts.edge(2, 1);
  CHECK(testing::failure_of([&] { run(parts, star(3)); }) ==
        "the schedule cannot finish: 2 of 3 ops wait for ever\n"
        "  op 1: copy of data chunk 1 from rank 1 (gpu1) to rank 2 (gpu2), channel 0, phase work\n"
        "  op 2: reduce of data chunk 2 from rank 2 (gpu2) to rank 1 (gpu1), channel 0, phase "
        "work");
}

TEST_CASE("participants that the machine lacks, or cannot join, are refused") {
  HandMade elsewhere = plan(2, 1);
  elsewhere.copy(0, elsewhere.helper("cpu0"), 0);
  CHECK(testing::refusal_of([&] { run(elsewhere, star(2)); }) ==
        "unknown node \"cpu0\"; did you mean \"gpu0\"?");
  Topology::Parts apart;
  testing::add_gpus(apart, 2);
  CHECK(testing::refusal_of([&] { run(one_copy(), apart); }) ==
        "no route from gpu0 to gpu1; join them by links through nodes that forward (a gpu forwards "
        "only when it says so)");
}

TEST_CASE("a schedule of no ops takes no time") {
  const Timeline timeline = run(plan(2, 1), star(2));
  CHECK(timeline.finish == Time{0});
  CHECK(timeline.ops_done == 0);
  CHECK(timeline.resources.size() == 4);
}

TEST_CASE("executors are found by name") {
  CHECK(executors().names() == std::vector<std::string>{"nccl_formula", "simulated"});
  CHECK((executors().at("simulated").execute == execute_simulated));
  CHECK(testing::refusal_of([] { executors().at("simulate"); }) ==
        "unknown executor \"simulate\"; did you mean \"simulated\"?");
}

}  // namespace syncsim::simulated_executor_test
