#pragma once
// The critical path of a training step: from the end of its slowest backward back, from op to what
// held that op up (held_up.h), to the end of the slowest backward of the step before. Each op on it
// takes from when it was let go to its end, with the latency and overhead of transfers, so that
// compute, transfers and pauses add up to the step.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/report/held_up.h"
#include "sim/schedule/timeline.h"
#include "sim/workload/training_step.h"

namespace syncsim {

enum class PathKind : std::uint8_t {
  compute,   // forward, backward, updates
  transfer,  // of data, or what a framework's cycle held back
  pause,
};

// A transfer. Times count from the path's begin.
struct PathHop {
  std::string from;  // node names
  std::string to;
  std::vector<std::string> links;  // of its route
  Bytes bytes;
  Time start;
  Time finish;
};

// Consecutive ops of one part of the step, of compute on one node. Those that took no time are left
// out.
struct PathPiece {
  PathKind kind = PathKind::compute;
  std::string what;  // step_parts.h
  std::string node;  // of compute and pauses; empty of transfers
  std::vector<PathHop> hops;
  Time start;
  Time finish;
};

struct StepPath {
  Time compute;
  Time transfer;
  Time pause;
  std::vector<PathPiece> pieces;

  Time time() const { return compute + transfer + pause; }
};

// `held_up` is of the same run.
StepPath step_path(const Topology& machine, const Schedule& schedule, const StepPlan& plan,
                   const Timeline& timeline, HeldUp& held_up, const StepNames& names,
                   std::size_t step);

}  // namespace syncsim
