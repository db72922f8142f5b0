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
  settings.models = find_data().models();
  settings.memory = memory;
  settings.watch = &watch;
  const Point named = names_.named(points()[number]);
  SweepRow row{number, digest_of(number), &named};
  Outcome outcome{number};
  try {
    const Report report = run_point(points()[number], settings);
    row.report = &report;
    outcome.row = format_.line(row);
    return outcome;
  } catch (const Interrupted&) {
    return {number, Outcome::Kind::stopped};
  } catch (...) {
    const Failure failure = current_failure();
    if (failure.cause == Failure::Cause::memory) *memory.passed = true;
    const bool ours = failure.cause == Failure::Cause::ours;
    outcome.kind = ours ? Outcome::Kind::broken : Outcome::Kind::refused;
    row.error = names_.named_error(failure.text());
    row.refused_by = ours             ? RefusedBy::program
                     : *memory.passed ? RefusedBy::memory
                                      : RefusedBy::input;
  }
  outcome.row = format_.line(row);
  return outcome;
}

}  // namespace syncsim::cli
