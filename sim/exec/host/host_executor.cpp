// Runs a schedule in this machine's memory.

#include <algorithm>
#include <thread>
#include <utility>

#include "sim/base/text.h"
#include "sim/exec/host/host_crew.h"
#include "sim/exec/host/host_memory.h"
#include "sim/exec/host/host_mover.h"
#include "sim/exec/real/real_executor.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/size.h"

namespace syncsim {
namespace {

// The schedule itself lies in memory already.
void require_room_for(const Schedule& schedule, std::uint64_t buffers, const RealOptions& options) {
  const auto iterations = static_cast<std::uint64_t>(options.iterations) + 1;
  const std::uint64_t need =
      schedule_bytes(size_of(schedule)) + buffers + HostCrew::needed_bytes(schedule) +
      capped_product(capped_product(schedule.ops.size(), sizeof(OpTimes)), iterations);
  require_room(options.memory, need, "a run on the host",
               "the buffers of " + counted(schedule.participants.size(), "participant"),
               "use fewer ranks, less data or fewer iterations");
}

void note(Measurement& measurement, Timeline timeline, std::vector<Timeline>& timelines) {
  measurement.times.push_back(timeline.finish);
  timelines.push_back(std::move(timeline));
}

}  // namespace

int host_threads(const RealOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

Measurement measure_on_host(const Schedule& schedule, const Topology&, const RealOptions& options) {
  require_room_for(schedule, RunData::needed_bytes(schedule), options);
  const RunData data(schedule);
  BufferExtents extents(schedule, data);
  require_room_for(schedule, RunData::needed_bytes(schedule) + extents.total(), options);
  HostMemory memory(schedule, data, std::move(extents));
  HostMover mover(schedule, data, memory);
  Measurement measurement;
  const auto threads = std::clamp<std::size_t>(schedule.ops.size(), 1,
                                               static_cast<std::size_t>(host_threads(options)));
  measurement.workers = counted(threads, "thread");
  HostCrew crew(schedule, mover, static_cast<int>(threads));
  std::vector<Timeline> timelines;
  for (int i = 0; i < options.warmup + options.iterations && !measurement.wrong; ++i) {
    memory.reset();
    Timeline timeline = crew.run(options.watch);
    measurement.wrong = data.first_wrong([&](const CellPlace& cell) { return memory.at(cell); });
    if (i >= options.warmup || measurement.wrong) note(measurement, std::move(timeline), timelines);
  }
  measurement.timeline = std::move(timelines[median_of(measurement.times)]);
  return measurement;
}

}  // namespace syncsim
