#pragma once
// Runs points of a scenario and writes them as rows. The scenario is read once it is needed: by a
// rank of mpirun that has nothing to do never. Any thread may call. What a point comes to does not
// depend on who runs it nor on how many run beside it.

#include <mutex>
#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/cli/crew/crew.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/sweep_points.h"
#include "sim/scenario/sweep_row.h"

namespace syncsim::cli {

class PointRunner {
 public:
  // `check`: prove every schedule first.
  PointRunner(std::string file, const SweepFormat& format, bool check)
      : file_(std::move(file)),
        format_(format),
        check_(check),
        names_(file_, find_data().topologies, check) {}

  const std::vector<Point>& points();
  std::string digest_of(std::size_t number) { return names_.digest_of(points()[number]); }

  // It must not outlive this.
  LimitedWork work();

 private:
  Outcome run(std::size_t number, const MemoryLimit& memory, Watch& watch);

  std::string file_;
  const SweepFormat& format_;
  bool check_;
  SweepPoints names_;
  std::once_flag read_;
  Scenario scenario_;
};

}  // namespace syncsim::cli
