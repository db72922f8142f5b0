#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/calibration.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

constexpr std::size_t kNameWidth = 34;
constexpr std::size_t kMostKept = 6;  // shown of each reason; JSON has all

// A name that is too long has a line of its own.
std::string first_column(const std::string& name) {
  return name.size() <= kNameWidth ? fmt::format("{:<{}}", name, kNameWidth)
                                   : name + "\n" + std::string(kNameWidth, ' ');
}

std::string heading(const Calibration& calibration) {
  std::size_t fitted = 0;
  for (const FittedFigure& figure : calibration.figures) fitted += figure.kept.empty() ? 1 : 0;
  return fmt::format("{}: {} fitted to {}, usable rates\n", calibration.machine.name(),
                     counted(fitted, "figure"), counted(calibration.error(false).points, "point"));
}

std::string error_text(const FittedFigure& fitted) {
  if (!fitted.standard_error) return "unknown";
  Figure error = fitted.figure;
  error.value = *fitted.standard_error;
  return error.value_text();
}

std::string value_before(const FittedFigure& fitted) {
  Figure before = fitted.figure;
  before.value = fitted.before;
  return before.value_text();
}

// Of each reason the first few.
std::string kept_lines(const Calibration& calibration) {
  std::map<std::string, std::vector<std::string>> kept;
  for (const FittedFigure& fitted : calibration.figures)
    if (!fitted.kept.empty())
      kept[fitted.kept].push_back(fitted.figure.name() + ", " + value_before(fitted));
  std::string text;
  for (auto& [reason, figures] : kept) {
    const std::size_t more = figures.size() - std::min(figures.size(), kMostKept);
    figures.resize(figures.size() - more);
    if (more > 0) figures.push_back(fmt::format("and {} more", more));
    text += fmt::format("kept, {}: {}\n", reason, fmt::join(figures, "; "));
  }
  return text;
}

std::string figure_table(const Calibration& calibration) {
  std::string text =
      fmt::format("{} {:>16} {:>16} {:>16}\n", first_column("figure"), "before", "after", "+-");
  for (const FittedFigure& fitted : calibration.figures)
    if (fitted.kept.empty())
      text += fmt::format("{} {:>16} {:>16} {:>16}\n", first_column(fitted.figure.name()),
                          value_before(fitted), fitted.figure.value_text(), error_text(fitted));
  return text + kept_lines(calibration);
}

std::string name_of(const CalibratedPoint& point) {
  return point.name + (point.times > 1 ? fmt::format(" (median of {})", point.times) : "");
}

std::string point_table(const Calibration& calibration) {
  std::string text = fmt::format("{} {:>12} {:>14} {:>14} {:>10}\n", first_column("point"), "size",
                                 "measured", "simulated", "deviation");
  for (const CalibratedPoint& point : calibration.points)
    text += fmt::format("{} {:>12} {:>14} {:>14} {:>+8.1f} %{}\n", first_column(name_of(point)),
                        to_string(point.bytes), figures::duration(point.measured),
                        to_string(point.simulated), point.deviation() * 100,
                        point.held_out ? "  held out" : "");
  return text;
}

std::string error_line(const char* name, const CalibrationError& error) {
  if (error.points == 0) return fmt::format("{}: no points\n", name);
  return fmt::format("{}: {}, mean error {:.2f} %, worst {:.2f} %\n", name,
                     counted(error.points, "point"), error.mean * 100, error.worst * 100);
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  std::string text = heading(calibration) + figure_table(calibration) + "\n" +
                     point_table(calibration) + error_line("fitted", calibration.error(false)) +
                     error_line("held out", calibration.error(true));
  for (const std::string& note : calibration.notes) text += note + "\n";
  if (calibration.tolerance)
    text += fmt::format("expected of what is held out: within {}: {}\n",
                        figures::percent(*calibration.tolerance),
                        calibration.as_expected() ? "yes" : "NO");
  return within_page(text);
}

}  // namespace syncsim
