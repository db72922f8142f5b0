#include "sim/scenario/calibration/measured_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "sim/base/csv_reader.h"
#include "sim/base/json_reader.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/nccl_tests_json.h"
#include "sim/scenario/calibration/measured_rows.h"
#include "sim/scenario/calibration/nccl_tests_measured.h"

namespace syncsim {
namespace {

constexpr int kMostMeasured = 1'000'000;

// --- CSV

struct Column {
  std::string_view name;
  double unit = 1;  // of times, in seconds
};

constexpr std::array<Column, 4> kTimes = {
    {{"time", 1e-6}, {"time_us", 1e-6}, {"time_ms", 1e-3}, {"time_s", 1}}};

// "Time (us)" -> "time_us", "size(B)" -> "size", "in-place time" -> "in_place_time".
std::string plain_name(std::string_view head) {
  std::string name;
  for (const char c : head) {
    if (c == '(' || c == ')' || c == '#') continue;
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    name += low == ' ' || low == '-' ? '_' : low;
  }
  if (name.ends_with("_b")) name.resize(name.size() - 2);
  return name == "sizeb" ? "size" : name;
}

class CsvColumns {
 public:
  explicit CsvColumns(std::span<const std::string_view> heads) {
    for (const std::string_view head : heads) names_.push_back(plain_name(head));
  }

  bool head_a_table() const { return size() && (time("") || time("in_place_")); }
  std::optional<std::size_t> size() const {
    const auto bytes = at("bytes");
    return bytes ? bytes : at("size");
  }
  // The column, and its unit in seconds.
  std::optional<std::pair<std::size_t, double>> time(const std::string& prefix) const {
    for (const Column& column : kTimes)
      if (const auto place = at(prefix + std::string(column.name)))
        return std::pair(*place, column.unit);
    return std::nullopt;
  }
  std::optional<std::size_t> at(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

 private:
  std::vector<std::string> names_;
};

double figure(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(in_quotes(text) + " is no time", "write a number such as 61.5");
  return value;
}

Bytes size_in(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), is_digit);
  return is_plain ? Bytes{parse_integer(text, 0, INT64_MAX)} : parse_bytes(text);
}

MeasuredRow row_of(const CsvColumns& columns, std::span<const std::string_view> fields) {
  const auto field = [&](std::optional<std::size_t> place) {
    return place && *place < fields.size() ? fields[*place] : std::string_view();
  };
  const auto time = [&](const std::string& prefix) -> std::optional<double> {
    const auto column = columns.time(prefix);
    if (!column || field(column->first).empty()) return std::nullopt;
    return checked_seconds(figure(field(column->first)), column->second);
  };
  MeasuredRow row{.bytes = size_in(field(columns.size()))};
  if (row.bytes.count == 0) return row;
  row.out_of_place = time("");
  row.in_place = time("in_place_");
  if (const auto text = field(columns.at("collective")); !text.empty())
    row.collective = parse_collective(text);
  if (const auto text = field(columns.at("datatype")); !text.empty())
    row.datatype = datatypes().at(text).name;
  if (const auto text = field(columns.at("root")); !text.empty() && !text.starts_with('-'))
    row.root = static_cast<int>(parse_integer(text, 0, INT32_MAX));
  return row;
}

MeasuredTable from_csv(std::string_view text, const std::string& name) {
  std::istringstream stream{std::string(text)};
  CsvReader reader(stream, name);
  reader.next();
  const CsvColumns columns(reader.fields());
  UsableRows rows(name);
  while (reader.next()) {
    MeasuredRow row =
        placed([&] { return reader.place(); }, [&] { return row_of(columns, reader.fields()); });
    row.place = reader.place();
    if (row.bytes.count > 0 && !row.out_of_place && !row.in_place)
      rows.add_untimed(1);
    else
      rows.add(std::move(row));
  }
  return std::move(rows).finished();
}

bool is_csv(std::string_view text) {
  std::istringstream stream{std::string(text.substr(0, CsvReader::kLongestLine))};
  try {
    CsvReader reader(stream, "");
    return reader.next() && reader.fields().size() > 1 &&
           CsvColumns(reader.fields()).head_a_table();
  } catch (const InputError&) {
    return false;  // a paste
  }
}

// --- JSON

MeasuredRow row_of(const JsonReader& json) {
  json.allow({"bytes", "time_us", "in_place_us", "algbw_GBps", "busbw_GBps"});
  MeasuredRow row{.place = json.place(), .bytes = json.required("bytes", "1048576").bytes()};
  const auto time = [](const JsonReader& field) {
    return field.located([&] { return checked_seconds(field.number(), 1e-6); });
  };
  if (const auto field = json.optional("in_place_us")) row.in_place = time(*field);
  if (!row.in_place || json.has("time_us"))
    row.out_of_place = time(json.required("time_us", "61.5"));
  return row;
}

}  // namespace

void name_by_columns(MeasuredTable& table) {
  if (!table.by_columns) return;
  for (MeasuredRow& row : table.rows)
    if (!row.collective) row.collective = table.by_columns;
  table.notes.push_back(fmt::format("{}: taken as {}, by redop, root and busbw / algbw",
                                    table.rows.front().place, to_string(*table.by_columns)));
}

bool begins_json(std::string_view text) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && text[begin] == '{';
}

void allow_measured_keys(const JsonReader& json) {
  json.allow({"name",     "machine",   "collective", "topology", "edits",   "ranks",
              "gpus",     "nodes",     "datatype",   "root",     "library", "version",
              "launch",   "network",   "links",      "software", "source",  "channels",
              "protocol", "algorithm", "care",       "notes",    "rows"});
}

std::vector<MeasuredRow> read_measured_rows(const JsonReader& list) {
  std::vector<MeasuredRow> rows;
  for (const JsonReader& element : list.elements()) rows.push_back(row_of(element));
  return rows;
}

MeasuredTable read_measured_table(const JsonReader& json) {
  if (holds_nccl_tests(json)) return measured_by_nccl_tests(json);
  allow_measured_keys(json);
  UsableRows rows(json.file());
  std::optional<CollectiveKind> collective;
  std::optional<std::string> datatype;
  std::optional<int> root;
  if (const auto field = json.optional("collective"))
    collective = field->located([&] { return parse_collective(field->string()); });
  if (const auto field = json.optional("datatype"))
    datatype = field->located([&] { return datatypes().at(field->string()).name; });
  if (const auto field = json.optional("root"))
    root = static_cast<int>(field->integer(0, INT32_MAX));
  if (const auto field = json.optional("machine")) rows.table().machine = field->string();
  if (const auto field = json.optional("gpus"))
    rows.table().ranks = static_cast<int>(field->integer(1, kMostMeasured));
  for (MeasuredRow& row : read_measured_rows(json.required("rows", "[...]"))) {
    row.collective = collective;
    row.datatype = datatype;
    row.root = root;
    rows.add(std::move(row));
  }
  return std::move(rows).finished();
}

MeasuredTable read_measured_table(std::string_view text, const std::string& name) {
  if (begins_json(text)) return read_measured_table(JsonFile::parse(text, name).root());
  return is_csv(text) ? from_csv(text, name) : measured_by_nccl_tests(text, name);
}

}  // namespace syncsim
