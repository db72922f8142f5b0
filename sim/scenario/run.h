#pragma once
// The story of a run; a newcomer starts reading at run.cpp.

#include <string>
#include <vector>

#include "sim/base/memory.h"
#include "sim/base/watch.h"
#include "sim/report/report.h"
#include "sim/scenario/point.h"
#include "sim/schedule/size.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

class RealRun;
class RunDrawing;
struct PointSchedule;
struct Setting;

struct RunSettings {
  std::string shelf;              // the directory of shipped machines
  bool check = true;              // prove every schedule before it runs
  bool audit = false;             // check the engine after every event
  bool critical_path = false;     // find each report's
  bool links = false;             // with their peak rates and flows
  RunDrawing* drawing = nullptr;  // where every point is drawn
  Watch* watch = nullptr;
  MemoryLimit memory = {};                     // nothing that would pass it is begun
  std::uint64_t most_ops = kMostOps;           // of a schedule
  std::uint64_t most_ops_followed = kMostOps;  // of larger ones rates are not followed
  std::uint64_t most_lanes = kMostOps;
  std::string models = {};  // the directory of shipped models
  RealRun* real = nullptr;  // measures what is simulated, in place of its times
};

// Throws InputError for what the point asks wrongly, InternalError for a schedule that fails its
// proof or a simulation that fails its audit, Interrupted when the watch says stop.
Report run_point(const Point& point, const RunSettings& settings);

// Its parts, for a point that names a strategy, on its setting.
Timeline timeline_of(const PointSchedule& planned, const Point& point, const Setting& setting,
                     const RunSettings& settings);
Report report_of(const PointSchedule& planned, const Timeline& timeline, const Point& point,
                 const Setting& setting, const RunSettings& settings);

}  // namespace syncsim
