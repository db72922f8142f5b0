// syncsim figures: what should I get of a machine?

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/library_options.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/cli/supervisor.h"
#include "sim/scenario/library/expected_figures.h"
#include "sim/scenario/range.h"

namespace syncsim::cli {
namespace {

struct FiguresCommand {
  PointOptions point;
  LibraryOptions library;
  std::optional<std::string> collectives;
  std::optional<std::string> sizes;
  std::optional<std::string> warn;
  std::optional<std::string> fail;
  std::string format = "text";
  LongRunOptions long_run{true, {}};  // of many short runs, a bar would only flicker
};

std::vector<CollectiveKind> collectives_of(const std::optional<std::string>& list) {
  std::vector<CollectiveKind> kinds;
  if (!list) return kinds;
  for (const std::string_view name : separated(*list, ',')) {
    const CollectiveKind kind = from_option("--collective", [&] { return parse_collective(name); });
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
      throw InputError(std::string(to_string(kind)) + " is given twice", "give it once",
                       "--collective");
    kinds.push_back(kind);
  }
  return kinds;
}

std::vector<Bytes> sizes_of(const std::optional<std::string>& list) {
  std::vector<Bytes> sizes;
  if (!list) return sizes;
  for (const std::string_view text : separated(*list, ','))
    for (const Bytes bytes : from_option("--sizes", [&] { return parse_sizes(text); }))
      sizes.push_back(bytes);
  return sizes;
}

double margin_of(const char* option, const std::string& text) {
  return from_option(option, [&] {
    const double margin = parse_percent(text);
    if (!(margin > 0) || margin >= 1)
      throw InputError("\"" + text + "\" is no margin", "write one above 0 % and below 100 %");
    return margin;
  });
}

Margins margins_of(const FiguresCommand& command) {
  Margins margins;
  for (const auto& [option, text] : {std::pair{"--warn", &command.warn}, {"--fail", &command.fail}})
    if (*text && command.format != "thresholds")
      throw InputError("only thresholds have margins", "add --format thresholds", option);
  if (command.warn) margins.warn = margin_of("--warn", *command.warn);
  if (command.fail) margins.fail = margin_of("--fail", *command.fail);
  if (margins.warn >= margins.fail)
    throw InputError(fmt::format("a warning {:g} % below comes after the failure {:g} % below",
                                 margins.warn * 100, margins.fail * 100),
                     "let --warn be less than --fail", command.warn ? "--warn" : "--fail");
  return margins;
}

FiguresQuery query_of(const FiguresCommand& command) {
  FiguresQuery query{machine_point(command.point), collectives_of(command.collectives),
                     sizes_of(command.sizes), terms_of(command.library)};
  query.point.places["topology"] = "TOPOLOGY";
  query.point.places["bytes"] = "--sizes";
  return query;
}

int print_figures(const FiguresCommand& command) {
  const FiguresFormat& format =
      *from_option("--format", [&] { return &figures_formats().at(command.format); });
  const Margins margins = margins_of(command);
  const FiguresQuery query = query_of(command);
  RunSettings settings;
  settings.shelf = find_data().topologies;
  settings.memory = memory_limit(command.long_run);
  Supervisor supervisor(command.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  settings.watch = &supervisor;
  LibraryFigures figures = expected_figures(query, settings);
  figures.margins = margins;
  std::cout << format.write(figures) << std::flush;
  return kGood;
}

int print_or_stop(const FiguresCommand& command) {
  try {
    return print_figures(command);
  } catch (const Interrupted&) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
}

}  // namespace

std::function<int()> declare_figures(CLI::App& app) {
  const auto command = std::make_shared<FiguresCommand>();
  app.add_option("TOPOLOGY", command->point.topology, "machine: a shipped name or a .json file")
      ->required();
  app.add_option("--collective", command->collectives,
                 "one or more, separated by commas; otherwise allreduce, all-gather, "
                 "reduce-scatter and all-to-all");
  app.add_option("--ranks", command->point.ranks, "which GPUs, in which order, e.g. 0-3 or 0,2,1");
  app.add_option("--edit", command->point.edits, kEditHelp)->allow_extra_args(false);
  app.add_option("--sizes", command->sizes,
                 "one or more, separated by commas, or a range such as \"1 kB..1 GB\"; otherwise "
                 "1 KiB to 16 GiB in steps of four");
  declare_library_options(app, command->library);
  app.add_option("--warn", command->warn,
                 "of thresholds: warn so far below what is expected; otherwise 10 %");
  app.add_option("--fail", command->fail, "and fail so far below; otherwise 25 %");
  app.add_option("--format", command->format,
                 "text, json, csv, or thresholds: JSON for health checks")
      ->capture_default_str();
  declare_memory(app, command->long_run);
  return [command] { return print_or_stop(*command); };
}

}  // namespace syncsim::cli
