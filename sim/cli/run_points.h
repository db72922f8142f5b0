#pragma once
// Points run one after the other, until they are done or somebody interrupts.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/cli/supervisor.h"
#include "sim/report/unfinished.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {

struct PointRuns {
  std::vector<Report> reports;           // of the finished points, which come first
  std::optional<Unfinished> unfinished;  // the next one, when interrupted
};

using RunOfPoint = std::function<Report(const Point& point, const RunSettings& settings)>;

// `supervisor` watches; the settings need not say so.
PointRuns run_points(std::span<const Point> points, RunSettings settings, Supervisor& supervisor,
                     const RunOfPoint& run = run_point);

}  // namespace syncsim::cli
