#include "sim/cli/asked_points.h"

#include <CLI/CLI.hpp>

#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/scenario_file.h"
#include "sim/scenario/scenario.h"

namespace syncsim::cli {
namespace {

constexpr const char* kPointOptions = "Points, instead of scenario files";

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

void demand_point(const PointOptions& options, std::string_view command) {
  std::string missing;
  const auto miss = [&](bool absent, const char* option) {
    if (absent) missing += (missing.empty() ? "" : ", ") + std::string(option);
  };
  miss(options.topology.empty(), "--topology");
  miss(options.strategies.empty(), "--strategy");
  miss(options.bytes.empty() && needs_bytes(options), "--bytes");
  if (!missing.empty())
    throw InputError("nothing to run: without scenario files, " + missing + " is missing",
                     "write such as: " + std::string(commands().at(command).example));
}

}  // namespace

void declare_points(CLI::App& app, AskedPoints& asked,
                    void (*declare_rest)(CLI::App& app, PointOptions& options)) {
  app.add_option("SCENARIO", asked.scenarios, "scenario files, instead of the options below");
  app.option_defaults()->group(kPointOptions);
  declare_machine_options(app, asked.point);
  declare_schedule_options(app, asked.point);
  declare_rest(app, asked.point);
  app.option_defaults()->group("Options");
}

std::vector<Point> points_of(const AskedPoints& asked, const CLI::App& app,
                             std::string_view command) {
  if (asked.scenarios.empty()) {
    demand_point(asked.point, command);
    return grid(asked.point);
  }
  refuse_point_options(app, asked.scenarios.front());
  std::vector<Point> points;
  for (const std::string& file : asked.scenarios) {
    const Scenario scenario = read_scenario(load_scenario_file(file));
    points.insert(points.end(), scenario.points.begin(), scenario.points.end());
  }
  return points;
}

}  // namespace syncsim::cli
