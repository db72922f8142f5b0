#include "sim/cli/run_points.h"

#include <algorithm>

namespace syncsim::cli {
namespace {

// Of a report that waits to be printed.
std::uint64_t kept_bytes(const Report& report) {
  constexpr std::uint64_t kNames = 70;
  std::uint64_t flows = 0;
  for (const LinkReport& link : report.links) flows += link.flows.size();
  return report.links.size() * (sizeof(LinkReport) + kNames) + flows * (sizeof(LinkFlow) + kNames) +
         report.critical_path.size() * sizeof(CriticalOp);
}

}  // namespace

PointRuns run_points(std::span<const Point> points, RunSettings settings, Supervisor& supervisor,
                     const RunOfPoint& run) {
  settings.watch = &supervisor;
  PointRuns runs;
  for (const Point& point : points) {
    Unfinished unfinished{
        runs.reports.size() + 1, points.size(), point.strategy, point.bytes, {}, {}};
    if (!supervisor.begin_point()) return {std::move(runs.reports), unfinished};
    try {
      runs.reports.push_back(run(point, settings));
    } catch (const Interrupted& interrupted) {
      unfinished.progress = interrupted.progress;
      unfinished.delivered = interrupted.delivered;
      return {std::move(runs.reports), unfinished};
    }
    settings.memory.bytes -= std::min(settings.memory.bytes, kept_bytes(runs.reports.back()));
  }
  return runs;
}

}  // namespace syncsim::cli
