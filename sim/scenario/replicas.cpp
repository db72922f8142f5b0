#include "sim/scenario/replicas.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace syncsim {
namespace {

constexpr std::uint32_t kLastSeed = std::numeric_limits<std::uint32_t>::max();

void require_meaning(const Point& point) {
  const auto more = static_cast<std::uint32_t>(point.training->replicas - 1);
  if (more == 0) return;
  if (!point.training->jitter.by_chance)
    throw InputError("replicas of steps without chance are all alike",
                     "add \"jitter\", lognormal or exponential", point.place("replicas"));
  if (point.seed > kLastSeed - more)
    throw InputError(fmt::format("{} replicas from seed {} on pass the last seed, {}",
                                 point.training->replicas, point.seed, kLastSeed),
                     "take a smaller seed", point.place("replicas"));
}

// Tells of the ops of all replicas as of one run.
class ReplicaWatch : public Watch {
 public:
  ReplicaWatch(Watch* outer, std::size_t replicas) : outer_(outer), replicas_(replicas) {}

  void begin(std::size_t replica, std::uint64_t ops) {
    replica_ = replica;
    ops_ = ops;
  }
  Progress of_all(const Progress& inner) const {
    if (replica_ == 0 && inner.stage != Stage::simulating) return inner;
    const std::uint64_t ops = replica_ == 0 ? inner.total : ops_;
    const std::uint64_t done = inner.stage == Stage::simulating ? inner.done : 0;
    return {Stage::simulating, replica_ * ops + done, replicas_ * ops, inner.simulated};
  }
  bool goes_on(const Progress& inner) override {
    return outer_ == nullptr || outer_->goes_on(of_all(inner));
  }

 private:
  Watch* outer_;
  std::size_t replicas_;
  std::size_t replica_ = 0;
  std::uint64_t ops_ = 0;  // of a replica
};

// What is reckoned from the step's time.
void set_mean(Report& report, const ReplicaReport& replicas, LowerBound bound) {
  StepReport& step = *report.step;
  if (replicas.mean > Time{}) {
    const double share =
        static_cast<double>(replicas.first.ps) / static_cast<double>(replicas.mean.ps);
    step.scaling_efficiency *= share;
    step.samples_per_second *= share;
  }
  step.step = replicas.mean;
  step.replicas = replicas;
  set_time(report, replicas.mean, bound);
  report.notes.push_back(
      fmt::format("mean of {} replicas, seeds {} to {}; all but the step is of the first",
                  replicas.count, replicas.seed, replicas.seed + (replicas.count - 1)));
}

}  // namespace

Report run_replicas(const Point& point, const RunSettings& settings, const RunOnce& run) {
  require_meaning(point);
  const auto count = static_cast<std::size_t>(point.training->replicas);
  if (count == 1) return run(point, settings);
  ReplicaWatch watch(settings.watch, count);
  RunSettings own = settings;
  own.watch = &watch;
  try {
    Report report = run(point, own);
    own.check = false;
    own.links = false;
    own.critical_path = false;
    own.drawing = nullptr;
    std::vector<Time> steps = {report.step->step};
    LowerBound bound = report.bound;
    for (Point next = point; steps.size() < count;) {
      watch.begin(steps.size(), report.ops);
      ++next.seed;
      const Report replica = run(next, own);
      steps.push_back(replica.step->step);
      bound.seconds += replica.bound.seconds;
    }
    bound.seconds /= static_cast<double>(count);
    set_mean(report, replica_report(steps, point.seed), std::move(bound));
    return report;
  } catch (const Interrupted& interrupted) {
    throw Interrupted(watch.of_all(interrupted.progress), interrupted.delivered);
  }
}

}  // namespace syncsim
