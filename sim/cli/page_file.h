#pragma once
// What --report writes: the page of a run, there whole or as before.

#include <span>
#include <string>

#include "sim/cli/output.h"
#include "sim/cli/run_points.h"
#include "sim/cli/supervisor.h"
#include "sim/report/page.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {

class PageFile {
 public:
  // Opens the file at once, and reads the template, so that what is missing is told before the work
  // begins. Throws InputError for a build without a page.
  PageFile(const std::string& path, std::size_t points);

  RunDrawing& drawing() { return drawing_; }
  // Runs a point for the page, with why it takes so long as far as that takes seconds.
  RunOfPoint runner() const;
  // Ranks the other strategies beside a single point, where that takes seconds.
  void rank_others(std::span<const Point> points, const RunSettings& settings,
                   Supervisor& supervisor);
  // Nothing where no point is done: the file is as it was before.
  void write(std::span<const Report> reports);

 private:
  std::string template_;
  std::size_t points_;
  Output out_;
  PageDrawing drawing_;
  Comparison others_;
  std::string others_note_;
};

}  // namespace syncsim::cli
