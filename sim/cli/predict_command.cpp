// syncsim predict: is my number normal, and if not, why?

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/jobs.h"
#include "sim/cli/crew/side_by_side.h"
#include "sim/cli/input.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/library_options.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/cli/supervisor.h"
#include "sim/scenario/predict/predict.h"
#include "sim/topology/import/importer.h"

namespace syncsim::cli {
namespace {

struct PredictCommand {
  PointOptions point;
  LibraryOptions library;
  std::string measured;
  bool in_place = false;
  std::optional<std::string> tolerance;
  std::string format = "text";
  std::optional<std::string> jobs;
  LongRunOptions long_run;
};

Prediction prediction_of(const PredictCommand& command, const CLI::App& app,
                         const RunSettings& settings, const SideBySide& side_by_side) {
  const std::optional<double> tolerance = tolerance_of(command.tolerance, "--tolerance");
  const TableTerms beside{machine_point(command.point), app.get_option("--collective")->count() > 0,
                          command.in_place};
  terms_of(command.library);  // whatever the table: a wrong option is told first
  Input input = read_input(command.measured, kMostImportBytes, "a measured table");
  MeasuredSeriesFile file = read_series({std::move(input.name), std::move(input.text)}, beside);
  Prediction prediction{
      {}, std::move(file.notes), tolerance.value_or(kUsualTolerance), tolerance.has_value()};
  for (MeasuredSeries& series : file.series) {
    series.terms = terms_of(command.library, series.terms);
    prediction.tables.push_back(predict(series, prediction.tolerance, settings, side_by_side));
  }
  return prediction;
}

int predict_table(const PredictCommand& command, const CLI::App& app) {
  const PredictionFormat& format =
      *from_option("--format", [&] { return &prediction_formats().at(command.format); });
  const SideBySide side_by_side = on_threads(jobs_of(command.jobs), !command.long_run.no_progress);
  RunSettings settings;
  settings.check = false;  // hundreds of runs, of strategies that tests prove
  settings.shelf = find_data().topologies;
  settings.memory = memory_limit(command.long_run);
  settings.watch = &interrupt_watch();
  const Prediction prediction = prediction_of(command, app, settings, side_by_side);
  std::cout << format.write(prediction) << std::flush;
  const std::size_t beyond = prediction.judged ? prediction.beyond() : 0;
  if (beyond == 0) return kGood;
  std::cerr << fmt::format("syncsim: {} beyond {:g} % of the model\n", counted(beyond, "row"),
                           prediction.tolerance * 100);
  return kClaimFailed;
}

int predict_or_stop(const PredictCommand& command, const CLI::App& app) {
  try {
    return predict_table(command, app);
  } catch (const Interrupted&) {
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
}

}  // namespace

std::function<int()> declare_predict(CLI::App& app) {
  const auto command = std::make_shared<PredictCommand>();
  app.add_option("--measured", command->measured,
                 "what nccl-tests or rccl-tests printed, as pasted; CSV; or a measured table in "
                 "JSON (- for standard input)")
      ->required();
  declare_subject_options(app, command->point);
  app.get_option("--collective")
      ->description("of tables that do not say theirs; of a file of several, the one wanted")
      ->default_str("");
  declare_library_options(app, command->library);
  app.add_flag("--in-place", command->in_place, "take the in-place times")->disable_flag_override();
  app.add_option("--tolerance", command->tolerance,
                 "exit code 1 unless every row is so near, e.g. \"within 30 %\", which otherwise "
                 "only the verdicts use");
  app.add_option("--format", command->format, "text, json or csv")->capture_default_str();
  declare_long_run(app, command->long_run);
  declare_jobs(app, command->jobs);
  app.get_option("--jobs")->description("runs of the model at once; otherwise one a core");
  return [command, &app] { return predict_or_stop(*command, app); };
}

}  // namespace syncsim::cli
