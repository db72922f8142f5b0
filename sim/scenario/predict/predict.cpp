#include "sim/scenario/predict/predict.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/scenario/library/library_times.h"
#include "sim/scenario/predict/investigation.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

Setting setting_for(const MeasuredSeries& series, const RunSettings& settings) {
  const Point& point = series.point;
  if (point.topology.empty() && !point.inline_topology)
    throw InputError("a machine is needed", "name the one that the table was measured on",
                     "--topology");
  Setting setting = setting_of(point, settings);
  if (series.ranks > 0 && static_cast<std::size_t>(series.ranks) != setting.ranks.size())
    throw InputError(fmt::format("the table is of {}, {} has {}",
                                 counted(static_cast<std::uint64_t>(series.ranks), "rank"),
                                 point.ranks.empty() ? setting.machine.name() : "the choice",
                                 setting.ranks.size()),
                     "name a machine of as many, or choose some with --ranks",
                     series.rows.front().place);
  require_peers(point, setting);
  for (const MeasuredSeries::Row& row : series.rows) {
    Collective collective = setting.collective;
    collective.bytes = row.bytes;
    placed([&] { return row.place; }, [&] { validate(collective); });
  }
  return setting;
}

LibraryTimes times_of(const MeasuredSeries& series, const LibraryModel& model) {
  LibraryTimes times;
  for (const MeasuredSeries::Row& row : series.rows) add_time(times, model, row.bytes, row.place);
  return times;
}

PredictedRow row_of(const MeasuredSeries::Row& row, const LibraryTimes& times, double tolerance) {
  const auto at = times.find(row.bytes);
  PredictedRow predicted{.place = row.place,
                         .bytes = row.bytes,
                         .measured = row.microseconds,
                         .predicted = at->second.microseconds,
                         .algorithm = at->second.algorithm,
                         .protocol = at->second.protocol,
                         .channels = at->second.channels,
                         .binds = what_binds(times, row.bytes)};
  predicted.verdict = verdict_of(predicted.ratio(), tolerance);
  return predicted;
}

std::vector<PredictedRange> ranges_of(const PredictedTable& table, double tolerance) {
  std::vector<PredictedRange> ranges;
  for (const SizeClass size : {SizeClass::small, SizeClass::middle, SizeClass::large}) {
    PredictedRange range{.size = size};
    double sum = 0;
    for (const PredictedRow& row : table.rows) {
      if (size_class(row.bytes) != size) continue;
      ++range.rows;
      sum += std::log(row.ratio());
      range.outside += std::abs(std::log(row.ratio()));
    }
    if (range.rows == 0) continue;
    range.ratio = std::exp(sum / static_cast<double>(range.rows));
    range.outside /= static_cast<double>(range.rows);
    range.verdict = verdict_of(range.ratio, tolerance);
    ranges.push_back(std::move(range));
  }
  return ranges;
}

PredictedTable facts_of(const Point& point, const Setting& setting, const LibraryModel& model) {
  PredictedTable table{.topology = setting.machine.name(),
                       .collective = std::string(to_string(setting.collective.kind)),
                       .datatype = std::string(setting.collective.datatype),
                       .ranks = setting.collective.ranks,
                       .library = setup_of(model)};
  for (const Edit& edit : point.edits) table.edits.push_back(edit.text);
  return table;
}

}  // namespace

PredictedTable predict(const MeasuredSeries& series, double tolerance,
                       const RunSettings& settings) {
  const Setting setting = setting_for(series, settings);
  const LibraryModel model = at_field(series.point, "topology", [&] {
    return LibraryModel(setting.machine, setting.ranks, setting.collective, series.terms, settings);
  });
  PredictedTable table = facts_of(series.point, setting, model);
  const LibraryTimes times =
      at_field(series.point, "topology", [&] { return times_of(series, model); });
  for (const MeasuredSeries::Row& row : series.rows)
    table.rows.push_back(row_of(row, times, tolerance));
  table.ranges = ranges_of(table, tolerance);
  find_suspects(table, {series.point, setting, model.terms(), times.rbegin()->second.busiest,
                        settings, tolerance});
  return table;
}

}  // namespace syncsim
