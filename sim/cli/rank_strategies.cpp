#include "sim/cli/rank_strategies.h"

#include <new>
#include <utility>

#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/select.h"

namespace syncsim::cli {

std::size_t runs_to_rank(const std::vector<std::string>& plans) {
  return strategies().rows().size() + plans.size();
}

void begin_point(Supervisor& supervisor) {
  if (!supervisor.begin_point()) throw Interrupted({Stage::choosing, 0, 0, {}});
}

void add_or_leave_out(std::string_view strategy, std::vector<Report>& reports,
                      std::vector<LeftOut>& left_out, const std::function<Race()>& run) {
  const auto leave_out = [&](std::string why, bool broken = false) {
    left_out.push_back({std::string(strategy), std::move(why), broken});
  };
  try {
    Race race = run();
    if (!race.winner) return leave_out(race.tried.front().why);
    reports.push_back(std::move(*race.winner));
  } catch (const Interrupted&) {
    throw;
  } catch (const InputError& refusal) {
    leave_out(refusal.what());
  } catch (const std::bad_alloc&) {
    leave_out("out of memory; ask for fewer ranks or chunks");
  } catch (const std::exception& error) {
    leave_out(std::string("internal error: ") + error.what(), true);
  }
}

Comparison rank_strategies(const Point& point, const std::vector<std::string>& plans,
                           const RunSettings& settings, Supervisor& supervisor) {
  const Setting setting = setting_of(point, settings);
  std::vector<Report> reports;
  std::vector<LeftOut> left_out;
  for (const std::string& plan : plans) {  // first, so that what is wrong with one is told at once
    begin_point(supervisor);
    Point with_plan = point;
    with_plan.strategy = plan_strategy(plan);
    with_plan.places["strategy"] = "--plan";
    const PointSchedule planned = schedule_of(with_plan, setting, settings);
    const Timeline timeline = timeline_of(planned, with_plan, setting, settings);
    reports.push_back(report_of(planned, timeline, with_plan, setting, settings));
  }
  for (const Strategy& strategy : strategies().rows()) {
    if (!does(strategy, point.collective)) continue;
    begin_point(supervisor);
    add_or_leave_out(strategy.name, reports, left_out,
                     [&] { return race(point, setting, candidates(strategy), settings); });
  }
  return compared(std::move(reports), std::move(left_out));
}

}  // namespace syncsim::cli
