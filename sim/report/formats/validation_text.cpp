// Validation for people: percent of time, a line a table.

#include <fmt/format.h>

#include <string>

#include "sim/base/text.h"
#include "sim/report/validation_report.h"

namespace syncsim {
namespace {

constexpr std::size_t kTableWidth = 38;
constexpr std::size_t kCellWidth = 7;
constexpr std::size_t kCells = 5;  // a predictor

std::string percent(const Errors& errors, double error) {
  return errors.rows == 0 ? "-" : fmt::format("{:.1f}", 100 * error);
}

std::string cells(const std::vector<ErrorsBySize>& errors) {
  std::string text;
  for (const ErrorsBySize& sizes : errors) {
    text += " ";
    for (const Errors& size : sizes)
      text += fmt::format("{:>{}}", percent(size, size.mean()), kCellWidth);
    text += fmt::format("{:>{}}", percent(sizes.back(), sizes.back().worst), kCellWidth);
  }
  return text + "\n";
}

std::string heading(const ValidationReport& report, std::string_view first) {
  std::string names = fmt::format("{:<{}} {:>5}", first, kTableWidth, "");
  std::string sizes = fmt::format("{:<{}} {:>5}", "", kTableWidth, "rows");
  for (const std::string& predictor : report.predictors) {
    names += fmt::format("  {:<{}}", predictor, kCells * kCellWidth - 1);
    sizes += " ";
    for (const std::string_view head : {"small", "middle", "large", "all", "worst"})
      sizes += fmt::format("{:>{}}", head, kCellWidth);
  }
  names.erase(names.find_last_not_of(' ') + 1);
  return names + "\n" + sizes + "\n";
}

}  // namespace

std::string validation_text(const ValidationReport& report) {
  std::string text =
      "Error of time in percent, mean by size (small: up to 64 KiB, large: from 64 MiB); *: to be "
      "treated with care\n\n" +
      heading(report, "table");
  for (const ValidatedTable& table : report.tables)
    text += fmt::format("{:<{}} {:>5}", table.name + (table.care.empty() ? "" : " *"), kTableWidth,
                        table.rows.size()) +
            cells(errors_of(table));
  bool with_care = true;
  for (const ValidationTotal& total : totals_of(report)) {
    if (total.tables == 0) continue;
    if (total.with_care != with_care)
      text += "\n" + heading(report, total.with_care ? "all tables" : "without those with care");
    with_care = total.with_care;
    const std::string name = fmt::format("{} ({})", total.family, counted(total.tables, "table"));
    text += fmt::format("{:<{}} {:>5}", name, kTableWidth,
                        total.errors.empty() ? 0 : total.errors.front().back().rows) +
            cells(total.errors);
  }
  return text;
}

}  // namespace syncsim
