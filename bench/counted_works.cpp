#include "bench/counted_works.h"

#include <algorithm>

#include "bench/flow_work.h"
#include "bench/traffic.h"
#include "bench/works.h"
#include "sim/engine/fluid_network.h"
#include "sim/exec/transfer_work.h"

namespace syncsim::bench {
namespace {

struct NoRecorder {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
};

template <class Work>
[[gnu::noinline]] void counted_run(const Work& work) {
  NoRecorder recorder;
  engine::run(work.network(), work, recorder, engine::Audit::off);
}

CountedWork counted(const ScheduleCase& work) {
  return {work.name, [work] {
            const Topology machine = work.machine();
            const Schedule schedule = work.schedule(machine);
            const Resources resources(machine, Rates::line);
            counted_run(TransferWork(schedule, machine, resources, {}));
            const auto moves = [&](const Op& op) { return schedule.moves_data(op); };
            return static_cast<std::uint64_t>(
                std::count_if(schedule.ops.begin(), schedule.ops.end(), moves));
          }};
}

CountedWork counted(const std::string& name, const std::function<FlowGraph()>& graph) {
  return {name, [graph] {
            const FlowGraph flows = graph();
            counted_run(FlowWork(flows));
            return flows.transfers();
          }};
}

}  // namespace

std::vector<CountedWork> counted_works() {
  return {counted(star_case("ring", 64)), counted(skewed_ring_case(64)),
          counted("all_to_all_jittered/16", [] { return jittered_all_to_all(16, 0.05); }),
          counted("fat_tree/500_load_0.9",
                  [] {
                    return random_traffic({500, 0.9, 0});
                  }),
          counted("fat_tree/300_in_1ms", [] {
            return random_traffic({300, 0, 1'000'000'000});
          })};
}

}  // namespace syncsim::bench
