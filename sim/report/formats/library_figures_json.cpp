// What one should get, for programs.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/library_setup_json.h"
#include "sim/report/library_figures.h"
#include "sim/report/nccl_tests_table.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// What holds for all rows.
Json subject_json(const LibraryFigures& figures) {
  Json json = {{"topology", figures.topology},
               {"edits", figures.edits},
               {"ranks", figures.ranks},
               {"datatype", figures.datatype}};
  add_setup(json, figures.library);
  return json;
}

Json row_json(const LibraryFigures& figures, CollectiveKind kind, const LibraryFigure& figure) {
  return {{"collective", to_string(kind)},
          {"bytes", figure.bytes.count},
          {"time_us", twelve_digits(figure.microseconds)},
          {"algbw_GBps", figures::gigabytes(figures.algbw(figure))},
          {"busbw_GBps", figures::gigabytes(figures.busbw(kind, figure))},
          {"bound_us", twelve_digits(figure.bound)},
          {"bound_kind", figure.bound_kind},
          {"efficiency", twelve_digits(figure.bound / figure.microseconds)},
          {"algorithm", or_null(figure.algorithm)},
          {"protocol", or_null(figure.protocol)},
          {"channels", or_null(figure.channels)},
          {"binds", figure.binds}};
}

Json threshold_json(const LibraryFigures& figures, CollectiveKind kind,
                    const LibraryFigure& figure) {
  const double busbw = figures.busbw(kind, figure);
  const double warn = 1 - figures.margins.warn;
  const double fail = 1 - figures.margins.fail;
  return {{"bytes", figure.bytes.count},
          {"expected_busbw_GBps", figures::gigabytes(busbw)},
          {"warn_below_GBps", figures::gigabytes(busbw * warn)},
          {"fail_below_GBps", figures::gigabytes(busbw * fail)},
          {"expected_us", twelve_digits(figure.microseconds)},
          {"warn_above_us", twelve_digits(figure.microseconds / warn)},
          {"fail_above_us", twelve_digits(figure.microseconds / fail)},
          {"algorithm", or_null(figure.algorithm)},
          {"protocol", or_null(figure.protocol)},
          {"binds", figure.binds}};
}

std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A cell of CSV, of the JSON of the same name.
std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv::field(value.get<std::string>()) : value.dump();
}

}  // namespace

std::string figures_json(const LibraryFigures& figures) {
  Json json = subject_json(figures);
  Json rows = Json::array();
  for (const CollectiveFigures& collective : figures.collectives)
    for (const LibraryFigure& figure : collective.sizes)
      rows.push_back(row_json(figures, collective.kind, figure));
  json["rows"] = std::move(rows);
  json["notes"] = figures.notes;
  return written(json);
}

std::string figures_thresholds(const LibraryFigures& figures) {
  Json json = subject_json(figures);
  json["warn_margin"] = twelve_digits(figures.margins.warn);
  json["fail_margin"] = twelve_digits(figures.margins.fail);
  Json collectives = Json::array();
  for (const CollectiveFigures& collective : figures.collectives) {
    Json thresholds = Json::array();
    for (const LibraryFigure& figure : collective.sizes)
      thresholds.push_back(threshold_json(figures, collective.kind, figure));
    collectives.push_back({{"collective", to_string(collective.kind)},
                           {"test", nccl_test(collective.kind)},
                           {"thresholds", std::move(thresholds)}});
  }
  json["collectives"] = std::move(collectives);
  json["notes"] = figures.notes;
  return written(json);
}

std::string figures_csv(const LibraryFigures& figures) {
  std::string text =
      "topology,ranks,datatype,collective,bytes,time_us,algbw_GBps,busbw_GBps,bound_us,bound_kind,"
      "efficiency,algorithm,protocol,channels,binds\n";
  for (const CollectiveFigures& collective : figures.collectives)
    for (const LibraryFigure& figure : collective.sizes) {
      std::vector<std::string> cells = {csv::field(figures.topology),
                                        fmt::format("{}", figures.ranks), figures.datatype};
      for (const Json& value : row_json(figures, collective.kind, figure))
        cells.push_back(cell(value));
      text += csv::line(cells);
    }
  return text;
}

}  // namespace syncsim
