#pragma once
// Runs in the trace event format that chrome://tracing and Perfetto (ui.perfetto.dev) load, written
// as they go on. A point is a group of processes:
//   "run"    a track a phase, and the critical path where the report has it
//   "links"  a counter a link direction or node's capacity: rate in GB/s, and the share in use
//   a process a participant, with a track for each channel on which it receives: a slice an op from
//            its first byte to its last, named "reduce chunk 3 from gpu1". Slices of a channel that
//            overlap lie on tracks side by side. What goes to a group lies at its source.
// Of training steps slices have the names of step_parts.h, "forward fc" or "gradients bucket 2:
// reduce chunk 3 from gpu1", and the first track of each rank is "compute". Arrows lead from an op
// to those that waited for it on other tracks (arrows.h). Times are microseconds with six decimals,
// exact to the picosecond.
//
// Slices stand in order of time, each followed by the ends of its arrows. Memory: 4 bytes an op, 12
// an arrow, and what tracks and routes take.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sim/base/memory.h"
#include "sim/engine/capacity_changes.h"
#include "sim/report/run_drawing.h"

namespace syncsim {

class ChromeTrace : public RunDrawing {
 public:
  enum class Points { one, several };  // processes are named after their point where there are more

  ChromeTrace(std::ostream& out, Points points, MemoryLimit memory = {});

  // Before a run, of which the watch then tells.
  void begin_point(const Topology& machine, Rates rates,
                   std::span<const LinkChange> changes) override;
  void carries(std::uint32_t resource, double rate, Time from) override;
  void name_ops(const StepNames& names) override { names_ = &names; }
  // After it. Throws InputError where the drawing would pass the memory.
  void end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                 const Timeline& timeline) override;
  void finish();

 private:
  std::ostream& out_;
  Points points_;
  MemoryLimit memory_;
  bool empty_ = true;
  std::uint32_t first_process_ = 1;    // of the point
  std::uint32_t next_track_ = 1;       // of the file
  std::vector<std::string> counters_;  // names of the resources, as JSON
  std::vector<double> capacities_;     // now
  std::vector<engine::CapacityChange> changes_;
  std::size_t next_change_ = 0;
  const StepNames* names_ = nullptr;  // of the point

  class Drawing;
  void write(std::string_view event);
};

}  // namespace syncsim
