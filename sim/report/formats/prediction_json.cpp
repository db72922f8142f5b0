// A prediction for programs.

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/library_setup_json.h"
#include "sim/report/prediction.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const PredictedTable& table, const PredictedRow& row) {
  return {{"collective", table.collective},
          {"datatype", table.datatype},
          {"bytes", row.bytes.count},
          {"measured_us", twelve_digits(row.measured)},
          {"predicted_us", twelve_digits(row.predicted)},
          {"ratio", twelve_digits(row.ratio())},
          {"algorithm", or_null(row.algorithm)},
          {"protocol", or_null(row.protocol)},
          {"channels", or_null(row.channels)},
          {"binds", or_null(row.binds)},
          {"verdict", to_string(row.verdict)},
          {"disturbed", row.disturbed},
          {"place", row.place}};
}

Json suspect_json(const FoundSuspect& suspect) {
  return {{"name", suspect.name},
          {"what", suspect.what},
          {"check", suspect.check},
          {"options", or_null(suspect.again)},
          {"cause", to_string(suspect.cause)},
          {"error", twelve_digits(suspect.error)}};
}

Json range_json(const PredictedRange& range) {
  Json suspects = Json::array();
  for (const FoundSuspect& suspect : range.suspects) suspects.push_back(suspect_json(suspect));
  return {{"sizes", to_string(range.size)},        {"rows", range.rows},
          {"disturbed", range.disturbed},          {"ratio", twelve_digits(range.ratio)},
          {"error", twelve_digits(range.outside)}, {"verdict", to_string(range.verdict)},
          {"suspects", std::move(suspects)}};
}

Json table_json(const PredictedTable& table) {
  Json ranges = Json::array();
  for (const PredictedRange& range : table.ranges) ranges.push_back(range_json(range));
  return {{"collective", table.collective},
          {"datatype", table.datatype},
          {"ranks", table.ranks},
          {"ranges", std::move(ranges)},
          {"verdict", to_string(table.verdict())},
          {"conclusion", table.conclusion()}};
}

// What holds for all tables of a file.
Json facts_json(const PredictedTable& table) {
  Json json = {{"topology", table.topology}, {"edits", table.edits}};
  add_setup(json, table.library);
  return json;
}

}  // namespace

std::string prediction_json(const Prediction& prediction) {
  Json json = facts_json(prediction.tables.front());
  Json rows = Json::array();
  Json tables = Json::array();
  for (const PredictedTable& table : prediction.tables) {
    for (const PredictedRow& row : table.rows) rows.push_back(row_json(table, row));
    tables.push_back(table_json(table));
  }
  const Errors errors = prediction.errors();
  json["rows"] = std::move(rows);
  json["tables"] = std::move(tables);
  json["mean_abs_error"] = twelve_digits(errors.mean());
  json["worst_error"] = twelve_digits(errors.worst);
  json["tolerance"] = twelve_digits(prediction.tolerance);
  json["rows_beyond"] = prediction.beyond();
  json["notes"] = prediction.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string prediction_csv(const Prediction& prediction) {
  std::string text =
      "topology,collective,datatype,ranks,bytes,measured_us,predicted_us,ratio,algorithm,protocol,"
      "channels,binds,verdict\n";
  for (const PredictedTable& table : prediction.tables)
    for (const PredictedRow& row : table.rows)
      text += csv::line(std::array{
          csv::field(table.topology), table.collective, table.datatype,
          fmt::format("{}", table.ranks), fmt::format("{}", row.bytes.count),
          fmt::format("{}", twelve_digits(row.measured)),
          fmt::format("{}", twelve_digits(row.predicted)),
          fmt::format("{}", twelve_digits(row.ratio())), csv::field(row.algorithm),
          csv::field(row.protocol), row.channels == 0 ? "" : fmt::format("{}", row.channels),
          csv::field(row.binds), std::string(to_string(row.verdict))});
  return text;
}

}  // namespace syncsim
