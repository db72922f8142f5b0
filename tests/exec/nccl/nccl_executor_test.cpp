// The executor nccl_formula: a finish and no ops, of one collective alone.

#include <doctest/doctest.h>

#include <string>

#include "sim/exec/executor.h"
#include "tests/support/refusal.h"
#include "tests/support/shelf.h"

namespace syncsim::nccl_executor_test {
namespace {

Schedule one_allreduce(const Topology& machine, Bytes bytes) {
  Schedule schedule;
  schedule.ranks = static_cast<std::uint32_t>(machine.ranks().size());
  for (const NodeId rank : machine.ranks())
    schedule.participants.push_back(machine.nodes()[rank].id);
  PlacedCollective placed;
  placed.collective = {.ranks = static_cast<int>(schedule.ranks), .bytes = bytes};
  schedule.collectives.push_back(placed);
  return schedule;
}

Timeline timed(const Schedule& schedule, const Topology& machine) {
  ExecutionOptions options;
  options.library_figures = SYNCSIM_SHELF "/rates";
  return executors().at("nccl_formula").execute(schedule, machine, options);
}

}  // namespace

TEST_CASE("the formula's timeline has a finish and idle resources, no ops") {
  const Topology box = testing::shelf("dgx_a100");
  const Timeline timeline = timed(one_allreduce(box, Bytes{1 << 30}), box);
  // 56 us + 2^30 B at 240 GB/s x 8/14, as in nccl_formula_test.cpp
  CHECK(timeline.finish.ps == doctest::Approx(7885.3668e6).epsilon(1e-6));
  CHECK(timeline.ops.empty());
  CHECK(!timeline.resources.empty());
  for (const ResourceTotals& totals : timeline.resources) CHECK(totals.bytes == 0);
  CHECK_FALSE(executors().at("nccl_formula").times_ops);
}

TEST_CASE("what the formula knows nothing of is refused") {
  const Topology box = testing::shelf("dgx_a100");
  Schedule two = one_allreduce(box, Bytes{8});
  two.collectives.push_back(two.collectives.front());
  CHECK(testing::refusal_of([&] { timed(two, box); }) ==
        "NCCL's formula times one collective, not 2; run it with --executor simulated");
  Schedule late = one_allreduce(box, Bytes{8});
  late.durations.push_back(Time{1});
  CHECK(testing::refusal_of([&] { timed(late, box); }) ==
        "NCCL's formula knows neither computing nor ranks that come late; leave them out, or run "
        "with --executor simulated");
}

}  // namespace syncsim::nccl_executor_test
