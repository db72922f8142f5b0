#include "sim/scenario/predict/measured_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/nccl_tests_json.h"
#include "sim/scenario/calibration/measured_table.h"
#include "sim/scenario/published_table.h"
#include "sim/topology/import/importer.h"

namespace syncsim {
namespace {

struct Source {
  Point point;
  LibraryTerms terms;
  MeasuredTable table;
};

Source read_source(const MeasuredFile& file) {
  placed([&] { return file.name; }, [&] { refuse_unreadable(file.text); });
  if (!begins_json(file.text)) return {{}, {}, read_measured_table(file.text, file.name)};
  const JsonReader json = JsonFile::parse(file.text, file.name).root();
  MeasuredTable table = read_measured_table(json);
  if (holds_nccl_tests(json)) return {{}, {}, std::move(table)};
  PublishedTable facts = read_table_facts(json);
  return {std::move(facts.point), std::move(facts.terms), std::move(table)};
}

void take_place(Point& point, const Point& from, const std::string& field) {
  point.places[field] = from.place(field);
}

Point merged(Point point, const Point& beside) {
  if (!beside.topology.empty()) {
    point.topology = beside.topology;
    point.inline_topology.reset();
    point.edits.clear();
    point.ranks.clear();
    take_place(point, beside, "topology");
  }
  if (!beside.ranks.empty()) {
    point.ranks = beside.ranks;
    take_place(point, beside, "ranks");
  }
  point.edits.insert(point.edits.end(), beside.edits.begin(), beside.edits.end());
  return point;
}

// Whether a row is asked for.
bool is_chosen(const MeasuredRow& row, const TableTerms& beside) {
  return !beside.has_collective || !row.collective || *row.collective == beside.point.collective;
}

CollectiveKind collective_of(const MeasuredRow& row, const TableTerms& beside) {
  if (row.collective) return *row.collective;
  if (beside.has_collective) return beside.point.collective;
  throw InputError("the table does not say its collective", "name it with --collective", row.place);
}

MeasuredSeries& series_of(const MeasuredRow& row, const Point& common, const TableTerms& beside,
                          std::vector<MeasuredSeries>& all) {
  Point point = common;
  point.collective = collective_of(row, beside);
  point.datatype = row.datatype.value_or(common.datatype);
  point.root = row.root.value_or(0);
  const auto known = std::find_if(all.begin(), all.end(), [&](const MeasuredSeries& series) {
    return series.point.collective == point.collective && series.point.datatype == point.datatype &&
           series.point.root == point.root;
  });
  if (known != all.end()) return *known;
  point.bytes = row.bytes;
  point.places["bytes"] = row.place;
  point.places["root"] = row.place;
  all.push_back({.point = std::move(point)});
  return all.back();
}

MeasuredSeries::Row row_of(const MeasuredRow& row, bool in_place) {
  const auto& first = in_place ? row.in_place : row.out_of_place;
  const auto& other = in_place ? row.out_of_place : row.in_place;
  return {row.place, row.bytes, (first ? *first : other.value()) * 1e6};
}

}  // namespace

MeasuredSeriesFile read_series(const MeasuredFile& file, const TableTerms& beside) {
  Source source = read_source(file);
  if (!beside.has_collective) name_by_columns(source.table);
  const Point common = merged(std::move(source.point), beside.point);
  MeasuredSeriesFile read{{}, std::move(source.table.notes)};
  if (source.terms.launch == Launch::unknown) source.terms.launch = source.table.launch;
  if (source.terms.version.empty()) source.terms.version = source.table.version;
  for (const MeasuredRow& row : source.table.rows)
    if (is_chosen(row, beside))
      series_of(row, common, beside, read.series).rows.push_back(row_of(row, beside.in_place));
  if (read.series.empty())
    throw InputError(
        fmt::format("holds no row of {}, but of {}", to_string(beside.point.collective),
                    to_string(*source.table.rows.front().collective)),
        "leave --collective out", file.name);
  for (MeasuredSeries& series : read.series) {
    series.terms = source.terms;
    series.ranks = source.table.ranks;
  }
  return read;
}

}  // namespace syncsim
