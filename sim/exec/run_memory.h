#pragma once
// What it takes to run a schedule, or to replay flows, on a machine: estimated before anything is
// built, and reckoned again from what is there before the engine is set up.

#include <cstdint>

#include "sim/base/memory.h"
#include "sim/engine/network.h"
#include "sim/exec/traffic.h"
#include "sim/schedule/size.h"
#include "sim/topology/machine_size.h"

namespace syncsim {

// The links that a route takes, where only the machine's size is known: a star's.
inline constexpr std::uint64_t kUsesARoute = 2;

// Beside the schedule and the machine, whose figures hold the resources'.
struct SimulationSize {
  std::uint64_t ops = 0;
  std::uint64_t lanes = 0;
  std::uint64_t routes = 0;
  std::uint64_t uses_a_route = kUsesARoute;
  std::uint64_t resources = 0;
};
std::uint64_t simulation_bytes(const SimulationSize& size);

// Whatever runs on it.
std::uint64_t machine_bytes(const MachineSize& machine);

// A schedule emitted, proved if `check`, and run: whichever takes most, with the machine.
std::uint64_t peak_bytes(const ScheduleSize& schedule, const MachineSize& machine, bool check);

// So many flows, read, run and told, with the machine, were there few different routes; and without
// the machine, by what is there.
std::uint64_t replay_bytes(std::uint64_t flows, const MachineSize& machine);
std::uint64_t replay_bytes(const SimulationSize& size);

MachineSize size_of(const Topology& topology);

// Of a work that is there.
template <class Work>
SimulationSize simulation_size(const Work& work) {
  const engine::Network& network = work.network();
  const std::uint64_t routes = network.route_count();
  const std::uint64_t uses = routes == 0 ? 0 : (network.use_count() + routes - 1) / routes;
  return {work.size(), work.lane_count(), routes, uses, network.resource_count()};
}

}  // namespace syncsim
