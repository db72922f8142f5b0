#include "sim/exec/run_memory.h"

#include <algorithm>

#include "sim/engine/run_memory.h"
#include "sim/schedule/timeline.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kProgram = 5'000'000;  // before it does anything

}  // namespace

std::uint64_t machine_bytes(const MachineSize& machine) { return kProgram + in_use_bytes(machine); }

std::uint64_t simulation_bytes(const SimulationSize& size) {
  constexpr std::uint64_t kOp = sizeof(OpTimes) + 4;  // and its lane
  constexpr std::uint64_t kLane = 40;                 // its rules and routes
  const engine::RunSize run{size.ops, size.lanes, capped_product(size.lanes, size.uses_a_route),
                            size.resources, size.routes};
  return engine::run_bytes(run) +
         engine::network_bytes(size.routes, capped_product(size.routes, size.uses_a_route)) +
         capped_product(size.ops, kOp) + capped_product(size.lanes, kLane);
}

std::uint64_t peak_bytes(const ScheduleSize& schedule, const MachineSize& machine, bool check) {
  const SimulationSize simulation{
      .ops = schedule.ops, .lanes = schedule.lanes, .routes = schedule.lanes};
  const std::uint64_t whole = schedule_bytes(schedule);
  const std::uint64_t most =
      std::max({emission_bytes(schedule), whole + simulation_bytes(simulation),
                whole + (check ? check_bytes(schedule) : 0)});
  return machine_bytes(machine) + most;
}

std::uint64_t replay_bytes(const SimulationSize& size) {
  constexpr std::uint64_t kFlow = sizeof(Flow);  // its times take no more than an op's
  constexpr std::uint64_t kWay = 90;             // in the table of those that are made
  return simulation_bytes(size) + capped_product(size.ops, kFlow) +
         capped_product(size.routes, kWay);
}

std::uint64_t replay_bytes(std::uint64_t flows, const MachineSize& machine) {
  return machine_bytes(machine) + replay_bytes(SimulationSize{.ops = flows, .lanes = flows});
}

MachineSize size_of(const Topology& topology) {
  return {topology.nodes().size(), topology.links().size()};
}

}  // namespace syncsim
