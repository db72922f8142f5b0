// syncsim run: scenario files, or one grid said on the command line.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/run_points.h"
#include "sim/exec/executor.h"
#include "sim/report/formats.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "sim/schedule/strategy.h"

namespace syncsim::cli {
namespace {

constexpr const char* kPointOptions = "Points, instead of scenario files";

struct RunOptions {
  std::vector<std::string> scenarios;
  std::string topology;
  std::vector<std::string> strategies;
  std::vector<std::string> bytes;
  std::string collective = "allreduce";
  std::string datatype = "float32";
  std::optional<std::string> ranks;
  std::string root = "0";
  std::vector<std::string> parameters;
  std::vector<std::string> edits;
  std::vector<std::string> events;
  std::string rates = "line";
  std::string overhead = "0 us";
  std::string executor = "simulated";
  std::string seed = "0";
  std::optional<std::string> background;
  std::string format = "text";
  bool links = false;
  bool no_check = false;
  bool audit = false;
  LongRunOptions long_run;
};

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("\"" + text + "\" is no name=value", "write --param chunks=8", "--param");
    if (!result.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw InputError("\"" + text.substr(0, equals) + "\" is given twice", "give it once",
                       "--param");
  }
  return result;
}

// CLI11's own splitting drops empty entries: "1 MB,,2 MB" would pass.
std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) {
    std::size_t begin = 0;
    for (std::size_t comma; (comma = text.find(',', begin)) != text.npos; begin = comma + 1)
      result.push_back(text.substr(begin, comma - begin));
    result.push_back(text.substr(begin));
  }
  return result;
}

std::string background_of(const RunOptions& options) {
  if (options.background && options.background->empty())
    throw InputError("the path is empty", "name a CSV file of flows", "--background");
  return options.background.value_or("");
}

Point common_point(const RunOptions& options) {
  Point point;
  point.topology = options.topology;
  point.edits = edits_of(options.edits);
  point.events = events_of(options.events);
  point.collective =
      from_option("--collective", [&] { return parse_collective(options.collective); });
  point.datatype = from_option("--datatype", [&] { return datatypes().at(options.datatype); }).name;
  if (options.ranks)
    point.ranks = from_option("--ranks", [&] { return parse_ranks(*options.ranks); });
  point.root = static_cast<int>(integer_of("--root", options.root, kMostRoot));
  point.parameters = parse_parameters(options.parameters);
  for (const auto& [name, value] : point.parameters) point.parameter_places[name] = "--param";
  point.rates = from_option("--rates", [&] { return parse_rates(options.rates); });
  point.overhead = from_option("--overhead", [&] { return parse_time(options.overhead); });
  point.executor = from_option("--executor", [&] { return executors().at(options.executor); }).name;
  point.seed = static_cast<std::uint32_t>(integer_of("--seed", options.seed, 0xffffffff));
  point.background = background_of(options);
  for (const std::string field : {"topology", "bytes", "root", "ranks", "strategy", "background"})
    point.places[field] = "--" + field;
  return point;
}

std::vector<Point> grid(const RunOptions& options) {
  const Point common = common_point(options);
  std::vector<Point> points;
  for (const std::string& strategy : split_at_commas(options.strategies)) {
    from_option("--strategy", [&] { return &strategies().at(strategy); });
    for (const std::string& size : split_at_commas(options.bytes)) {
      points.push_back(common);
      points.back().strategy = strategy;
      points.back().bytes = from_option("--bytes", [&] { return parse_bytes(size); });
    }
  }
  return points;
}

// Scenario files say their own points: nothing said beside them may be silently ignored.
void refuse_point_options(const CLI::App& app, const std::string& file) {
  const auto says_a_point = [](const CLI::Option* option) {
    return option->get_group() == kPointOptions;
  };
  for (const CLI::Option* option : app.get_options(says_a_point))
    if (option->count() > 0)
      throw InputError(in_quotes(file) + " is taken for a scenario file, which says its own points",
                       "leave one of the two out; values of an option are separated by commas",
                       option->get_name());
}

