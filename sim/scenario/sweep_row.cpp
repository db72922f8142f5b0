#include "sim/scenario/sweep_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// What was asked: the point alone decides it.
struct Asked {
  std::string_view name;
  Json (*value)(const Point& point);
};

enum class In : std::uint8_t { both, csv, json };

// What came of it; null where it was refused.
struct Found {
  std::string_view name;
  Json (*value)(const Report& report);
  In in = In::both;
};

// A machine's name on the shelf, its path, or, where the scenario holds it, all of it.
Json topology_json(const Point& point) {
  return point.inline_topology ? point.inline_topology->raw() : Json(point.topology);
}

template <class Written>
Json texts(const std::vector<Written>& list) {
  Json result = Json::array();
  for (const Written& written : list) result.push_back(written.text);
  return result;
}

template <class Figure>
Json of_busiest(const Report& report, Figure&& figure) {
  const LinkReport* busiest = report.busiest_link();
  return busiest == nullptr ? Json(nullptr) : Json(figure(*busiest));
}

// As a scenario says it: {"3": "5 ms"}.
Json start_json(const Point& point) {
  Json result = Json::object();
  for (const auto& [rank, at] : point.start) result[std::to_string(rank)] = to_exact_string(at);
  return result;
}

Json chosen_json(const Report& report) {
  const std::optional<Choice>& choice = report.facts.choice;
  return choice ? Json(strategy_text(choice->strategy, choice->changed)) : Json(nullptr);
}

const Asked kAsked[] = {
    {"name", [](const Point& p) { return Json(p.name); }},
    {"scenario", [](const Point& p) { return Json(p.scenario); }},
    {"topology", topology_json},
    {"edits_name", [](const Point& p) { return Json(p.edits_name); }},
    {"edits", [](const Point& p) { return texts(p.edits); }},
    {"events", [](const Point& p) { return texts(p.events); }},
    {"strategy", [](const Point& p) { return Json(p.strategy); }},
    {"asked_parameters", [](const Point& p) { return Json(p.parameters); }},
    {"rings", [](const Point& p) { return Json(p.rings); }},
    {"collective", [](const Point& p) { return Json(to_string(p.collective)); }},
    {"bytes", [](const Point& p) { return Json(p.bytes.count); }},
    {"datatype", [](const Point& p) { return Json(p.datatype); }},
    {"root", [](const Point& p) { return Json(p.root); }},
    {"rank_order", [](const Point& p) { return Json(p.ranks); }},
    {"executor", [](const Point& p) { return Json(p.executor); }},
    {"rates", [](const Point& p) { return Json(to_string(p.rates)); }},
    {"overhead_us", [](const Point& p) { return Json(microseconds(p.overhead)); }},
    {"reduction", [](const Point& p) { return Json(to_string(p.reduction)); }},
    {"seed", [](const Point& p) { return Json(p.seed); }},
    {"start", start_json},
    {"background", [](const Point& p) { return Json(p.background); }},
};

using figures::gigabytes;

const Found kFound[] = {
    {"machine", [](const Report& r) { return Json(r.facts.topology); }},
    {"ranks", [](const Report& r) { return Json(r.facts.collective.ranks); }},
    {"parameters", [](const Report& r) { return Json(r.facts.parameters); }},
    {"chosen", chosen_json},
    {"time_ps", [](const Report& r) { return Json(r.time.ps); }},
    {"time_us", [](const Report& r) { return Json(microseconds(r.time)); }},
    {"algbw_GBps", [](const Report& r) { return Json(gigabytes(r.algbw)); }},
    {"busbw_GBps", [](const Report& r) { return Json(gigabytes(r.busbw)); }},
    {"bound_us", [](const Report& r) { return Json(twelve_digits(r.bound.seconds * 1e6)); }},
    {"bound_kind", [](const Report& r) { return Json(r.bound.kind); }},
    {"efficiency", [](const Report& r) { return Json(twelve_digits(r.efficiency)); }},
    {"busiest_link", [](const Report& r) { return busiest_json(r.busiest_link()); }, In::json},
    {"busiest_link",
     [](const Report& r) { return of_busiest(r, [](const LinkReport& l) { return l.label(); }); },
     In::csv},
    {"busiest_link_GBps",
     [](const Report& r) {
       return of_busiest(r, [](const LinkReport& l) { return gigabytes(l.rate); });
     },
     In::csv},
    {"utilization",
     [](const Report& r) {
       return of_busiest(r, [](const LinkReport& l) { return twelve_digits(l.utilization); });
     },
     In::csv},
    {"ops", [](const Report& r) { return Json(r.ops); }},
    {"checked", [](const Report& r) { return Json(r.facts.checked); }},
};

