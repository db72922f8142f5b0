#include "sim/scenario/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/scenario/point_schedule.h"

namespace syncsim {
namespace {

// Tells of candidates in place of ops, and ends one that has become hopeless.
class RaceWatch : public Watch {
 public:
  RaceWatch(Watch* outer, std::size_t candidates) : outer_(outer), candidates_(candidates) {}

  void begin(std::size_t candidate, Time limit) {
    done_ = candidate;
    limit_ = limit;
    hopeless_ = false;
  }
  Progress progress(Time simulated) const {
    return {Stage::choosing, done_, candidates_, simulated};
  }
  bool goes_on(const Progress& inner) override {
    if (outer_ != nullptr && !outer_->goes_on(progress(inner.simulated))) return false;
    hopeless_ = inner.simulated > limit_;
    return !hopeless_;
  }
  bool hopeless() const { return hopeless_; }

 private:
  Watch* outer_;
  std::size_t candidates_;
  std::size_t done_ = 0;
  Time limit_;
  bool hopeless_ = false;
};

constexpr Time kNoLimit{std::numeric_limits<std::int64_t>::max()};

Time doubled(Time time) { return time > Time{kNoLimit.ps / 2} ? kNoLimit : time + time; }

// Held until a faster one comes.
struct Finished {
  Point point;
  PointSchedule planned;
  Timeline timeline;

  std::uint64_t bytes() const {
    return schedule_bytes(size_of(planned.schedule)) + timeline.ops.size() * sizeof(OpTimes);
  }
};

class Runner {
 public:
  Runner(const Point& point, const Setting& setting, const RunSettings& settings,
         std::size_t candidates)
      : point_(point), setting_(setting), settings_(settings), watch_(settings.watch, candidates) {}

  void run(const Candidate& candidate) {
    Tried tried{candidate.strategy, candidate.parameters, {}, ""};
    watch_.begin(tried_.size(), best_ ? doubled(best_->timeline.finish) : kNoLimit);
    try {
      Finished finished = run_whole(candidate);
      tried.time = finished.timeline.finish;
      if (!best_ || tried.time < best_->timeline.finish) best_ = std::move(finished);
    } catch (const InputError& refusal) {
      // Where the choice itself stands says nothing of a candidate.
      const bool own = refusal.place() == point_.place("strategy");
      tried.why = own ? refusal.wrong() + "; " + refusal.right() : refusal.what();
    } catch (const Interrupted&) {
      if (!watch_.hopeless()) throw Interrupted(watch_.progress({}));
      tried.why = "more than twice as slow";
    }
    tried_.push_back(std::move(tried));
  }

  Race result() && {
    std::stable_sort(tried_.begin(), tried_.end(), [](const Tried& a, const Tried& b) {
      return a.time.value_or(kNoLimit) < b.time.value_or(kNoLimit);
    });
    if (!best_) return {{}, std::move(tried_)};
    auto& [point, planned, timeline] = *best_;
    if (settings_.check) prove(planned.schedule, point.strategy, settings_.watch);
    if (settings_.links || settings_.drawing != nullptr)
      timeline = timeline_of(planned, point, setting_, settings_);
    return {report_of(planned, timeline, point, setting_, settings_), std::move(tried_)};
  }

 private:
  Point point_of(const Candidate& candidate) const {
    Point point = point_;
    point.strategy = candidate.strategy;
    point.parameters = candidate.parameters;
    return point;
  }

  void require_few_ranks(const Candidate& candidate) const {
    const std::size_t most = strategies().at(candidate.strategy).most_ranks_tried;
    if (setting_.ranks.size() > most)
      throw InputError(fmt::format("takes too long to find on {} ranks", setting_.ranks.size()),
                       fmt::format("run it by name, or on at most {}", most));
  }

  Finished run_whole(const Candidate& candidate) {
    require_few_ranks(candidate);
    RunSettings settings = settings_;
    settings.watch = &watch_;
    settings.links = false;  // for the winner alone
    settings.drawing = nullptr;
    settings.most_ops = kMostOpsTried;
    settings.most_lanes = kMostLanesTried;
    if (best_) settings.memory.bytes -= std::min(settings.memory.bytes, best_->bytes());
    Point point = point_of(candidate);
    PointSchedule planned = schedule_of(point, setting_, settings);
    Timeline timeline = timeline_of(planned, point, setting_, settings);
    return {std::move(point), std::move(planned), std::move(timeline)};
  }

  const Point& point_;
  const Setting& setting_;
  const RunSettings& settings_;
  RaceWatch watch_;
  std::vector<Tried> tried_;
  std::optional<Finished> best_;
};

}  // namespace

Race race(const Point& point, const Setting& setting, std::span<const Candidate> candidates,
          const RunSettings& settings) {
  Runner runner(point, setting, settings, candidates.size());
  for (const Candidate& candidate : candidates) runner.run(candidate);
  return std::move(runner).result();
}

}  // namespace syncsim
