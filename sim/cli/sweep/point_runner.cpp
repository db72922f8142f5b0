#include "sim/cli/sweep/point_runner.h"

#include <new>

#include "sim/cli/command.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {

const std::vector<Point>& PointRunner::points() {
  std::call_once(read_, [this] { scenario_ = read_scenario(JsonFile::load(file_).root()); });
  return scenario_.points;
}

Work PointRunner::work(std::size_t hands) {
  return [this, hands](std::size_t number, Watch& watch) {
    bool passed = false;
    MemoryLimit share = memory_;
    share.bytes /= hands;
    share.passed = &passed;
    Outcome outcome = run(number, share, watch);
    if (hands > 1 && passed) outcome = {number, Outcome::Kind::too_large};
    return outcome;
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
  } catch (const InputError& refusal) {
    outcome.kind = Outcome::Kind::refused;
    row.error = refusal.what();
  } catch (const std::bad_alloc&) {
    *memory.passed = true;
    outcome.kind = Outcome::Kind::refused;
    row.error = "out of memory; ask for fewer ranks or chunks";
  } catch (const std::exception& error) {
    outcome.kind = Outcome::Kind::broken;
    row.error = std::string("internal error: ") + error.what();
  }
  outcome.row = format_.line(row);
  return outcome;
}

}  // namespace syncsim::cli
