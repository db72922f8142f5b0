#include "sim/report/validation_report.h"

#include <algorithm>
#include <cmath>

namespace syncsim {
namespace {

constexpr Bytes kMostSmall{std::int64_t{64} << 10};
constexpr Bytes kLeastLarge{std::int64_t{64} << 20};
constexpr std::string_view kAll = "all";

ValidationTotal total_of(const ValidationReport& report, std::string_view family, bool with_care) {
  ValidationTotal total{family, with_care, 0, {}};
  total.errors.resize(report.predictors.size());
  for (const ValidatedTable& table : report.tables) {
    if ((family != kAll && table.family != family) || (!with_care && !table.care.empty())) continue;
    ++total.tables;
    const std::vector<ErrorsBySize> errors = errors_of(table);
    for (std::size_t i = 0; i < errors.size(); ++i)
      for (std::size_t size = 0; size < kSizeClasses; ++size)
        total.errors[i][size].add(errors[i][size]);
  }
  return total;
}

}  // namespace

SizeClass size_class(Bytes bytes) {
  if (bytes <= kMostSmall) return SizeClass::small;
  return bytes < kLeastLarge ? SizeClass::middle : SizeClass::large;
}

std::string_view to_string(SizeClass size) {
  constexpr std::array<std::string_view, kSizeClasses> kNames = {"small", "middle", "large", kAll};
  return kNames[static_cast<std::size_t>(size)];
}

void Errors::add(double error) { add(Errors{1, error, error}); }

void Errors::add(const Errors& others) {
  rows += others.rows;
  sum += others.sum;
  worst = std::max(worst, others.worst);
}

std::vector<ErrorsBySize> errors_of(const ValidatedTable& table) {
  std::vector<ErrorsBySize> errors(table.rows.front().predicted.size());
  for (const ValidatedRow& row : table.rows)
    for (std::size_t i = 0; i < errors.size(); ++i)
      for (const SizeClass size : {size_class(row.bytes), SizeClass::all})
        errors[i][static_cast<std::size_t>(size)].add(
            std::abs(row.predicted[i] / row.measured - 1));
  return errors;
}

std::vector<ValidationTotal> totals_of(const ValidationReport& report) {
  std::vector<std::string_view> families;
  for (const ValidatedTable& table : report.tables)
    if (std::find(families.begin(), families.end(), table.family) == families.end())
      families.push_back(table.family);
  families.push_back(kAll);
  std::vector<ValidationTotal> totals;
  for (const bool with_care : {false, true})
    for (const std::string_view family : families)
      totals.push_back(total_of(report, family, with_care));
  return totals;
}

const NamedTable<ValidationFormat>& validation_formats() {
  static const NamedTable<ValidationFormat> table(
      "format", {{"text", "a line a table, and totals by family", validation_text},
                 {"json", "all of it, with every row", validation_json},
                 {"csv", "a line a row of a table and predictor", validation_csv}});
  return table;
}

}  // namespace syncsim
