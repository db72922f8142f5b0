#pragma once
// The page of a run: one HTML file that needs nothing else, with the machine, the timeline, the
// tables and the words. Its template is built from plots/page (HTML, style and script in one file);
// here the data take their place in it, as JSON in a script element: '<' is written \u003c there,
// so that no name can end it. What a browser cannot draw at once is left out, and the page says so.

#include <string>
#include <string_view>
#include <vector>

#include "sim/report/comparison.h"
#include "sim/report/page/step_series.h"
#include "sim/report/run_drawing.h"

namespace syncsim {

// Of a run with more ops its page lacks rates over time, which would take longer than the run.
inline constexpr std::uint64_t kMostOpsFollowed = 300'000;

// What only the run itself can tell, as JSON.
struct PagePoint {
  std::string picture;
  std::string timeline;
};

class PageDrawing : public RunDrawing {
 public:
  explicit PageDrawing(std::size_t points);

  void begin_point(const Topology& machine, Rates rates,
                   std::span<const LinkChange> changes) override;
  void carries(std::uint32_t resource, double rate, Time from) override;
  void end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                 const Timeline& timeline) override;

  const std::vector<PagePoint>& points() const { return points_; }

 private:
  std::size_t most_slices_;
  std::vector<StepSeries> rates_;  // by resource
  std::vector<PagePoint> points_;
};

struct Page {
  std::vector<Report> reports;         // with critical paths
  std::vector<PagePoint> points;       // one each
  std::vector<Report> others;          // other strategies beside a single point, the fastest first
  std::string others_note;             // why there are none
  std::vector<LeftOut> left_out = {};  // strategies that could not run there
};

// Throws InputError without a place for a template that has no place for the data.
std::string page_text(const Page& page, std::string_view html);

}  // namespace syncsim
