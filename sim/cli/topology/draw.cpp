// syncsim topology draw: a machine as a picture, and a run on it as heat.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "sim/base/filter_program.h"
#include "sim/base/quote.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/point_options.h"
#include "sim/cli/run_points.h"
#include "sim/cli/topology/commands.h"
#include "sim/report/heat.h"
#include "sim/topology/graphviz.h"

namespace syncsim::cli {
namespace {

constexpr const char* kRunOptions = "The run, with --run";
constexpr std::chrono::seconds kLongestRendering{60};

struct DrawOptions {
  MachineOptions machine;
  std::string out;
  PointOptions work;  // its rates are those of the drawing, too
  bool run = false;
  bool unfolded = false;
};

std::string form_of(const std::string& path) {
  constexpr std::array<std::string_view, 3> kForms = {".dot", ".png", ".svg"};
  const std::string extension = std::filesystem::path(path).extension().string();
  if (std::find(kForms.begin(), kForms.end(), extension) == kForms.end())
    throw InputError(in_quotes(path) + " says no form of picture", "end it in .svg, .png or .dot",
                     "-o");
  return extension.substr(1);
}

Point point_of(const DrawOptions& options) {
  PointOptions work = options.work;
  work.topology = options.machine.machine;
  work.edits = options.machine.edits;
  const std::vector<Point> points = grid(work);
  if (points.size() != 1)
    throw InputError(fmt::format("{} runs are asked for", points.size()),
                     "give one --strategy and one --bytes to draw", "--run");
  Point point = points.front();
  point.places["topology"] = "MACHINE";
  return point;
}

// Nothing when somebody interrupts.
std::optional<Heat> heat_by_running(const DrawOptions& options, const Topology& machine) {
  const std::vector<Point> points = {point_of(options)};
  RunSettings settings;
  settings.shelf = find_data().topologies;
  settings.memory = memory_limit(options.machine.limits);
  Supervisor supervisor(options.machine.limits,
                        {Stage::emitting, Stage::checking, Stage::simulating});
  const PointRuns runs = run_points(points, settings, supervisor);
  supervisor.finish();
  if (!runs.unfinished) return heat_of(runs.reports.front(), machine);
  std::cerr << "syncsim: interrupted " << runs.unfinished->text() << "; nothing is drawn\n";
  return std::nullopt;
}

std::string rendered(const std::string& text, const std::string& form) {
  if (form == "dot") return text;
  const Filtered dot = run_filter({"dot", "-T" + form}, text, kLongestRendering);
  if (!dot.started)
    throw InputError("the program dot (Graphviz) is not installed",
                     "install it (Debian: graphviz), or write a .dot file");
  if (!dot.in_time)
    throw InputError(fmt::format("dot (Graphviz) took more than {} s", kLongestRendering.count()),
                     "write a .dot file, or draw less");
  if (dot.exit_code != 0 || dot.out.empty())
    throw InputError(fmt::format("dot (Graphviz) failed with exit code {}: {}", dot.exit_code,
                                 in_quotes(dot.err.substr(0, dot.err.find('\n')))),
                     "write a .dot file and see");
  return dot.out;
}

int draw(const DrawOptions& options) {
  const std::string form = form_of(options.out);
  DrawingOptions drawing;
  drawing.rates = from_option("--rates", [&] { return parse_rates(options.work.rates); });
  drawing.folding = options.unfolded ? Folding::never : Folding::automatic;
  drawing.edits = options.machine.edits;
  Output out("-o", options.out);
  const Topology machine = load_machine(options.machine);
  if (options.run) {
    drawing.heat = heat_by_running(options, machine);
    if (!drawing.heat) return interrupted_exit_code();
  }
  const std::string text = from_option("--unfolded", [&] { return graphviz(machine, drawing); });
  out.stream() << from_option("-o", [&] { return rendered(text, form); });
  out.finish();
  return kGood;
}

}  // namespace

std::function<int()> declare_topology_draw(CLI::App& app) {
  const auto options = std::make_shared<DrawOptions>();
  declare_machine(app, options->machine);
  app.add_option("-o,--out", options->out, "file to write: .svg, .png or .dot (Graphviz)")
      ->required();
  app.add_option("--rates", options->work.rates, "line or usable")->capture_default_str();
  app.add_flag("--unfolded", options->unfolded, "every node, of boxes and large machines too")
      ->disable_flag_override();
  CLI::Option* const run =
      app.add_flag("--run", options->run, "colour the links by their utilization in a run")
          ->disable_flag_override();
  app.add_flag("--no-progress", options->machine.limits.no_progress,
               "no progress bar, on a terminal either")
      ->disable_flag_override();
  app.option_defaults()->group(kRunOptions);
  declare_work_options(app, options->work);
  for (CLI::Option* option : app.get_options())
    if (option->get_group() == kRunOptions) option->needs(run);
  app.option_defaults()->group("Options");
  return [options] { return draw(*options); };
}

}  // namespace syncsim::cli
