#include "sim/scenario/calibration/measured_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/json_reader.h"
#include "sim/report/nccl_tests_json.h"
#include "sim/scenario/calibration/measured_runs.h"
#include "sim/scenario/calibration/measured_table.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/import/p2p_matrix.h"
#include "sim/topology/import/p2p_pairs.h"
#include "sim/topology/import/pasted_text.h"

namespace syncsim {
namespace {

// p2pBandwidthLatencyTest.cu: ten million ints a copy, and one.
constexpr Bytes kPairBytes{40'000'000};
constexpr Bytes kLatencyBytes{4};

// --- Tables

void require_terms(const MeasuredRow& row, const TableTerms& terms) {
  if (terms.point.strategy.empty())
    throw InputError("a table does not say which strategy ran", "name it with --strategy");
  if (!row.collective && !terms.has_collective)
    throw InputError("the table does not say its collective", "name it with --collective");
  if (row.collective && terms.has_collective && *row.collective != terms.point.collective)
    throw InputError(fmt::format("the table is of {}, --collective says {}",
                                 to_string(*row.collective), to_string(terms.point.collective)),
                     "leave one of them out");
}

Point point_of(const MeasuredRow& row, const TableTerms& terms) {
  Point point = terms.point;
  point.bytes = row.bytes;
  point.collective = row.collective.value_or(point.collective);
  point.datatype = row.datatype.value_or(point.datatype);
  point.root = row.root.value_or(point.root);
  point.places["bytes"] = row.place;
  return point;
}

void read_table(MeasuredTable table, const TableTerms& terms, MeasuredPoints& read) {
  if (!terms.has_collective) name_by_columns(table);
  read.notes.insert(read.notes.end(), table.notes.begin(), table.notes.end());
  for (const MeasuredRow& row : table.rows) {
    placed([&] { return row.place; }, [&] { require_terms(row, terms); });
    const auto& first = terms.in_place ? row.in_place : row.out_of_place;
    const auto& other = terms.in_place ? row.out_of_place : row.in_place;
    read.points.push_back({.place = row.place,
                           .point = point_of(row, terms),
                           .ranks = table.ranks,
                           .seconds = first ? *first : other.value()});
  }
}

// --- Pairs

class Pairs {
 public:
  Pairs(const P2pSections& sections, const TableTerms& terms, MeasuredPoints& read)
      : sections_(sections), terms_(terms), read_(read) {}

  void take_all() {
    for (std::size_t from = 0; from < sections_.gpus; ++from)
      for (std::size_t to = 0; to < sections_.gpus; ++to)
        if (from != to) take({from, to});
  }

 private:
  void take(P2pPair pair) {
    const double bytes = static_cast<double>(kPairBytes.count);
    const P2pFigure one_way = one_way_figure(sections_, pair);
    if (one_way.table != nullptr) {
      const P2pCell& cell = one_way.table->at(pair.from, pair.to);
      add(pair, cell, bytes / (cell.value * one_way.part * 1e9), kPairBytes);
    }
    if (const P2pTable* both = both_ways_table(sections_, pair); both && pair.from < pair.to) {
      const P2pCell& cell = both->at(pair.from, pair.to);
      add(pair, cell, 2 * bytes / (cell.value * 1e9), kPairBytes, true);
    }
    if (const P2pTable* latency = latency_table(sections_, pair))
      if (const P2pCell& cell = latency->at(pair.from, pair.to); cell.value > 0)
        add(pair, cell, cell.value * 1e-6, kLatencyBytes);
  }

  void add(P2pPair pair, const P2pCell& cell, double seconds, Bytes bytes, bool both_ways = false) {
    MeasuredPoint point{.place = place_of(sections_.file, cell.line, cell.column),
                        .point = terms_.point,
                        .pair = PairTransfer{pair.from, pair.to, sections_.gpus, both_ways},
                        .seconds = seconds};
    point.point.collective = CollectiveKind::broadcast;
    point.point.bytes = bytes;
    read_.points.push_back(std::move(point));
  }

  const P2pSections& sections_;
  const TableTerms& terms_;
  MeasuredPoints& read_;
};

// --- Files

// Whether it made use of what the terms say of the strategy and the ranks.
bool read_file(const MeasuredFile& file, const TableTerms& terms, MeasuredPoints& read) {
  placed([&] { return file.name; }, [&] { refuse_unreadable(file.text); });
  if (looks_like_p2p_matrix(file.text)) {
    const P2pSections sections = read_p2p_sections(file.text, file.name);
    read.notes.insert(read.notes.end(), sections.warnings.begin(), sections.warnings.end());
    Pairs(sections, terms, read).take_all();
    return false;
  }
  if (!begins_json(file.text)) {
    read_table(read_measured_table(file.text, file.name), terms, read);
    return true;
  }
  const JsonReader json = JsonFile::parse(file.text, file.name).root();
  if (json.has("points")) {
    read_runs(json, terms.point, read);
    return false;
  }
  if (!json.has("rows") && !holds_nccl_tests(json))
    throw json.error(R"(holds neither "points" nor "rows")",
                     "give what execute --format json writes, or a measured table");
  read_table(read_measured_table(json), terms, read);
  return true;
}

// What a point is, but for its size.
std::string series_of(const MeasuredPoint& measured) {
  const Point& point = measured.point;
  if (measured.pair)
    return fmt::format("{}>{}, {}", measured.pair->from, measured.pair->to,
                       measured.pair->both_ways ? "both ways" : "one way");
  std::string text = fmt::format("{} {} {} root {} {} {} ps, seed {}, ranks", point.strategy,
                                 to_string(point.collective), point.datatype, point.root,
                                 to_string(point.reduction), point.overhead.ps, point.seed);
  for (const int rank : point.ranks) text += fmt::format(" {}", rank);
  for (const auto& [rank, at] : point.start) text += fmt::format(", {} at {} ps", rank, at.ps);
  for (const auto& [name, value] : point.parameters) text += fmt::format(", {}={}", name, value);
  return text;
}

double median_of(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<MeasuredPoint> merged(std::vector<MeasuredPoint> points) {
  std::vector<MeasuredPoint> different;
  std::vector<std::vector<double>> times;
  std::map<std::pair<std::string, Bytes>, std::size_t> places;
  for (MeasuredPoint& point : points) {
    const auto [at, is_new] =
        places.emplace(std::pair(point.series, point.point.bytes), different.size());
    if (is_new) {
      times.push_back({point.seconds});
      different.push_back(std::move(point));
    } else {
      times[at->second].push_back(point.seconds);
    }
  }
  for (std::size_t i = 0; i < different.size(); ++i) {
    different[i].times = static_cast<int>(times[i].size());
    different[i].seconds = median_of(times[i]);
  }
  return different;
}

}  // namespace

MeasuredPoints read_measured(const std::vector<MeasuredFile>& files, const TableTerms& terms) {
  MeasuredPoints read;
  bool used = false;
  for (const MeasuredFile& file : files) used = read_file(file, terms, read) || used;
  if (!used && !terms.point.strategy.empty())
    throw InputError("every file says its own points", "leave it out", "--strategy");
  for (MeasuredPoint& point : read.points) point.series = series_of(point);
  read.points = merged(std::move(read.points));
  return read;
}

}  // namespace syncsim
