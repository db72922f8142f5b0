#include "sim/exec/calibration/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/base/bandwidth_range.h"
#include "sim/exec/calibration/least_squares.h"
#include "sim/exec/executor.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostFigures = 1'000;
constexpr int kMostRounds = 4;
constexpr double kDifference = 2e-3;  // far above the rounding of times to picoseconds

using Chosen = std::vector<std::size_t>;  // places of figures

constexpr double kFarthest = 1'000;  // that a rate may be from where it began

// Where a search begins: rates times the one, delays plus so much of the least measured time.
struct Start {
  double rates;
  double delays;
};
constexpr std::array<Start, 4> kStarts = {{{1, 0}, {0.5, 0}, {0.25, 0.25}, {0.1, 0}}};

class Fitting {
 public:
  Fitting(const Topology& machine, const std::vector<MeasuredSchedule>& points,
          const FitOptions& options)
      : machine_(machine), points_(points), options_(options) {
    for (const MeasuredSchedule& point : points) {
      if (point.held_out) continue;
      least_ = std::min(least_, point.seconds);
      longest_ = std::max(longest_, point.seconds);
    }
    for (Figure& figure : figures_of(machine, options.grouping, options.lines)) take(figure);
    if (figures_.size() > kMostFigures)
      throw InputError(fmt::format("{} figures to be fitted", figures_.size()),
                       fmt::format("fit at most {}: those of kinds of links", kMostFigures));
  }

  Fit fitted() {
    Chosen chosen;
    for (int round = 0; round < kMostRounds; ++round) {
      Chosen now = told_apart(chosen);
      if (round > 0 && now == chosen) break;
      chosen = std::move(now);
      for (FittedFigure& figure : figures_)
        if (!figure.kept.empty()) figure.figure.value = figure.before;
      search(chosen, round == 0);
    }
    if (chosen.empty())
      throw InputError("the points tell none of the figures that are to be fitted",
                       "measure what depends on them, at several sizes");
    judge(chosen);
    Topology machine = changed(values());
    std::vector<Time> simulated;
    for (const MeasuredSchedule& point : points_)
      simulated.push_back(simulated_time(point, machine, options_));
    return {std::move(machine), std::move(figures_), std::move(simulated)};
  }

