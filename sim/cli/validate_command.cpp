// syncsim validate: published tables against what predictors say of them.

#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/crew.h"
#include "sim/cli/crew/jobs.h"
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

// What a crew's tables come to is kept by the work itself.
class Waiting : public Desk {
 public:
  void take(Outcome) override {}
  void look() override {}
  void give_up() override {}
};

// A table each, on any thread.
class Tables {
 public:
  Tables(std::vector<PublishedTable> tables, std::vector<const Predictor*> chosen,
         RunSettings settings)
      : tables_(std::move(tables)),
        chosen_(std::move(chosen)),
        settings_(std::move(settings)),
        reports_(tables_.size()),
        failures_(tables_.size()) {}

  // Nothing after an interrupt. Throws what is wrong with the first of the tables that are.
  std::optional<ValidationReport> validated(std::size_t jobs) {
    std::vector<std::size_t> numbers(tables_.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    Waiting desk;
    thread_crew(std::min(jobs, numbers.size()))
        ->run(
            numbers, [&](std::size_t number, Watch& watch) { return work(number, watch); }, desk);
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
    ValidationReport whole;
    for (std::optional<ValidationReport>& report : reports_) {
      if (!report) return std::nullopt;
      whole.predictors = report->predictors;
      whole.tables.push_back(std::move(report->tables.front()));
    }
    return whole;
  }

 private:
  Outcome work(std::size_t number, Watch& watch) {
    RunSettings own = settings_;
    own.watch = &watch;
    try {
      reports_[number] = validate_tables({&tables_[number], 1}, chosen_, own);
      return {number, Outcome::Kind::done};
    } catch (const Interrupted&) {
      return {number, Outcome::Kind::stopped};
    } catch (...) {
      failures_[number] = std::current_exception();
      return {number, Outcome::Kind::refused};
    }
  }

  std::vector<PublishedTable> tables_;
  std::vector<const Predictor*> chosen_;
  RunSettings settings_;
  std::vector<std::optional<ValidationReport>> reports_;
  std::vector<std::exception_ptr> failures_;
};

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
  const std::optional<ValidationReport> report =
      Tables(std::move(tables), std::move(chosen), std::move(settings)).validated(jobs);
  if (!report) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
  std::cout << format.write(*report) << std::flush;
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
  declare_jobs(app, options->jobs);
  return [options] { return validate(*options); };
}

}  // namespace syncsim::cli
