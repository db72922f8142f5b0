// syncsim validate: published tables against what predictors say of them.

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/options.h"
#include "sim/scenario/validate.h"

namespace syncsim::cli {
namespace {

struct ValidateOptions {
  std::string path;  // empty: those that came with the program
  std::string predictors;
  std::string costs;  // empty: those that came with the program
  std::string format = "text";
};

std::vector<const Predictor*> chosen_of(const std::string& names) {
  std::vector<const Predictor*> chosen;
  for (const std::string_view name : separated(names, ','))
    chosen.push_back(&predictors().at(name));
  return chosen;
}

int validate(const ValidateOptions& options) {
  const ValidationFormat& format =
      *from_option("--format", [&] { return &validation_formats().at(options.format); });
  const std::vector<const Predictor*> chosen =
      from_option("--predictors", [&] { return chosen_of(options.predictors); });
  RunSettings settings;
  settings.check = false;  // thousands of runs, of strategies that tests prove
  settings.shelf = find_data().topologies;
  const std::string path =
      options.path.empty() ? find_data().scenarios + "/measured" : options.path;
  std::vector<PublishedTable> tables = load_published_tables(path);
  for (PublishedTable& table : tables) table.terms.costs = options.costs;
  const ValidationReport report = validate_tables(tables, chosen, settings);
  std::cout << format.write(report) << std::flush;
  return kGood;
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
  return [options] { return validate(*options); };
}

}  // namespace syncsim::cli
