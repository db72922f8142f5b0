// syncsim compare: every strategy that does the collective, ranked.

#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/cli/run_points.h"
#include "sim/report/comparison.h"
#include "sim/scenario/setting.h"
#include "sim/schedule/strategy.h"

namespace syncsim::cli {
namespace {

struct CompareOptions {
  PointOptions point;
  std::string format = "text";
  LongRunOptions long_run;
};

bool does(const Strategy& strategy, CollectiveKind kind) {
  return std::find(strategy.collectives.begin(), strategy.collectives.end(), kind) !=
         strategy.collectives.end();
}

// One size of all strategies; false: interrupted.
bool compare_at(const Point& size, const RunSettings& settings, Supervisor& supervisor,
                bool as_json) {
  setting_of(size, settings);  // what is wrong with the point itself is told at once
  std::vector<Report> reports;
  std::vector<LeftOut> left_out;
  for (const Strategy& strategy : strategies().rows()) {
    if (!does(strategy, size.collective)) continue;
    Point point = size;
    point.strategy = strategy.name;
    try {
      const std::vector<Point> one{point};
      PointRuns runs = run_points(one, settings, supervisor);
      if (runs.unfinished) return false;
      reports.push_back(std::move(runs.reports.front()));
    } catch (const InputError& refusal) {
      left_out.push_back({std::string(strategy.name), refusal.what()});
    }
  }
  supervisor.finish();
  const Comparison comparison = compared(std::move(reports), std::move(left_out));
  std::cout << (as_json ? comparison_json(comparison) : comparison_text(comparison)) << std::flush;
  return true;
}

int compare(const CompareOptions& options) {
  const bool as_json = wants_json(options.format);
  demand_subject(options.point, "compare");
  const std::vector<Point> points = sizes(options.point);
  if (as_json && points.size() > 1)
    throw InputError("JSON is one object", "give one size", "--bytes");
  RunSettings settings{find_data().topologies};
  settings.memory = memory_limit(options.long_run);
  for (const Point& point : points) {
    Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
    supervisor.expect_points(strategies().rows().size());
    if (compare_at(point, settings, supervisor, as_json)) continue;
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
  return kGood;
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  declare_machine_options(app, options->point);
  declare_collective_options(app, options->point);
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  declare_long_run(app, options->long_run);
  return [options] { return compare(*options); };
}

}  // namespace syncsim::cli
