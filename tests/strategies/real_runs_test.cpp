// Every strategy of the registry on real data: the sums are exact, and its ops keep their order,
// measured as well as simulated. A new row is covered without an edit here.

#include "tests/support/real_runs.h"

#include "tests/strategies/tuning.h"
#include "tests/support/runs.h"

namespace syncsim::testing::real_runs_test {
namespace {

struct Size {
  std::string_view datatype;
  std::int64_t bytes;
};
// Numbers of elements that no number of ranks below divides.
constexpr Size kSizes[] = {{"float32", 28}, {"int8", 1'009}, {"bfloat16", 2'018}, {"int64", 8'072}};

Topology machine_of(int ranks) {
  return with_abilities(star_with_cpu(ranks, gigabytes(16)).parts());
}

void run_everywhere(const Topology& machine, const Strategy& strategy,
                    const ParameterSet& parameters, int threads) {
  const int ranks = static_cast<int>(machine.ranks().size());
  for (const CollectiveKind kind : strategy.collectives)
    for (const Size& size : kSizes) {
      const Task task{
          std::string(strategy.name), {kind, ranks, {size.bytes}, size.datatype}, parameters};
      INFO(task.strategy << ", " << to_string(kind) << " of " << size.bytes << " B on " << ranks);
      const Schedule schedule = emitted(machine, task);
      const Measurement run = measured(schedule, threads);
      CHECK(fault_of(run) == "");
      CHECK(out_of_order(schedule, run.timeline) == "");
      CHECK(out_of_order(schedule, execute_simulated(schedule, machine, {})) == "");
    }
}

}  // namespace

TEST_CASE("every strategy sums real data exactly, on odd numbers of ranks and of elements") {
  int threads = 0;
  for (const int ranks : {2, 3, 5}) {
    const Topology machine = machine_of(ranks);
    for (const Strategy& strategy : strategies().rows())
      if (applies(strategy, machine)) run_everywhere(machine, strategy, {}, threads++ % 4 + 1);
  }
}

TEST_CASE("so it does with other chunks, directions and roots, and with staged sums") {
  const Topology machine = machine_of(5);
  for (const auto& [name, sets] : tuning(5))
    if (applies(strategies().at(name), machine))
      for (const ParameterSet& parameters : sets)
        run_everywhere(machine, strategies().at(name), parameters, 3);
  for (const Strategy& strategy : strategies().rows()) {
    if (!applies(strategy, machine)) continue;
    const Collective collective{strategy.collectives.front(), 5, {404}, "int32"};
    const Task task{std::string(strategy.name), collective};
    INFO(task.strategy);
    CHECK(fault_of(measured(staged(machine, task), 2)) == "");
  }
}

TEST_CASE("a strategy's schedule without one of its reduces leaves wrong data") {
  const Topology machine = machine_of(3);
  Schedule schedule = emitted(machine, {"ring", {CollectiveKind::allreduce, 3, {1'200}}});
  for (Op& op : schedule.ops)
    if (op.kind == OpKind::reduce) {
      op.chunk_count = 0;
      break;
    }
  CHECK(measured(schedule).wrong);
}

}  // namespace syncsim::testing::real_runs_test
