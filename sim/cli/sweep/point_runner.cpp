#include "sim/cli/sweep/point_runner.h"

#include "sim/cli/command.h"
#include "sim/cli/failure.h"
#include "sim/cli/scenario_file.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {

const std::vector<Point>& PointRunner::points() {
  std::call_once(read_, [this] { scenario_ = read_scenario(load_scenario_file(file_)); });
  return scenario_.points;
}

LimitedWork PointRunner::work() {
  return [this](std::size_t number, const MemoryLimit& memory, Watch& watch) {
    return run(number, memory, watch);
  };
}

Outcome PointRunner::run(std::size_t number, const MemoryLimit& memory, Watch& watch) {
  RunSettings settings{find_data().topologies, check_};
  settings.memory = memory;
  settings.watch = &watch;
  SweepRow row{number, &points()[number]};
  Outcome outcome{number};
  try {
    const Report report = run_point(*row.point, settings);
    row.report = &report;
    outcome.row = format_.line(row);
    return outcome;
  } catch (const Interrupted&) {
    return {number, Outcome::Kind::stopped};
  } catch (...) {
    const Failure failure = current_failure();
    if (failure.cause == Failure::Cause::memory) *memory.passed = true;
    outcome.kind =
        failure.cause == Failure::Cause::ours ? Outcome::Kind::broken : Outcome::Kind::refused;
    row.error = failure.text();
  }
  outcome.row = format_.line(row);
  return outcome;
}

}  // namespace syncsim::cli
