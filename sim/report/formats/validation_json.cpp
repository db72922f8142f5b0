// Validation for programs.

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/validation_report.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const ErrorsBySize& errors) {
  Json json = Json::object();
  for (std::size_t size = 0; size < kSizeClasses; ++size) {
    if (errors[size].rows == 0) continue;
    json[to_string(static_cast<SizeClass>(size))] = {{"rows", errors[size].rows},
                                                     {"mean", twelve_digits(errors[size].mean())},
                                                     {"worst", twelve_digits(errors[size].worst)}};
  }
  return json;
}

Json by_predictor(const ValidationReport& report, const std::vector<ErrorsBySize>& errors) {
  Json json = Json::object();
  for (std::size_t i = 0; i < errors.size(); ++i)
    json[report.predictors[i]] = errors_json(errors[i]);
  return json;
}

Json row_json(const ValidationReport& report, const ValidatedRow& row) {
  Json predicted = Json::object();
  for (std::size_t i = 0; i < row.predicted.size(); ++i)
    predicted[report.predictors[i]] = twelve_digits(row.predicted[i]);
  return {{"bytes", row.bytes.count},
          {"measured_us", twelve_digits(row.measured)},
          {"predicted_us", std::move(predicted)}};
}

Json table_json(const ValidationReport& report, const ValidatedTable& table) {
  Json rows = Json::array();
  for (const ValidatedRow& row : table.rows) rows.push_back(row_json(report, row));
  return {{"table", table.name},
          {"machine", table.machine},
          {"topology", table.topology},
          {"collective", to_string(table.collective)},
          {"family", table.family},
          {"care", table.care.empty() ? Json() : Json(table.care)},
          {"errors", by_predictor(report, errors_of(table))},
          {"rows", std::move(rows)}};
}

}  // namespace

std::string validation_json(const ValidationReport& report) {
  Json tables = Json::array();
  for (const ValidatedTable& table : report.tables) tables.push_back(table_json(report, table));
  Json totals = Json::array();
  for (const ValidationTotal& total : totals_of(report))
    totals.push_back({{"family", total.family},
                      {"with_care", total.with_care},
                      {"tables", total.tables},
                      {"errors", by_predictor(report, total.errors)}});
  const Json json = {{"predictors", report.predictors},
                     {"tables", std::move(tables)},
                     {"totals", std::move(totals)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string validation_csv(const ValidationReport& report) {
  std::string text =
      "table,family,care,collective,bytes,measured_us,predictor,predicted_us,error\n";
  for (const ValidatedTable& table : report.tables)
    for (const ValidatedRow& row : table.rows)
      for (std::size_t i = 0; i < row.predicted.size(); ++i)
        text += csv::line(std::array{
            csv::field(table.name), csv::field(std::string(table.family)), csv::field(table.care),
            std::string(to_string(table.collective)), fmt::format("{}", row.bytes.count),
            fmt::format("{}", twelve_digits(row.measured)), csv::field(report.predictors[i]),
            fmt::format("{}", twelve_digits(row.predicted[i])),
            fmt::format("{}", twelve_digits(row.predicted[i] / row.measured - 1))});
  return text;
}

}  // namespace syncsim
