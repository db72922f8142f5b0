#pragma once
// Figures of a machine fitted to measured times, with the simulator itself as the model: the least
// sum of (ln simulated - ln measured)^2 over the points that are not held out, so that small and
// large sizes count alike. Rates are sought by their logarithms, delays as they are; predicted
// times are those of usable rates.
//
// 1. A figure is fitted where the points tell it: changing it (a rate by its own size, a delay by
//    the least measured time, to first order) moves them by more than kLeastEffect of what was
//    measured, root mean square, and not as the figures already chosen do (kLeastDifference of its
//    effect is left when theirs are taken out). Bandwidths are chosen first, then delays, the
//    larger first, then what nodes do. The others keep their values.
// 2. What is told is decided at the machine as it is, and again at the fit, until nothing is added:
//    a rate that was too low may end where others bind, and is fitted all the same.
// 3. The search begins at several places and takes the best. It ends within a factor of 1,000 of
//    the rates there are, and at delays no longer than the longest measured time.
// 4. Standard errors are those of the linear model at the fit, from its Jacobian and the scatter of
//    the points; there are none where there are as many figures as points, nor of a figure that no
//    point feels at the fit.
// Routes follow the figures, as in any run; schedules stay as they are.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/memory.h"
#include "sim/base/watch.h"
#include "sim/exec/calibration/figures.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr double kLeastEffect = 1e-3;
inline constexpr double kLeastDifference = 1e-2;

struct MeasuredSchedule {
  Schedule schedule;
  Time overhead = {};  // of the run, beside the links' own
  std::uint32_t seed = 0;
  double seconds = 0;  // measured, above 0
  bool held_out = false;
};

struct FitOptions {
  std::vector<FigureKind> kinds = {};  // to be fitted; empty: all
  Grouping grouping = Grouping::kind;
  LineRates lines = LineRates::bound;
  Watch* watch = nullptr;
  MemoryLimit memory = {};
};

struct FittedFigure {
  Figure figure;  // with the value that it was fitted to, or keeps
  double before = 0;
  std::optional<double> standard_error = {};  // in the value's unit
  std::string kept = {};                      // why it was not fitted; empty: it was
};

struct Fit {
  Topology machine;
  std::vector<FittedFigure> figures;
  std::vector<Time> simulated;  // of all points, held out too, on `machine`
};

// Throws InputError without a place where nothing can be fitted, Interrupted when the watch says
// so.
Fit fit(const Topology& machine, const std::vector<MeasuredSchedule>& points,
        const FitOptions& options);

// What a point takes on a machine at its usable rates.
Time simulated_time(const MeasuredSchedule& point, const Topology& machine,
                    const FitOptions& options);

}  // namespace syncsim
