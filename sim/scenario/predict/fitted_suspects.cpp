// What the model has no term for: one figure, the best of those that make one row exact.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/units.h"
#include "sim/scenario/predict/suspects.h"

namespace syncsim {
namespace {

constexpr std::size_t kFewestRows = 3;  // fewer are exact with any figure
constexpr double kJump = 1.3;           // a larger size that is faster by this shows a disturbance

// `figure_of` a row; `time_of` a row with a figure.
template <class FigureOf, class TimeOf>
std::optional<std::pair<double, std::vector<double>>> best_figure(std::span<const FitRow> rows,
                                                                  const FigureOf& figure_of,
                                                                  const TimeOf& time_of) {
  std::optional<std::pair<double, std::vector<double>>> best;
  double least = std::numeric_limits<double>::infinity();
  for (const FitRow& chosen : rows) {
    const double figure = figure_of(chosen);
    if (!(figure > 0)) continue;
    std::vector<double> times;
    for (const FitRow& row : rows) times.push_back(time_of(row, figure));
    const double error = log_error(rows, times);
    if (error >= least) continue;
    least = error;
    best.emplace(figure, std::move(times));
  }
  return best;
}

// Rows that a larger size undercuts by far.
std::vector<bool> jumps_of(std::span<const FitRow> rows) {
  std::vector<bool> jumps(rows.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = rows.size(); i-- > 0;) {
    jumps[i] = rows[i].measured > least * kJump;
    least = std::min(least, rows[i].measured);
  }
  return jumps;
}

// Of the two figures the nearer one.
std::optional<Fitted> figure_for(std::span<const FitRow> rows, SizeClass size, double busbw) {
  auto latency = extra_latency(rows, size, busbw);
  auto cap = rate_cap(rows, size, busbw);
  if (!latency || !cap) return latency ? latency : cap;
  return log_error(rows, latency->times) <= log_error(rows, cap->times) ? latency : cap;
}

}  // namespace

double log_error(std::span<const FitRow> rows, std::span<const double> times) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum += std::abs(std::log(rows[i].measured / times[i]));
  return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

std::optional<Fitted> extra_latency(std::span<const FitRow> rows, SizeClass size, double) {
  if (size == SizeClass::large || rows.size() < kFewestRows) return std::nullopt;
  const auto best = best_figure(
      rows, [](const FitRow& row) { return row.measured - row.predicted; },
      [](const FitRow& row, double more) { return row.predicted + more; });
  if (!best) return std::nullopt;
  return Fitted{fmt::format("latency: +{:.3g} us a call", best->first), best->second};
}

std::optional<Fitted> rate_cap(std::span<const FitRow> rows, SizeClass size, double busbw) {
  if (size == SizeClass::small || rows.size() < kFewestRows) return std::nullopt;
  const auto bytes = [](const FitRow& row) { return static_cast<double>(row.bytes.count); };
  const auto best = best_figure(
      rows, [&](const FitRow& row) { return bytes(row) / row.measured; },
      [&](const FitRow& row, double rate) { return std::max(row.predicted, bytes(row) / rate); });
  if (!best) return std::nullopt;
  return Fitted{fmt::format("a cap of {:.3g} GB/s of bus bandwidth, as TCP flows have",
                            best->first * busbw * 1e-3),
                best->second};
}

std::optional<Fitted> disturbed(std::span<const FitRow> rows, SizeClass size, double busbw) {
  const std::vector<bool> jumps = jumps_of(rows);
  std::vector<FitRow> calm;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!jumps[i]) calm.push_back(rows[i]);
  if (calm.size() == rows.size() || 3 * calm.size() < rows.size()) return std::nullopt;
  const std::optional<Fitted> others = figure_for(calm, size, busbw);
  if (!others) return std::nullopt;
  Fitted fitted{fmt::format("{} of {} rows disturbed, and of the others {}",
                            rows.size() - calm.size(), rows.size(), others->what),
                {}};
  auto next = others->times.begin();
  for (std::size_t i = 0; i < rows.size(); ++i)
    fitted.times.push_back(jumps[i] ? rows[i].measured : *next++);
  return fitted;
}

}  // namespace syncsim
