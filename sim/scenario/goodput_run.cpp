#include "sim/scenario/goodput_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/scenario/fault_machine.h"
#include "sim/scenario/store_servers.h"

namespace syncsim {
namespace {

constexpr double kMostFailures = 1e6;  // of one replica

double parts_of(const StepRun& run) {
  const Point& point = run.point;
  switch (point.training->faults.failing) {
    case FailingPart::run:
      return 1;
    case FailingPart::rank:
      return static_cast<double>(run.setting.ranks.size());
    case FailingPart::link:
      return static_cast<double>(run.setting.machine.links().size() / 2);
    case FailingPart::server:
      at_field(point, "failures", [&] { require_servers(*point.training); });
      return static_cast<double>(
          server_names(*point.training, run.setting.machine, run.setting.ranks).size());
  }
  return 1;
}

Time countable(Time step, const Point& point) {
  if (step.ps > 0) return step;
  throw InputError("steps that take no time have no goodput", "give the model times",
                   point.place("mtbf"));
}

// Steps by how many parts are lost, each simulated when it is first asked for.
std::optional<StepPace> limping_pace(const GoodputQuestion& question, double parts) {
  if (!question.limps) return std::nullopt;
  return StepPace{countable(question.limps->step, question.run.point), 1, parts};
}

class LossPaces {
 public:
  LossPaces(const GoodputQuestion& question, double parts) : question_(question), parts_(parts) {}

  std::optional<StepPace> operator()(int lost) {
    const FaultField& faults = question_.run.point.training->faults;
    const StepPace healthy{countable(question_.healthy.step, question_.run.point), 1, parts_};
    if (lost == 0 || faults.recovery == Recovery::restore) return healthy;
    if (faults.recovery == Recovery::none) return limping_pace(question_, parts_);
    if (faults.recovery == Recovery::reroute) lost = 1;  // one link at a time
    const auto known = known_.find(lost);
    if (known != known_.end()) return known->second;
    return known_[lost] = simulated(lost);
  }

 private:
  std::optional<StepPace> simulated(int lost) const {
    const auto step = question_.after(lost);
    if (!step) return std::nullopt;
    const double samples = static_cast<double>(step->ranks.size()) /
                           static_cast<double>(question_.healthy.ranks.size());
    const bool fewer = question_.run.point.training->faults.failing == FailingPart::rank ||
                       question_.run.point.training->faults.failing == FailingPart::server;
    return StepPace{countable(step->step, question_.run.point), samples,
                    fewer ? std::max(1.0, parts_ - lost) : parts_};
  }

  const GoodputQuestion& question_;
  double parts_;
  std::map<int, std::optional<StepPace>> known_;
};

}  // namespace

GoodputReport goodput_report(const GoodputQuestion& question) {
  const Point& point = question.run.point;
  const FaultField& faults = point.training->faults;
  GoodputReport report;
  report.mtbf = faults.mtbf;
  report.of = to_string(faults.failing);
  report.parts = parts_of(question.run);
  report.horizon = faults.horizon;
  report.replicas = faults.replicas;
  report.checkpoints = question.costs.checkpoints;
  const double of_run = faults.mtbf / report.parts;
  if (seconds(faults.horizon) / of_run > kMostFailures)
    throw InputError(fmt::format("a run of {:.0f} s would fail over {:.0f} times",
                                 seconds(faults.horizon), kMostFailures),
                     "write a longer time between failures, or a shorter horizon",
                     point.place("mtbf"));
  LossPaces paces(question, report.parts);
  report.goodput =
      goodput({.mtbf = faults.mtbf,
               .pace = [&](int lost) { return paces(lost); },
               .costs = question.costs,
               .recovers = faults.recovery != Recovery::none,
               .meanwhile = limping_pace(question, report.parts),
               .repair = faults.recovery == Recovery::restore ? std::nullopt : faults.repair,
               .horizon = faults.horizon,
               .seed = point.seed,
               .replicas = faults.replicas});
  report.samples_per_second = report.goodput.mean * question.healthy.samples_per_second;
  if (question.costs.goes_back)
    report.young_every =
        young_interval(question.costs.checkpoints.write, of_run, question.healthy.step);
  return report;
}

}  // namespace syncsim