 private:
  void take(Figure& figure) {
    const auto& kinds = options_.kinds;
    if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), figure.kind) == kinds.end()) return;
    const double before = figure.value;
    figures_.push_back({std::move(figure), before});
  }

  // --- Figures as coordinates: ln of rates, delays as parts of the least measured time.
  double coordinate(const Figure& figure) const {
    return figure.is_rate() ? std::log(figure.value) : figure.value / least_;
  }
  double value(const Figure& figure, double coordinate) const {
    if (!figure.is_rate()) return coordinate * least_;
    return coordinate >= std::log(figure.most) ? figure.most : std::exp(coordinate);
  }
  // A rate that becomes less is felt where others are as low, one that becomes more is not. No
  // delay is longer than all that was measured.
  Coordinate range(const FittedFigure& fitted) const {
    const Figure& figure = fitted.figure;
    if (!figure.is_rate()) {
      const double most = std::min(figure.most, longest_) / least_;
      return {0, most, std::min(kDifference, most / 2)};
    }
    const double least = std::max(fitted.before / kFarthest, kLeastBandwidth.bytes_per_second);
    const double most = std::min(fitted.before * kFarthest, figure.most);
    return {std::log(least), std::log(most), -kDifference};
  }
  std::vector<Coordinate> ranges(const Chosen& chosen) const {
    std::vector<Coordinate> space;
    for (const std::size_t i : chosen) space.push_back(range(figures_[i]));
    return space;
  }
  Vector coordinates(const Chosen& chosen) const {
    Vector at;
    for (const std::size_t i : chosen) at.push_back(coordinate(figures_[i].figure));
    return at;
  }
  std::vector<Figure> values() const {
    std::vector<Figure> figures;
    for (const FittedFigure& fitted : figures_) figures.push_back(fitted.figure);
    return figures;
  }
  Topology changed(const std::vector<Figure>& figures) const {
    return with_figures(machine_, figures);
  }

  // simulated / measured of the points to fit, with the chosen figures at `at`. A time of 0, as of
  // a signal without latency, counts as 1 ps.
  Vector ratios(const Chosen& chosen, const Vector& at) const {
    std::vector<Figure> figures = values();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      figures[chosen[i]].value = value(figures[chosen[i]], at[i]);
    const Topology machine = changed(figures);
    Vector list;
    for (const MeasuredSchedule& point : points_) {
      if (point.held_out) continue;
      const Time time = std::max(simulated_time(point, machine, options_), Time{1});
      list.push_back(seconds(time) / point.seconds);
    }
    return list;
  }
  Vector residuals(const Chosen& chosen, const Vector& at) const {
    Vector list = ratios(chosen, at);
    for (double& entry : list) entry = std::log(entry);
    return list;
  }
  Columns jacobian(const Chosen& chosen) const {
    const Residuals at = [&](const Vector& x) { return residuals(chosen, x); };
    const Vector here = coordinates(chosen);
    return slopes(at, here, residuals(chosen, here), ranges(chosen));
  }

  void search(const Chosen& chosen, bool from_afar) {
    const Residuals at = [&](const Vector& x) { return residuals(chosen, x); };
    const Vector here = coordinates(chosen);
    std::optional<Minimum> best;
    for (const Start& start : kStarts) {
      Vector from = here;
      for (std::size_t i = 0; i < chosen.size(); ++i)
        from[i] += figures_[chosen[i]].figure.is_rate() ? std::log(start.rates) : start.delays;
      Minimum found = minimise(at, std::move(from), ranges(chosen));
      if (!best || found.sum < best->sum) best = std::move(found);
      if (!from_afar) break;
    }
    return_idle(chosen, at, *best);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      Figure& figure = figures_[chosen[i]].figure;
      figure.value = value(figure, best->at[i]);
    }
  }

  // What has wandered to where no point feels it stays where it was before.
  void return_idle(const Chosen& chosen, const Residuals& at, Minimum& best) const {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      Figure before = figures_[chosen[i]].figure;
      before.value = figures_[chosen[i]].before;
      Vector back = best.at;
      back[i] = coordinate(before);
      const Vector there = at(back);
      if (dot(there, there) > best.sum) continue;
      best = {std::move(back), dot(there, there)};
    }
  }

  // --- Rule 1.
  // Those that are chosen already, then by rule 1.
  Chosen by_preference(const Chosen& already) const {
    Chosen all(figures_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
      const Figure& figure = figures_[i].figure;
      if (contains(already, i)) return std::pair(-1, 0.0);
      if (figure.kind == FigureKind::bandwidth) return std::pair(0, 0.0);
      return figure.is_rate() ? std::pair(2, 0.0) : std::pair(1, -figures_[i].before);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return all;
  }

  static bool contains(const Chosen& chosen, std::size_t i) {
    return std::find(chosen.begin(), chosen.end(), i) != chosen.end();
  }

  Chosen told_apart(const Chosen& already) {
    Chosen all(figures_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Residuals at = [&](const Vector& x) { return ratios(all, x); };
    const Vector here = coordinates(all);
    // Of times, in which delays are linear: their logarithms bend where all else is next to
    // nothing.
    const Columns effects = slopes(at, here, at(here), ranges(all));
    Chosen chosen;
    Columns directions;  // of the effects of those chosen, at right angles, of length 1
    for (const std::size_t i : by_preference(already)) {
      Vector rest = effects[i];
      const double length = std::sqrt(dot(rest, rest));
      std::size_t nearest = 0;
      double most = 0;
      for (std::size_t k = 0; k < directions.size(); ++k) {
        const double along = dot(rest, directions[k]);
        if (std::abs(along) > most) nearest = k;
        most = std::max(most, std::abs(along));
        for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= along * directions[k][j];
      }
      const double left = std::sqrt(dot(rest, rest));
      const bool stays = contains(already, i);
      if (!stays && length <= kLeastEffect * std::sqrt(static_cast<double>(rest.size()))) {
        figures_[i].kept = "told by no point";
      } else if (!stays && left <= kLeastDifference * length) {
        figures_[i].kept = "not to be told from the " + figures_[chosen[nearest]].figure.name();
      } else {
        figures_[i].kept.clear();
        for (double& entry : rest) entry /= std::max(left, std::numeric_limits<double>::min());
        directions.push_back(std::move(rest));
        chosen.push_back(i);
      }
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  // --- Rule 4.
  void judge(const Chosen& chosen) {
    const Vector rest = residuals(chosen, coordinates(chosen));
    if (rest.size() <= chosen.size()) return;
    const Columns all = jacobian(chosen);
    Chosen felt;
    Columns effects;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (dot(all[i], all[i]) == 0) continue;
      felt.push_back(chosen[i]);
      effects.push_back(all[i]);
    }
    const auto diagonal = inverse_diagonal(effects);
    if (!diagonal) return;
    const double variance = dot(rest, rest) / static_cast<double>(rest.size() - chosen.size());
    for (std::size_t i = 0; i < felt.size(); ++i) {
      const Figure& figure = figures_[felt[i]].figure;
      const double unit = figure.is_rate() ? figure.value : least_;
      figures_[felt[i]].standard_error = std::sqrt(variance * (*diagonal)[i]) * unit;
    }
  }

  const Topology& machine_;
  const std::vector<MeasuredSchedule>& points_;
  const FitOptions& options_;
  std::vector<FittedFigure> figures_;
  double least_ = std::numeric_limits<double>::max();  // measured time of a point to fit
  double longest_ = 0;
};

}  // namespace

Time simulated_time(const MeasuredSchedule& point, const Topology& machine,
                    const FitOptions& options) {
  const Timeline timeline = execute_simulated(point.schedule, machine,
                                              {.rates = Rates::usable,
                                               .overhead = point.overhead,
                                               .record_ops = false,
                                               .seed = point.seed,
                                               .watch = options.watch,
                                               .memory = options.memory});
  if (timeline.stopped)
    throw Interrupted(
        {Stage::simulating, timeline.ops_done, point.schedule.ops.size(), timeline.finish});
  return timeline.finish;
}

Fit fit(const Topology& machine, const std::vector<MeasuredSchedule>& points,
        const FitOptions& options) {
  return Fitting(machine, points, options).fitted();
}

}  // namespace syncsim
