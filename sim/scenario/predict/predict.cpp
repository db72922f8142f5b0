#include "sim/scenario/predict/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "sim/base/text.h"
#include "sim/scenario/library/library_times.h"
#include "sim/scenario/predict/disturbed_rows.h"
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

// Large sizes, which may take long, begin first.
LibraryTimes times_of(const MeasuredSeries& series, const LibraryModel& model,
                      const SideBySide& side_by_side) {
  std::map<Bytes, std::string, std::greater<>> places;
  for (const MeasuredSeries::Row& row : series.rows) places.try_emplace(row.bytes, row.place);
  const std::vector<std::pair<Bytes, std::string>> sizes(places.begin(), places.end());
  std::vector<LibraryTime> each(sizes.size());
  side_by_side(sizes.size(),
               [&](std::size_t number) { each[number] = model.at(sizes[number].first); });
  LibraryTimes times;
  for (std::size_t i = sizes.size(); i-- > 0;)
    add_time(times, std::move(each[i]), sizes[i].first, sizes[i].second);
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

// So many that a mean that is as expected says little.
bool many_disturbed(const PredictedRange& range) {
  return range.disturbed >= 2 && 4 * range.disturbed >= range.rows;
}

std::vector<PredictedRange> ranges_of(const PredictedTable& table, double tolerance) {
  std::vector<PredictedRange> ranges;
  for (const SizeClass size : {SizeClass::small, SizeClass::middle, SizeClass::large}) {
    PredictedRange range{.size = size};
    double sum = 0;
    for (const PredictedRow& row : table.rows) {
      if (size_class(row.bytes) != size) continue;
      ++range.rows;
      range.disturbed += row.disturbed ? 1 : 0;
      sum += std::log(row.ratio());
      range.outside += std::abs(std::log(row.ratio()));
    }
    if (range.rows == 0) continue;
    range.ratio = std::exp(sum / static_cast<double>(range.rows));
    range.outside /= static_cast<double>(range.rows);
    range.verdict = verdict_of(range.ratio, tolerance);
    if (range.verdict == Verdict::as_expected && many_disturbed(range))
      range.verdict = Verdict::unexplained;
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

PredictedTable predict(const MeasuredSeries& series, double tolerance, const RunSettings& settings,
                       const SideBySide& side_by_side) {
  const Setting setting = setting_for(series, settings);
  const LibraryModel model = at_field(series.point, "topology", [&] {
    return LibraryModel(setting.machine, setting.ranks, setting.collective, series.terms, settings);
  });
  PredictedTable table = facts_of(series.point, setting, model);
  const LibraryTimes times =
      at_field(series.point, "topology", [&] { return times_of(series, model, side_by_side); });
  for (const MeasuredSeries::Row& row : series.rows)
    table.rows.push_back(row_of(row, times, tolerance));
  mark_disturbed(table.rows);
  table.ranges = ranges_of(table, tolerance);
  find_suspects(table, {series.point, setting, model.terms(), times.rbegin()->second.busiest,
                        settings, tolerance, side_by_side});
  return table;
}

}  // namespace syncsim