// Calls act(name, value) for each column of the row.
template <class Act>
void for_columns(In format, const SweepRow& row, Act&& act) {
  for (const Asked& column : kAsked) act(column.name, column.value(*row.point));
  for (const Found& column : kFound)
    if (column.in == In::both || column.in == format)
      act(column.name, row.report == nullptr ? Json(nullptr) : column.value(*row.report));
  act("error", Json(row.error));
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv::field(one_line(value.get<std::string>()));
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return csv::field(dump(value));
  std::vector<std::string> parts;
  for (const Json& part : value)
    parts.push_back(part.is_string() ? one_line(part.get<std::string>()) : dump(part));
  return csv::field(fmt::format("{}", fmt::join(parts, "; ")));
}

// "chunks=8 directions=both".
std::string settings(const Json& parameters) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : parameters.items())
    parts.push_back(name + "=" + value.get<std::string>());
  return csv::field(one_line(fmt::format("{}", fmt::join(parts, " "))));
}

std::string csv_head() {
  std::vector<std::string> names = {"point", "digest"};
  const Point any;
  for_columns(In::csv, {.point = &any},
              [&](std::string_view name, const Json&) { names.emplace_back(name); });
  return csv::line(names);
}

std::string csv_line(const SweepRow& row) {
  std::vector<std::string> cells = {std::to_string(row.number), digest_of(*row.point)};
  for_columns(In::csv, row, [&](std::string_view name, const Json& value) {
    const bool is_settings = value.is_object() && name != "topology";
    cells.push_back(is_settings ? settings(value) : cell(value));
  });
  return csv::line(cells);
}

// What is not refused ends with an empty "error".
std::optional<WrittenRow> read_csv(std::string_view line) {
  const std::vector<std::string_view> cells = separated(line.substr(0, line.find('"')), ',');
  if (cells.size() < 3) return std::nullopt;
  WrittenRow row{0, std::string(cells[1]), !line.ends_with(',')};
  const auto [end, error] =
      std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), row.number);
  if (error != std::errc() || end != cells[0].data() + cells[0].size()) return std::nullopt;
  return row;
}

std::string no_head() { return ""; }

std::string json_line(const SweepRow& row) {
  Json json = {{"point", row.number}, {"digest", digest_of(*row.point)}};
  for_columns(In::json, row, [&](std::string_view name, Json value) {
    json[std::string(name)] = std::move(value);
  });
  return dump(json) + "\n";
}

std::optional<WrittenRow> read_json_line(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto number = json.find("point");
  const auto digest = json.find("digest");
  const auto error = json.find("error");
  if (number == json.end() || !number->is_number_unsigned() || digest == json.end() ||
      !digest->is_string() || error == json.end() || !error->is_string())
    return std::nullopt;
  return WrittenRow{number->get<std::size_t>(), digest->get<std::string>(),
                    !error->get<std::string>().empty()};
}

// FNV-1a, of 64 bits.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// What a file beside the scenario holds: it may change between a sweep and its resumption. Of a
// machine on the shelf, or what cannot be read, nothing.
std::string content_of(const std::string& path) {
  constexpr std::uintmax_t kMostRead = 16'000'000;  // read for every point; of more, the length
  if (path.empty() || !std::filesystem::is_regular_file(path)) return "";
  const std::uintmax_t length = std::filesystem::file_size(path);
  if (length > kMostRead) return std::to_string(length);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string digest_of(const Point& point) {
  std::string text;
  for (const Asked& column : kAsked) text += dump(column.value(point)) + "\n";
  for (const std::string& file : {point.topology, point.background, point.rings})
    text += content_of(file);
  return fmt::format("{:016x}", fingerprint(text));
}

const NamedTable<SweepFormat>& sweep_formats() {
  static const NamedTable<SweepFormat> table(
      "format",
      {{"csv", "comma-separated values, a row a point", csv_head, csv_line, read_csv},
       {"jsonl", "a JSON object a line, one a point", no_head, json_line, read_json_line}});
  return table;
}

}  // namespace syncsim
