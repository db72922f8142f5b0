// What the model has no term for: one figure, the best of those that make one row exact.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/units.h"
#include "sim/scenario/predict/suspects.h"

namespace syncsim {
namespace {

constexpr std::size_t kFewestRows = 3;     // fewer are exact with any figure
constexpr std::size_t kMostFigures = 256;  // tried, each on all rows

std::optional<Fitted> added_time(std::span<const FitRow> rows) {
  if (rows.size() < kFewestRows) return std::nullopt;
  const auto best = best_figure(
      rows, [](const FitRow& row) { return row.measured - row.predicted; },
      [](const FitRow& row, double more) { return row.predicted + more; });
  if (!best) return std::nullopt;
  return Fitted{fmt::format("latency: +{:.3g} us a call", best->first), best->second};
}

// Of the two figures the nearer one.
std::optional<Fitted> figure_for(std::span<const FitRow> rows, SizeClass size, double busbw) {
  auto latency = added_time(rows);
  auto cap = rate_cap(rows, size, busbw);
  if (!latency || !cap) return latency ? latency : cap;
  return log_error(rows, latency->times) <= log_error(rows, cap->times) ? latency : cap;
}

// Of rows that are not disturbed: what the model says, or a figure that halves what is left.
Fitted calm_times(std::span<const FitRow> rows, SizeClass size, double busbw) {
  Fitted fitted;
  for (const FitRow& row : rows) fitted.times.push_back(row.predicted);
  std::optional<Fitted> other = figure_for(rows, size, busbw);
  if (other && log_error(rows, other->times) <= log_error(rows, fitted.times) / 2)
    return std::move(*other);
  return fitted;
}

// Those of all rows, from the least; of many rows some, evenly.
std::vector<double> figures_of(std::span<const FitRow> rows,
                               const std::function<double(const FitRow&)>& figure_of) {
  std::vector<double> figures;
  for (const FitRow& row : rows)
    if (const double figure = figure_of(row); figure > 0) figures.push_back(figure);
  std::sort(figures.begin(), figures.end());
  figures.erase(std::unique(figures.begin(), figures.end()), figures.end());
  const std::size_t all = figures.size();
  if (all <= kMostFigures) return figures;
  for (std::size_t i = 0; i < kMostFigures; ++i)
    figures[i] = figures[i * (all - 1) / (kMostFigures - 1)];
  figures.resize(kMostFigures);
  return figures;
}

}  // namespace

std::optional<std::pair<double, std::vector<double>>> best_figure(
    std::span<const FitRow> rows, const std::function<double(const FitRow&)>& figure_of,
    const std::function<double(const FitRow&, double)>& time_of) {
  std::optional<std::pair<double, std::vector<double>>> best;
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> times(rows.size());
  for (const double figure : figures_of(rows, figure_of)) {
    for (std::size_t i = 0; i < rows.size(); ++i) times[i] = time_of(rows[i], figure);
    const double error = log_error(rows, times);
    if (error >= least) continue;
    least = error;
    best.emplace(figure, times);
  }
  return best;
}

double log_error(std::span<const FitRow> rows, std::span<const double> times) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum += std::abs(std::log(rows[i].measured / times[i]));
  return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

std::optional<Fitted> extra_latency(std::span<const FitRow> rows, SizeClass size, double) {
  if (size == SizeClass::large) return std::nullopt;
  return added_time(rows);
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
  std::vector<FitRow> calm;
  for (const FitRow& row : rows)
    if (!row.disturbed) calm.push_back(row);
  if (calm.size() == rows.size() || 3 * calm.size() < rows.size()) return std::nullopt;
  const Fitted others = calm_times(calm, size, busbw);
  Fitted fitted{fmt::format("{} of {} rows disturbed", rows.size() - calm.size(), rows.size()), {}};
  if (!others.what.empty()) fitted.what += ", and of the others " + others.what;
  auto next = others.times.begin();
  for (const FitRow& row : rows) fitted.times.push_back(row.disturbed ? row.measured : *next++);
  return fitted;
}

std::optional<Fitted> launch_skew(std::span<const FitRow> rows, SizeClass size, double busbw) {
  std::optional<Fitted> fitted = disturbed(rows, size, busbw);
  if (!fitted) fitted = added_time(rows);
  if (fitted) fitted->what = "launch skew: " + fitted->what;
  return fitted;
}

}  // namespace syncsim