void demand_point(const RunOptions& options) {
  std::string missing;
  const auto miss = [&](bool absent, const char* option) {
    if (absent) missing += (missing.empty() ? "" : ", ") + std::string(option);
  };
  miss(options.topology.empty(), "--topology");
  miss(options.strategies.empty(), "--strategy");
  miss(options.bytes.empty(), "--bytes");
  if (!missing.empty())
    throw InputError("nothing to run: without scenario files, " + missing + " is missing",
                     "write such as: " + std::string(commands().at("run").example));
}

std::vector<Point> points_of(const RunOptions& options, const CLI::App& app) {
  if (options.scenarios.empty()) {
    demand_point(options);
    return grid(options);
  }
  refuse_point_options(app, options.scenarios.front());
  std::vector<Point> points;
  for (const std::string& file : options.scenarios) {
    const Scenario scenario = read_scenario(JsonFile::load(file).root());
    points.insert(points.end(), scenario.points.begin(), scenario.points.end());
  }
  return points;
}

int run(const RunOptions& options, const CLI::App& app) {
  const ReportFormat& format =
      *from_option("--format", [&] { return &report_formats().at(options.format); });
  RunSettings settings{find_data().topologies, !options.no_check, options.audit,
                       format.critical_path};
  settings.memory = memory_limit(options.long_run);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  const std::vector<Point> points = points_of(options, app);
  supervisor.expect_points(points.size());
  const PointRuns runs = run_points(points, settings, supervisor);
  supervisor.finish();
  const Unfinished* const unfinished = runs.unfinished ? &*runs.unfinished : nullptr;
  std::cout << format.write(runs.reports, {options.links, unfinished}) << std::flush;
  if (unfinished == nullptr) return kGood;
  std::cerr << "syncsim: interrupted " << unfinished->text()
            << fmt::format("; {} of {} points are finished\n", runs.reports.size(), points.size());
  return interrupted_exit_code();
}

void declare_point_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group(kPointOptions);
  app.add_option("--topology", options.topology, "machine: a shipped name or a .json file");
  app.add_option("--strategy", options.strategies, "one or more, separated by commas")
      ->allow_extra_args(false);
  app.add_option("--bytes", options.bytes, "size, e.g. \"160 MB\"; several separated by commas")
      ->allow_extra_args(false);
  app.add_option("--collective", options.collective, "what to compute")->capture_default_str();
  app.add_option("--datatype", options.datatype, "of the elements")->capture_default_str();
  app.add_option("--ranks", options.ranks, "which GPUs, in which order, e.g. 0-3 or 0,2,1");
  app.add_option("--root", options.root, "of reduce and broadcast")->capture_default_str();
  app.add_option("--param", options.parameters, "a strategy's parameter, name=value (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--edit", options.edits, kEditHelp)->allow_extra_args(false);
  app.add_option("--event", options.events, kEventHelp)->allow_extra_args(false);
  app.add_option("--rates", options.rates, "line or usable")->capture_default_str();
  app.add_option("--overhead", options.overhead, "fixed cost of a transfer")->capture_default_str();
  app.add_option("--executor", options.executor, "what runs it")->capture_default_str();
  app.add_option("--seed", options.seed, "of equal-cost routes")->capture_default_str();
  app.add_option("--background", options.background,
                 "CSV file of flows beside the collective: start, source, destination, bytes");
  app.option_defaults()->group("Options");
}

}  // namespace

std::function<int()> declare_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  app.add_option("SCENARIO", options->scenarios, "scenario files, instead of the options below");
  declare_point_options(app, *options);
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  app.add_flag("--links", options->links, "with every link's bytes, rate and utilization")
      ->disable_flag_override();
  app.add_flag("--no-check", options->no_check, "do not prove the schedules first")
      ->disable_flag_override();
  app.add_flag("--audit", options->audit, "check capacities and fairness after every event")
      ->disable_flag_override();
  declare_long_run(app, options->long_run);
  return [options, &app] { return run(*options, app); };
}

}  // namespace syncsim::cli
