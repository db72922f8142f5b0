// syncsim run: scenario files, or one grid said on the command line.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "sim/cli/asked_points.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/page_file.h"
#include "sim/cli/point_options.h"
#include "sim/cli/run_points.h"
#include "sim/cli/trace_file.h"
#include "sim/report/formats.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {
namespace {

struct RunOptions {
  AskedPoints asked;
  std::string format = "text";
  bool links = false;
  bool explain = false;
  std::optional<std::string> trace;
  std::optional<std::string> report;
  bool no_check = false;
  bool audit = false;
  LongRunOptions long_run;
};

// Nothing at all was said.
int suggest() {
  std::cerr << "syncsim: nothing to run; try\n"
               "  syncsim run --topology pcie_4gpu --strategy central_gpu,distributed --bytes "
               "\"160 MB\"\n"
               "  syncsim run --topology dgx1v --strategy auto --bytes \"1 MB\"\n"
               "  syncsim run --topology pcie_4gpu --strategy ring --bytes \"160 MB\" "
               "--edit \"disable p2p\"\n"
               "or scenario files, as \"syncsim run mine.json\"; see syncsim run --help\n";
  return kBadInput;
}

void refuse_colliding_files(const RunOptions& options) {
  std::vector<NamedFile> outputs;
  std::vector<NamedFile> inputs = {{"--topology", options.asked.point.topology}};
  if (options.trace) outputs.push_back({"--trace", *options.trace});
  if (options.report) outputs.push_back({"--report", *options.report});
  if (options.asked.point.background)
    inputs.push_back({"--background", *options.asked.point.background});
  if (options.asked.point.rings) inputs.push_back({"--rings", *options.asked.point.rings});
  for (const std::string& file : options.asked.scenarios) inputs.push_back({"SCENARIO", file});
  refuse_collisions(outputs, inputs);
}

// What is drawn beside what is printed.
struct Files {
  std::optional<TraceFile> trace;
  std::optional<PageFile> page;
  RunDrawings drawings;

  // Has the settings' runs drawn here.
  Files(const RunOptions& options, std::size_t points, RunSettings& settings) {
    if (options.trace)
      drawings.add(trace.emplace(*options.trace, points, settings.memory).drawing());
    if (options.report) drawings.add(page.emplace(*options.report, points).drawing());
    if (trace || page) settings.drawing = &drawings;
    if (!trace && !options.links && !options.explain) settings.most_ops_followed = kMostOpsFollowed;
  }
};

RunOfPoint runner(const RunOptions& options, const Files& files) {
  if (options.explain)
    return [](const Point& point, const RunSettings& settings) {
      return run_explained(point, settings);
    };
  return files.page ? files.page->runner() : run_point;
}

int run(const RunOptions& options, const CLI::App& app) {
  if (options.asked.scenarios.empty() && app.count_all() <= 1) return suggest();
  const ReportFormat& format =
      *from_option("--format", [&] { return &report_formats().at(options.format); });
  RunSettings settings{find_data().topologies, !options.no_check, options.audit,
                       format.critical_path || options.trace, options.links};
  settings.models = find_data().models();
  settings.memory = memory_limit(options.long_run);
  refuse_colliding_files(options);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  const std::vector<Point> points = points_of(options.asked, app, "run");
  supervisor.expect_points(points.size());
  Files files(options, points.size(), settings);
  PointRuns runs = run_points(points, settings, supervisor, runner(options, files));
  if (files.page && !runs.unfinished) files.page->rank_others(points, settings, supervisor);
  supervisor.finish();
  if (!runs.unfinished && files.trace) files.trace->finish();
  if (files.page) files.page->write(runs.reports);
  if (!options.explain)  // the page alone says why
    for (Report& report : runs.reports) report.explanation.reset();
  const Unfinished* const unfinished = runs.unfinished ? &*runs.unfinished : nullptr;
  std::cout << format.write(runs.reports, {options.links, unfinished}) << std::flush;
  if (unfinished == nullptr) return kGood;
  std::cerr << "syncsim: interrupted " << unfinished->text()
            << fmt::format("; {} of {} points are finished\n", runs.reports.size(), points.size());
  return interrupted_exit_code();
}

}  // namespace

std::function<int()> declare_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  declare_points(app, options->asked, declare_run_conditions);
  app.add_option("--format", options->format, "text, json, csv or nccl-tests")
      ->capture_default_str();
  app.add_flag("--links", options->links, "with every link's bytes, rates, utilization and flows")
      ->disable_flag_override();
  app.add_flag("--explain", options->explain,
               "why it takes so long, and which single change would help most (runs it again with "
               "each)")
      ->disable_flag_override();
  app.add_option("--trace", options->trace,
                 "write every transfer to this file, for chrome://tracing or ui.perfetto.dev");
  app.add_option(
      "--report", options->report,
      "write a page to this file (HTML): the machine, the timeline, the tables, and why");
  declare_proof_options(app, options->no_check, options->audit);
  declare_long_run(app, options->long_run);
  return [options, &app] { return run(*options, app); };
}

}  // namespace syncsim::cli
