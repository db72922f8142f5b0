// syncsim execute: schedules run for real, their data checked, beside what the model says.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "sim/base/text.h"
#include "sim/cli/asked_points.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/supervisor.h"
#include "sim/exec/processes/launcher.h"
#include "sim/report/execution.h"
#include "sim/scenario/real_run.h"

namespace syncsim::cli {
namespace {

constexpr int kMostIterations = 100'000;
constexpr int kMostThreads = 1'024;
constexpr int kMostDevices = 1'023;

struct ExecuteOptions {
  AskedPoints asked;
  std::string executor = "host";
  std::string iterations = "10";
  std::string warmup = "2";
  std::string threads = "0";
  bool no_library = false;
  std::optional<std::string> devices;
  bool compare = false;
  bool links = false;
  std::optional<std::string> expect;
  std::string format = "text";
  LongRunOptions long_run{true, {}};  // a progress bar would take time from what is measured
};

// "0,1": ordinals.
std::vector<int> devices_of(const ExecuteOptions& options) {
  std::vector<int> devices;
  if (!options.devices) return devices;
  if (options.executor != "cuda" && options.executor != "nccl")
    throw InputError(fmt::format("the {} executor runs on no devices", options.executor),
                     "leave it out, or choose --executor cuda", "--devices");
  for (const std::string_view device : separated(*options.devices, ','))
    devices.push_back(static_cast<int>(
        from_option("--devices", [&] { return parse_integer(device, 0, kMostDevices); })));
  return devices;
}

RealOptions real_options(const ExecuteOptions& options) {
  RealOptions real;
  real.iterations = static_cast<int>(from_option(
      "--iterations", [&] { return parse_integer(options.iterations, 1, kMostIterations); }));
  real.warmup = static_cast<int>(integer_of("--warmup", options.warmup, kMostIterations));
  real.threads = static_cast<int>(integer_of("--threads", options.threads, kMostThreads));
  real.library = !options.no_library;
  real.devices = devices_of(options);
  return real;
}

struct Executions {
  std::vector<Execution> done;
  std::string interrupted;  // in what; "" where it was not
};

Executions execute_all(const std::vector<Point>& points, const RunSettings& settings,
                       Supervisor& supervisor, const ExecuteOptions& options) {
  const RealExecutor& executor =
      *from_option("--executor", [&] { return &real_executors().at(options.executor); });
  if (is_one_of_several() && options.executor != "mpi")
    throw InputError("each process of mpirun would run all by itself",
                     "let them run together with --executor mpi, or start one alone", "--executor");
  const RealOptions real = real_options(options);
  const std::optional<double> tolerance = tolerance_of(options.expect);
  Executions executions;
  for (const Point& point : points) {
    const std::string name = fmt::format("point {} of {} ({})", executions.done.size() + 1,
                                         points.size(), point.strategy);
    if (!supervisor.begin_point()) return {std::move(executions.done), name};
    try {
      executions.done.push_back(run_for_real(point, settings, executor, real));
    } catch (const Interrupted&) {
      return {std::move(executions.done), name};
    }
    executions.done.back().tolerance = tolerance;
  }
  return executions;
}

// Says on stderr what does not hold.
bool judge(const std::vector<Execution>& executions) {
  bool good = true;
  for (const Execution& execution : executions) {
    const RunFacts& facts = execution.measured.facts;
    const std::string name =
        fmt::format("{}, {}", facts.strategy_text(), to_string(facts.collective.bytes));
    if (!execution.data_correct())
      std::cerr << "syncsim: " << name << ": wrong data: " << execution.measurement.wrong->text()
                << '\n';
    else if (!execution.as_expected())
      std::cerr << "syncsim: " << name << ": measured " << to_string(execution.measured.time)
                << fmt::format(" is not within {:g} % of the simulated ",
                               *execution.tolerance * 100)
                << to_string(execution.simulated.time) << '\n';
    good = good && execution.data_correct() && execution.as_expected();
  }
  return good;
}

int execute(const ExecuteOptions& options, const CLI::App& app) {
  const bool as_json = wants_json(options.format);
  RunSettings settings;
  settings.shelf = find_data().topologies;
  settings.models = find_data().models();
  settings.links = options.links;
  settings.memory = memory_limit(options.long_run);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  settings.watch = &supervisor;
  const Executions executions =
      execute_all(points_of(options.asked, app, "execute"), settings, supervisor, options);
  const ExecutionOutput output{options.compare, options.links};
  std::cout << (as_json ? execution_json(executions.done, output)
                        : execution_text(executions.done, output))
            << std::flush;
  const bool good = judge(executions.done);
  if (executions.interrupted.empty()) return good ? kGood : kClaimFailed;
  std::cerr << "syncsim: interrupted in " << executions.interrupted << '\n';
  return interrupted_exit_code();
}

void declare_measurement(CLI::App& app, ExecuteOptions& options) {
  app.add_option("--executor", options.executor, "what runs it for real")->capture_default_str();
  app.add_option("--iterations", options.iterations, "that are timed")->capture_default_str();
  app.add_option("--warmup", options.warmup, "iterations before, not timed")->capture_default_str();
  app.add_option("--threads", options.threads, "of the host executor; 0: one a core")
      ->capture_default_str();
  app.add_flag("--no-library", options.no_library, "do not time what a library such as MPI has")
      ->disable_flag_override();
  app.add_option("--devices", options.devices,
                 "of the cuda and nccl executors, such as 0,1: rank r runs on the (r mod size)-th");
  app.add_flag("--compare", options.compare, "beside it what the model says, phase by phase")
      ->disable_flag_override();
  app.add_flag("--links", options.links, "with the bytes that the model's links carry")
      ->disable_flag_override();
  app.add_option("--expect", options.expect,
                 "exit code 1 unless measured is so near to simulated, e.g. \"within 15 %\"");
}

}  // namespace

std::function<int()> declare_execute(CLI::App& app) {
  const auto options = std::make_shared<ExecuteOptions>();
  declare_points(app, options->asked, declare_real_conditions);
  declare_measurement(app, *options);
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  declare_memory(app, options->long_run);
  return [options, &app] { return execute(*options, app); };
}

}  // namespace syncsim::cli
