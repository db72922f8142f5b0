#include "sim/cli/point_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/options.h"
#include "sim/exec/executor.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/range.h"
#include "sim/scenario/select.h"
#include "sim/topology/delay.h"

namespace syncsim::cli {
namespace {

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

// A plan's path may hold commas: it takes as many pieces as name a file together.
std::vector<std::string> strategies_in(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) {
    std::vector<std::string> pieces = split_at_commas({text});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      std::string longest = pieces[i];
      std::string tried = pieces[i];
      for (std::size_t next = i + 1; is_plan(pieces[i]) && next < pieces.size(); ++next) {
        tried.append(",").append(pieces[next]);
        if (std::filesystem::exists(plan_path(tried))) longest = tried;
      }
      i += static_cast<std::size_t>(std::count(longest.begin(), longest.end(), ','));
      result.push_back(std::move(longest));
    }
  }
  return result;
}

// "" when the option is not given.
std::string path_of(const char* option, const std::optional<std::string>& path,
                    const std::string& what) {
  if (path && path->empty()) throw InputError("the path is empty", "name " + what, option);
  return path.value_or("");
}

Point common_point(const PointOptions& options) {
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
  point.overhead = from_option("--overhead", [&] { return parse_delay(options.overhead); });
  point.reduction = from_option("--reduction", [&] { return parse_reduction(options.reduction); });
  point.executor = from_option("--executor", [&] { return executor_named(options.executor); }).name;
  point.start = starts_of(options.starts);
  point.seed = static_cast<std::uint32_t>(integer_of("--seed", options.seed, 0xffffffff));
  point.background = path_of("--background", options.background, "a CSV file of flows");
  point.rings = path_of("--rings", options.rings, "a log or graph file of NCCL");
  if (is_given(options.library)) point.library = terms_of(options.library);
  for (const std::string field : {"topology", "bytes", "root", "ranks", "strategy", "reduction",
                                  "start", "background", "rings"})
    point.places[field] = "--" + field;
  return point;
}

}  // namespace

bool needs_bytes(const PointOptions& options) {
  return from_option("--collective", [&] { return parse_collective(options.collective); }) !=
         CollectiveKind::barrier;
}

void demand_subject(const PointOptions& options, std::string_view command) {
  if (!options.topology.empty() && (!options.bytes.empty() || !needs_bytes(options))) return;
  throw InputError("a machine and a size are needed",
                   "write such as: " + std::string(commands().at(command).example));
}

std::vector<Point> sizes(const PointOptions& options) {
  const Point common = common_point(options);
  if (options.bytes.empty() && !needs_bytes(options)) return {common};
  std::vector<Point> points;
  for (const std::string& size : split_at_commas(options.bytes)) {
    for (const Bytes bytes : from_option("--bytes", [&] { return parse_sizes(size); })) {
      points.push_back(common);
      points.back().bytes = bytes;
    }
  }
  return points;
}

namespace {

// Every point with every strategy, points fastest.
std::vector<Point> by_strategy(const PointOptions& options, const std::vector<Point>& sized) {
  std::vector<Point> points;
  for (const std::string& strategy : strategies_in(options.strategies)) {
    from_option("--strategy", [&] { require_strategy_name(strategy); });
    points.insert(points.end(), sized.begin(), sized.end());
    for (auto point = points.end() - static_cast<std::ptrdiff_t>(sized.size());
         point != points.end(); ++point)
      point->strategy = strategy;
  }
  return points;
}

void declare_strategy(CLI::App& app, PointOptions& options) {
  app.add_option("--strategy", options.strategies,
                 "one or more, separated by commas; auto: the fastest; plan:FILE: a plan")
      ->allow_extra_args(false);
}

void declare_ranks(CLI::App& app, PointOptions& options) {
  app.add_option("--ranks", options.ranks, "which GPUs, in which order, e.g. 0-3 or 0,2,1");
}

void declare_parameters(CLI::App& app, PointOptions& options) {
  app.add_option("--param", options.parameters, "a strategy's parameter, name=value (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--rings", options.rings,
                 "rings that ran: a log of NCCL_DEBUG=INFO, or what NCCL_GRAPH_DUMP_FILE wrote");
}

void declare_events(CLI::App& app, PointOptions& options) {
  app.add_option("--event", options.events, kEventHelp)->allow_extra_args(false);
}

void declare_start(CLI::App& app, PointOptions& options) {
  app.add_option("--start", options.starts,
                 "ranks that come late and when, e.g. \"3=5 ms\" (repeatable; the last one counts)")
      ->allow_extra_args(false);
}

void declare_reduction(CLI::App& app, PointOptions& options) {
  app.add_option("--reduction", options.reduction,
                 "on-arrival: sums while bytes arrive; staged: when a message is whole")
      ->capture_default_str();
}

void declare_costs(CLI::App& app, PointOptions& options) {
  app.add_option("--overhead", options.overhead, "fixed cost of a transfer; the last one counts")
      ->take_last()
      ->capture_default_str();
  declare_reduction(app, options);
  app.add_option("--seed", options.seed, "of equal-cost routes, and of jitter")
      ->capture_default_str();
}

void declare_kind(CLI::App& app, PointOptions& options) {
  app.add_option("--collective", options.collective, "what to compute")->capture_default_str();
}

void declare_collective(CLI::App& app, PointOptions& options) {
  declare_kind(app, options);
  app.add_option("--datatype", options.datatype, "of the elements")->capture_default_str();
  declare_ranks(app, options);
  app.add_option("--root", options.root, "of reduce and broadcast")->capture_default_str();
}

void declare_machine(CLI::App& app, PointOptions& options) {
  app.add_option("--topology", options.topology, "machine: a shipped name or a .json file");
  app.add_option("--edit", options.edits, kEditHelp)->allow_extra_args(false);
}

void declare_model(CLI::App& app, PointOptions& options) {
  app.add_option("--executor", options.executor, "what runs it")->capture_default_str();
  app.add_option("--background", options.background,
                 "CSV file of flows beside the collective: start, source, destination, bytes");
}

}  // namespace

