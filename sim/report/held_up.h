#pragma once
// What held each op of a run up: its latest dependency, or the op before it on its lane when that
// ended later than the dependency's data could arrive (ready + latency).

#include <cstdint>
#include <vector>

#include "sim/exec/op_routes.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Memory: 8 bytes an op.
class HeldUp {
 public:
  // The timeline is recorded. `rates` and `seed` are those of the run: routes, and so latencies,
  // can depend on them.
  HeldUp(const Topology& topology, const Schedule& schedule, const Timeline& timeline, Rates rates,
         std::uint32_t seed = 0);
  HeldUp(const HeldUp&) = delete;
  HeldUp& operator=(const HeldUp&) = delete;

  // kNone where nothing did.
  OpId by(OpId op);
  // By which its bytes go.
  const Route& route(const Op& op) { return routes_.of(op); }

 private:
  const Schedule& schedule_;
  const Timeline& timeline_;
  Resources resources_;
  OpRoutes routes_;
  std::vector<OpId> latest_;
  std::vector<OpId> lane_before_;
};

}  // namespace syncsim
