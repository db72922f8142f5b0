// syncsim compare: every strategy that does the collective, ranked; over several sizes the fastest
// of each, and where it changes.

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/cli/colour.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/cli/rank_strategies.h"
#include "sim/cli/supervisor.h"
#include "sim/report/comparison.h"
#include "sim/scenario/crossovers.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/select.h"

namespace syncsim::cli {
namespace {

struct CompareOptions {
  PointOptions point;
  std::vector<std::string> plans;
  std::string format = "text";
  bool no_check = false;
  bool audit = false;
  LongRunOptions long_run;
};

struct ComparisonFormat {
  std::string_view name;
  std::string (*ranking)(const Comparison& comparison);
  std::string (*winners)(const Winners& winners);
};

std::string text_for_people(const Comparison& comparison) {
  return comparison_text(comparison, [](std::string_view row) { return bold(row, STDOUT_FILENO); });
}

const NamedTable<ComparisonFormat>& formats() {
  static const NamedTable<ComparisonFormat> table("format",
                                                  {{"csv", comparison_csv, winners_csv},
                                                   {"json", comparison_json, winners_json},
                                                   {"text", text_for_people, winners_text}});
  return table;
}

// What is known stays in `winners` when this is interrupted.
void find_winners(const std::vector<Point>& points, const RunSettings& settings,
                  Supervisor& supervisor, Winners& winners) {
  std::size_t expected = points.size();
  supervisor.expect_points(expected);
  const auto winner_of = [&](const Point& point) {
    begin_point(supervisor);
    return *fastest(point, setting_of(point, settings), settings).winner;
  };
  for (const Point& point : points) winners.sizes.push_back(winner_of(point));
  add_crossovers(winners, [&](Bytes bytes) {
    supervisor.expect_points(++expected);
    Point point = points.front();
    point.bytes = bytes;
    return winner_of(point);
  });
}

std::vector<Point> ascending(std::vector<Point> points) {
  const auto smaller = [](const Point& a, const Point& b) { return a.bytes < b.bytes; };
  const auto equal = [](const Point& a, const Point& b) { return a.bytes == b.bytes; };
  std::stable_sort(points.begin(), points.end(), smaller);
  points.erase(std::unique(points.begin(), points.end(), equal), points.end());
  return points;
}

int exit_code_of(const Comparison& comparison) {
  const auto broken = std::count_if(comparison.left_out.begin(), comparison.left_out.end(),
                                    [](const LeftOut& each) { return each.broken; });
  if (broken == 0) return kGood;
  std::cerr << error_prefix() << "internal error: in " << broken << " of those left out\n";
  return kInternalError;
}

int compare(const CompareOptions& options) {
  const ComparisonFormat& format =
      *from_option("--format", [&] { return &formats().at(options.format); });
  demand_subject(options.point, "compare");
  const std::vector<Point> points = ascending(sizes(options.point));
  if (points.size() > 1 && !options.plans.empty())
    throw InputError("plans are ranked at one size", "give one", "--bytes");
  Supervisor supervisor(options.long_run, {Stage::choosing, Stage::checking});
  RunSettings settings{find_data().topologies, !options.no_check, options.audit};
  settings.memory = memory_limit(options.long_run);
  settings.watch = &supervisor;
  std::string text;
  Comparison comparison;
  Winners winners;
  try {
    if (points.size() == 1) {
      supervisor.expect_points(runs_to_rank(options.plans));
      comparison = rank_strategies(points.front(), options.plans, settings, supervisor);
      text = format.ranking(comparison);
    } else {
      find_winners(points, settings, supervisor, winners);
      text = format.winners(winners);
    }
  } catch (const Interrupted&) {
    supervisor.finish();
    if (!winners.sizes.empty()) std::cout << format.winners(winners) << std::flush;
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
  supervisor.finish();
  std::cout << text << std::flush;
  return exit_code_of(comparison);
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  declare_machine_options(app, options->point);
  declare_collective_options(app, options->point);
  declare_conditions(app, options->point);
  app.add_option("--plan", options->plans, "a plan to rank with them (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "text, json or csv")->capture_default_str();
  declare_proof_options(app, options->no_check, options->audit);
  declare_long_run(app, options->long_run);
  return [options] { return compare(*options); };
}

}  // namespace syncsim::cli
