#include <fmt/format.h>

#include <utility>

#include "sim/base/text.h"
#include "sim/exec/cuda/device_room.h"
#include "sim/exec/cuda/graph_runner.h"
#include "sim/exec/cuda/place_run.h"

namespace syncsim {
namespace {

std::vector<std::string> notes_of(const GraphPlan& plan, const DeviceMap& map) {
  if (plan.staged.empty()) return {};
  std::string pairs;
  for (const auto& [from, to] : plan.staged)
    pairs += fmt::format("{}{} to {}", pairs.empty() ? "" : ", ", map.device(from), map.device(to));
  return {"staged through pinned host memory, as there is no peer access: device " + pairs};
}

// What computes produce, from the beginning on.
void make_ready(const Schedule& schedule, const RunData& data, const GraphPlan& plan,
                PlaceRunner& runner) {
  for (const ReadyData& ready : plan.ready) {
    const auto& boundaries = schedule.buffers[ready.cell.buffer].boundaries;
    std::vector<std::byte> bytes(static_cast<std::size_t>(
        boundaries[ready.cell.chunk + std::size_t{1}] - boundaries[ready.cell.chunk]));
    data.produce(ready.cell, bytes.data());
    runner.set(ready.at, bytes.data(), bytes.size());
  }
}

// A fault that only the launch with stamps shows is a fault.
void take_times(PlaceRun& run, GraphRunner& runner, const Schedule& schedule,
                const GraphPlan& stamped, Measurement& measurement) {
  run.reset();
  Timeline timeline = timeline_of(schedule, stamped, runner.run_stamped());
  if (!measurement.wrong) measurement.wrong = run.first_wrong();
  measurement.notes.push_back("times of ops: of one launch more, with time stamps, which took " +
                              to_string(timeline.finish) + ", in proportion to the median");
  measurement.timeline = drawn_to(std::move(timeline), measurement.median());
}

}  // namespace

Measurement measure_planned(const Schedule& schedule, const RealOptions& options,
                            const CudaFacts& facts, const MakeGraphRunner& make) {
  require_host_room(schedule, 0, options.memory);
  const RunData data(schedule);
  const DeviceMap map = map_devices(schedule, options.devices, facts);
  const BufferExtents extents(schedule, data, map.place_of);
  require_host_room(schedule, extents.total(), options.memory);
  const GraphPlan plan = plan_graph(schedule, extents, map, facts);
  require_host_room(schedule, extents.total() + plan.bytes[kHostPlace], options.memory);
  require_device_room(plan.bytes, map, facts);
  const GraphPlan stamped = with_stamps(plan);
  const std::unique_ptr<GraphRunner> runner = make({plan, stamped, map, data.type()});
  make_ready(schedule, data, plan, *runner);
  PlaceRun run(schedule, data, map, extents, *runner);
  Measurement measurement;
  measurement.workers = counted(map.devices.size(), "device");
  measurement.notes = notes_of(map, schedule, facts);
  for (std::string& note : notes_of(plan, map)) measurement.notes.push_back(std::move(note));
  run.iterate(options, measurement);
  take_times(run, *runner, schedule, stamped, measurement);
  return measurement;
}

}  // namespace syncsim
