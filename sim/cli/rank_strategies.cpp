#include "sim/cli/rank_strategies.h"

#include <utility>

#include "sim/scenario/point_schedule.h"
#include "sim/scenario/select.h"

namespace syncsim::cli {

std::size_t runs_to_rank(const std::vector<std::string>& plans) {
  return strategies().rows().size() + plans.size();
}

void begin_point(Supervisor& supervisor) {
  if (!supervisor.begin_point()) throw Interrupted({Stage::choosing, 0, 0, {}});
}

Comparison rank_strategies(const Point& point, const std::vector<std::string>& plans,
                           const RunSettings& settings, Supervisor& supervisor) {
  const Setting setting = setting_of(point, settings);
  std::vector<Report> reports;
  std::vector<LeftOut> left_out;
  for (const std::string& plan : plans) {  // first, so that what is wrong with one is told at once
    begin_point(supervisor);
    Point with_plan = point;
    with_plan.strategy = "plan:" + plan;
    with_plan.places["strategy"] = "--plan";
    const PointSchedule planned = schedule_of(with_plan, setting, settings);
    const Timeline timeline = timeline_of(planned, with_plan, setting, settings);
    reports.push_back(report_of(planned, timeline, with_plan, setting, settings));
  }
  for (const Strategy& strategy : strategies().rows()) {
    if (!does(strategy, point.collective)) continue;
    begin_point(supervisor);
    auto [winner, tried] = race(point, setting, candidates(strategy), settings);
    if (winner) {
      reports.push_back(std::move(*winner));
    } else {
      left_out.push_back({std::string(strategy.name), tried.front().why});
    }
  }
  return compared(std::move(reports), std::move(left_out));
}

}  // namespace syncsim::cli
