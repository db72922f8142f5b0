// syncsim plan: a strategy's schedule, written down.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/plan_summary.h"
#include "sim/cli/point_options.h"
#include "sim/cli/supervisor.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/select.h"
#include "sim/schedule/msccl_xml.h"
#include "sim/schedule/schedule_json.h"

namespace syncsim::cli {
namespace {

struct PlanOptions {
  PointOptions point;
  std::string out;
  std::string format = "text";
  LongRunOptions long_run;
};

Point point_of(const PointOptions& options) {
  demand_subject(options, "plan");
  if (options.strategies.empty())
    throw InputError("a strategy is needed",
                     "write such as: " + std::string(commands().at("plan").example), "--strategy");
  const std::vector<Point> points = grid(options);
  if (points.size() > 1)
    throw InputError(fmt::format("{} plans for one file", points.size()),
                     "give one strategy and one size");
  return points.front();
}

// Of a choice, what it chooses.
PointSchedule schedule_of_any(Point point, const RunSettings& settings) {
  const Setting setting = setting_of(point, settings);
  if (const ChoiceRow* const choice = choices().find(point.strategy)) {
    const Candidate chosen = choice->choose(point, setting, settings);
    point.strategy = chosen.strategy;
    point.parameters = chosen.parameters;
  }
  PointSchedule planned = schedule_of(point, setting, settings);
  if (!planned.proved) prove(planned.schedule, point.strategy, settings.watch);
  return planned;
}

std::string_view format_of(const std::string& path) {
  if (path.ends_with(".json")) return "json";
  if (path.ends_with(".xml")) return "xml";
  throw InputError(in_quotes(path) + " ends neither in .json nor in .xml", "name the plan so",
                   "--out");
}

// Returns what whoever runs the plan should know.
std::vector<std::string> write(const Schedule& schedule, const PlanName& name, const Point& point,
                               std::ostream& out) {
  if (name.format == "xml")
    return from_option("--out", [&] { return write_msccl(schedule, point.strategy, out); });
  from_option("--out", [&] { write_schedule(schedule, out); });
  return {};
}

int plan(const PlanOptions& options) {
  const bool as_json = wants_json(options.format);
  const PlanName name{options.out, format_of(options.out)};
  const Point point = point_of(options.point);
  refuse_collisions({{"--out", options.out}}, {{"--topology", options.point.topology}});
  RunSettings settings{find_data().topologies};
  settings.memory = memory_limit(options.long_run);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking});
  settings.watch = &supervisor;
  Output output("--out", options.out);
  supervisor.begin_point();
  const PointSchedule planned = schedule_of_any(point, settings);
  const std::vector<std::string> notes = write(planned.schedule, name, point, output.stream());
  output.finish();
  supervisor.finish();
  if (as_json)
    std::cout << plan_json(name, planned.schedule).dump(2) << "\n";
  else
    std::cout << within_page(plan_text(name, planned.schedule)) << "\n";
  for (const std::string& note : notes) std::cerr << "syncsim: note: " << note << "\n";
  return kGood;
}

int plan_or_stop(const PlanOptions& options) {
  try {
    return plan(options);
  } catch (const Interrupted&) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
}

}  // namespace

std::function<int()> declare_plan(CLI::App& app) {
  const auto options = std::make_shared<PlanOptions>();
  declare_machine_options(app, options->point);
  declare_schedule_options(app, options->point);
  app.add_option("--out", options->out, "file to write: .json, or .xml for MSCCL")->required();
  app.add_option("--format", options->format, "of what is printed: text or json")
      ->capture_default_str();
  declare_long_run(app, options->long_run);
  return [options] { return plan_or_stop(*options); };
}

}  // namespace syncsim::cli
