// syncsim validate: published tables against what predictors say of them.

#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/jobs.h"
#include "sim/cli/crew/side_by_side.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/scenario/validate.h"

namespace syncsim::cli {
namespace {

struct ValidateOptions {
  std::string path;  // empty: those that came with the program
  std::string predictors;
  std::string costs;  // empty: those that came with the program
  std::string format = "text";
  std::optional<std::string> jobs;
};

std::vector<const Predictor*> chosen_of(const std::string& names) {
  std::vector<const Predictor*> chosen;
  for (const std::string_view name : separated(names, ','))
    chosen.push_back(&predictors().at(name));
  return chosen;
}

// A table each, on any thread.
ValidationReport validated(std::span<const PublishedTable> tables,
                           std::span<const Predictor* const> chosen, const RunSettings& settings,
                           std::size_t jobs) {
  std::vector<ValidationReport> reports(tables.size());
  on_threads(jobs, false)(tables.size(), [&](std::size_t number) {
    reports[number] = validate_tables(tables.subspan(number, 1), chosen, settings);
  });
  ValidationReport whole;
  for (ValidationReport& report : reports) {
    whole.predictors = report.predictors;
    whole.tables.push_back(std::move(report.tables.front()));
  }
  return whole;
}

int validate(const ValidateOptions& options) {
  const ValidationFormat& format =
      *from_option("--format", [&] { return &validation_formats().at(options.format); });
  std::vector<const Predictor*> chosen =
      from_option("--predictors", [&] { return chosen_of(options.predictors); });
  const std::size_t jobs = jobs_of(options.jobs);
  RunSettings settings;
  settings.check = false;  // thousands of runs, of strategies that tests prove
  settings.shelf = find_data().topologies;
  const std::string path =
      options.path.empty() ? find_data().scenarios + "/measured" : options.path;
  std::vector<PublishedTable> tables = load_published_tables(path);
  for (PublishedTable& table : tables) table.terms.costs = options.costs;
  settings.watch = &interrupt_watch();
  std::cout << format.write(validated(tables, chosen, settings, jobs)) << std::flush;
  return kGood;
}

int validate_or_stop(const ValidateOptions& options) {
  try {
    return validate(options);
  } catch (const Interrupted&) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
}

}  // namespace

std::function<int()> declare_validate(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  options->predictors = "model,nccl_formula,line";
  app.add_option("PATH", options->path,
                 "measured tables (*.json) in a directory, or one; those that came with the "
                 "program by default");
  app.add_option("--predictors", options->predictors,
                 "a column each: model, nccl_formula, line; separated by commas")
      ->capture_default_str();
  app.add_option("--costs", options->costs,
                 "what libraries' calls cost, in place of topologies/rates/library_costs.json");
  app.add_option("--format", options->format, "text, json or csv")->capture_default_str();
  declare_jobs(app, options->jobs);
  return [options] { return validate_or_stop(*options); };
}

}  // namespace syncsim::cli
