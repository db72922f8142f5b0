// syncsim calibrate: a machine's figures fitted to what was measured on it.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/input.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/point_options.h"
#include "sim/cli/supervisor.h"
#include "sim/scenario/calibration/calibrate.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/topology_writer.h"

namespace syncsim::cli {
namespace {

constexpr int kMostEvery = 1'000;

struct CalibrateCommand {
  PointOptions point;
  std::vector<std::string> from;
  std::string by = "kind";
  std::string fit;
  std::string hold_out = "3";
  bool in_place = false;
  bool above_line = false;
  std::optional<std::string> expect;
  std::optional<std::string> out;
  std::string format = "text";
  LongRunOptions long_run{true, {}};  // of many short runs, a bar would only flicker
};

Grouping grouping_of(const std::string& by) {
  if (by == "kind") return Grouping::kind;
  if (by == "link") return Grouping::link;
  throw unknown_name("grouping", by, {"kind", "link"}).at("--by");
}

std::vector<FigureKind> kinds_of(const std::string& list) {
  std::vector<FigureKind> kinds;
  if (list.empty()) return kinds;
  for (const std::string_view name : separated(list, ','))
    kinds.push_back(from_option("--fit", [&] { return figure_kinds().at(name).kind; }));
  return kinds;
}

int hold_out_of(const std::string& text) {
  const auto every = static_cast<int>(integer_of("--hold-out", text, kMostEvery));
  if (every == 1)
    throw InputError("every size would be held out", "write 2 or more, or 0 for none",
                     "--hold-out");
  return every;
}

TableTerms terms_of(const CalibrateCommand& command, const CLI::App& app) {
  if (command.point.topology.empty())
    throw InputError("a machine is needed",
                     "write such as: " + std::string(commands().at("calibrate").example),
                     "--topology");
  const bool has_strategy = !command.point.strategies.empty();
  std::vector<Point> points =
      has_strategy ? strategy_points(command.point) : std::vector{machine_point(command.point)};
  if (points.size() > 1)
    throw InputError("several strategies for one table", "name the one that ran", "--strategy");
  return {std::move(points.front()), app.get_option("--collective")->count() > 0, command.in_place};
}

std::vector<MeasuredFile> files_of(const std::vector<std::string>& paths) {
  std::vector<MeasuredFile> files;
  for (const std::string& path : paths) {
    Input input = read_input(path, kMostImportBytes, "a file of measured times");
    files.push_back({std::move(input.name), std::move(input.text)});
  }
  return files;
}

CalibrationSettings settings_of(const CalibrateCommand& command) {
  CalibrationSettings settings;
  settings.run.shelf = find_data().topologies;
  settings.run.memory = memory_limit(command.long_run);
  settings.kinds = kinds_of(command.fit);
  settings.grouping = grouping_of(command.by);
  settings.lines = command.above_line ? LineRates::raised : LineRates::bound;
  settings.hold_out = hold_out_of(command.hold_out);
  settings.tolerance = tolerance_of(command.expect);
  return settings;
}

int calibrate_machine(const CalibrateCommand& command, const CLI::App& app) {
  const bool as_json = wants_json(command.format);
  CalibrationSettings settings = settings_of(command);
  const TableTerms terms = terms_of(command, app);
  std::optional<Output> out;
  if (command.out) out.emplace("-o", command.out);
  Supervisor supervisor(command.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  settings.run.watch = &supervisor;
  const Calibration calibration = calibrate(files_of(command.from), terms, settings);
  if (out) {
    out->stream() << topology_json(calibration.machine);
    out->finish();
  }
  std::cout << (as_json ? calibration_json(calibration) : calibration_text(calibration))
            << std::flush;
  if (calibration.as_expected()) return kGood;
  std::cerr << fmt::format(
      "syncsim: the mean error of what is held out, {:.2f} %, is not within {:g} %\n",
      calibration.error(true).mean * 100, *calibration.tolerance * 100);
  return kClaimFailed;
}

int calibrate_or_stop(const CalibrateCommand& command, const CLI::App& app) {
  try {
    return calibrate_machine(command, app);
  } catch (const Interrupted&) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
}

void declare_fit(CLI::App& app, CalibrateCommand& command) {
  app.add_option("--by", command.by, "kind: links that are alike share figures; link: each its own")
      ->capture_default_str();
  app.add_option("--fit", command.fit,
                 "of bandwidth, latency, overhead, reduce and transit, separated by commas; "
                 "otherwise all that the points tell");
  app.add_option("--hold-out", command.hold_out,
                 "every so many-th size of a series is not fitted to, but predicted; 0: none")
      ->capture_default_str();
  app.add_flag("--in-place", command.in_place, "take the in-place times of tables")
      ->disable_flag_override();
  app.add_flag("--above-line", command.above_line,
               "let usable bandwidths exceed line rates, which then are raised")
      ->disable_flag_override();
  app.add_option("--expect", command.expect,
                 "exit code 1 unless the mean error of what is held out is so small, e.g. "
                 "\"within 5 %\"");
}

}  // namespace

std::function<int()> declare_calibrate(CLI::App& app) {
  const auto command = std::make_shared<CalibrateCommand>();
  app.add_option("--from", command->from,
                 "what was measured: JSON of execute, a table of nccl-tests (pasted, CSV or JSON) "
                 "or matrices of p2pBandwidthLatencyTest (repeatable; - for standard input)")
      ->required()
      ->allow_extra_args(false);
  declare_measured_options(app, command->point);
  app.get_option("--collective")->description("of tables that do not say theirs")->default_str("");
  declare_fit(app, *command);
  app.add_option("-o,--out", command->out, "topology file to write");
  app.add_option("--format", command->format, "of what is printed: text or json")
      ->capture_default_str();
  declare_memory(app, command->long_run);
  return [command, &app] { return calibrate_or_stop(*command, app); };
}

}  // namespace syncsim::cli