std::vector<Point> grid(const PointOptions& options) {
  return by_strategy(options, sizes(options));
}

Point store_point(const PointOptions& options) {
  if (!options.strategies.empty() || !options.parameters.empty())
    throw InputError("a key-value store sums by itself",
                     "leave out --strategy and --param, or choose the store \"allreduce\"",
                     "--store");
  Point point = common_point(options);
  point.strategy = kStoreStrategy;
  return point;
}

Point machine_point(const PointOptions& options) { return common_point(options); }

std::vector<Point> strategy_points(const PointOptions& options) {
  return by_strategy(options, {common_point(options)});
}

void declare_machine_options(CLI::App& app, PointOptions& options) {
  declare_machine(app, options);
  app.add_option("--rates", options.rates, "line or usable")->capture_default_str();
}

void declare_collective_options(CLI::App& app, PointOptions& options) {
  app.add_option(
         "--bytes", options.bytes,
         "size, e.g. \"160 MB\"; several separated by commas, or a range such as \"1 kB..1 GB\" in "
         "steps of four, or \"8 B..1 GB x2\"")
      ->allow_extra_args(false);
  declare_collective(app, options);
}

void declare_schedule_options(CLI::App& app, PointOptions& options) {
  declare_strategy(app, options);
  declare_collective_options(app, options);
  declare_parameters(app, options);
}

void declare_conditions(CLI::App& app, PointOptions& options) {
  declare_events(app, options);
  declare_real_conditions(app, options);
  declare_model(app, options);
}

void declare_run_conditions(CLI::App& app, PointOptions& options) {
  declare_conditions(app, options);
  declare_library_options(app, options.library);
}

void declare_real_conditions(CLI::App& app, PointOptions& options) {
  declare_start(app, options);
  declare_costs(app, options);
}

void declare_step_options(CLI::App& app, PointOptions& options) {
  declare_strategy(app, options);
  declare_ranks(app, options);
  declare_parameters(app, options);
  declare_events(app, options);
  declare_costs(app, options);
  declare_model(app, options);
}

void declare_subject_options(CLI::App& app, PointOptions& options) {
  declare_machine(app, options);
  declare_kind(app, options);
  declare_ranks(app, options);
}

void declare_measured_options(CLI::App& app, PointOptions& options) {
  declare_machine(app, options);
  declare_strategy(app, options);
  declare_collective(app, options);
  declare_parameters(app, options);
  declare_reduction(app, options);
}

void declare_proof_options(CLI::App& app, bool& no_check, bool& audit) {
  app.add_flag("--no-check", no_check, "do not prove the schedules first")->disable_flag_override();
  app.add_flag("--audit", audit, "check capacities and fairness after every event")
      ->disable_flag_override();
}

void declare_work_options(CLI::App& app, PointOptions& options) {
  declare_schedule_options(app, options);
  declare_conditions(app, options);
}

}  // namespace syncsim::cli
