#include "sim/scenario/sweep_row.h"
#include "sim/scenario/library/library_field.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/report_columns.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// What was asked: the point alone decides it.
struct Asked {
  std::string_view name;
  Json (*value)(const Point& point);
};

// A machine's name on the shelf, its path, or, where the scenario holds it, all of it.
Json topology_json(const Point& point) {
  return point.inline_topology ? point.inline_topology->raw() : Json(point.topology);
}

template <class Written>
Json written_json(const std::vector<Written>& list) {
  Json result = Json::array();
  for (const Written& written : list) result.push_back(written.text);
  return result;
}

// As a scenario says it: {"3": "5 ms"}.
Json start_json(const Point& point) {
  Json result = Json::object();
  for (const auto& [rank, at] : point.start) result[std::to_string(rank)] = to_exact_string(at);
  return result;
}

// The fields of a training step, or of a store's calls, as a scenario says them.
Json training_json(const Point& point) {
  if (point.script)
    return {{"store", Json::parse(point.script->written_store)},
            {"keys", Json::parse(point.script->written_keys)},
            {"calls", Json::parse(point.script->written_calls)}};
  if (!point.training) return nullptr;
  Json result = Json::object();
  for (const auto& [name, text] : point.training->written) result[name] = Json::parse(text);
  return result;
}

const Asked kAsked[] = {
    {"name", [](const Point& p) { return Json(p.name); }},
    {"scenario", [](const Point& p) { return Json(p.scenario); }},
    {"topology", topology_json},
    {"edits_name", [](const Point& p) { return Json(p.edits_name); }},
    {"edits", [](const Point& p) { return written_json(p.edits); }},
    {"events", [](const Point& p) { return written_json(p.events); }},
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
    {"library", [](const Point& p) { return Json(p.library ? library_text(*p.library) : ""); }},
    {"seed", [](const Point& p) { return Json(p.seed); }},
    {"start", start_json},
    {"background", [](const Point& p) { return Json(p.background); }},
    {"training", training_json},
};

// What came of it, by the columns of reports (report_columns.h); null where it was refused. In JSON
// the busiest link is one object.
constexpr std::string_view kFound[] = {"ranks",
                                       "parameters",
                                       "chosen",
                                       "time_ps",
                                       "time_us",
                                       "algbw_GBps",
                                       "busbw_GBps",
                                       "bound_us",
                                       "bound_kind",
                                       "bound_binds",
                                       "efficiency",
                                       "busiest_link",
                                       "busiest_link_GBps",
                                       "utilization",
                                       "ops",
                                       "checked"};
constexpr std::string_view kOfBusiest[] = {"busiest_link_GBps", "utilization"};

constexpr std::string_view kRefusals[] = {"", "input", "memory", "program"};

std::string_view to_string(RefusedBy refusal) {
  return kRefusals[static_cast<std::size_t>(refusal)];
}

std::optional<RefusedBy> refusal_named(std::string_view name) {
  const auto found = std::find(std::begin(kRefusals), std::end(kRefusals), name);
  if (found == std::end(kRefusals)) return std::nullopt;
  return static_cast<RefusedBy>(found - std::begin(kRefusals));
}

// Calls act(name, value) for each column of the row that both formats have alike, and
// figure(name, report) for each of kFound and of the columns of steps.
template <class Act, class Figure>
void for_columns(const SweepRow& row, Act&& act, Figure&& figure) {
  for (const Asked& column : kAsked) act(column.name, column.value(*row.point));
  act("machine", row.report == nullptr ? Json(nullptr) : Json(row.report->facts.topology));
  for (const std::string_view name : kFound) figure(name, row.report);
  for (const std::string_view name : csv::kStepColumns) figure(name, row.report);
  act("error", Json(row.error));
  act("refused_by", Json(to_string(row.refused_by)));
}

Json value_of(const Report* report, std::string_view name) {
  return report == nullptr ? Json(nullptr) : csv::value_of(*report, name);
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_head() {
  std::vector<std::string> names = {"point", "digest"};
  const Point any;
  const auto add = [&](std::string_view name, const auto&) { names.emplace_back(name); };
  for_columns({.point = &any}, add, add);
  return csv::line(names);
}

std::string csv_line(const SweepRow& row) {
  std::vector<std::string> cells = {std::to_string(row.number), row.digest};
  for_columns(
      row, [&](std::string_view, const Json& value) { cells.push_back(csv::field_of(value)); },
      [&](std::string_view name, const Report* report) {
        cells.push_back(csv::field_of(value_of(report, name)));
      });
  return csv::line(cells);
}

// "refused_by" ends the line, and needs no quotes.
std::optional<WrittenRow> read_csv(std::string_view line) {
  const std::vector<std::string_view> cells = separated(line.substr(0, line.find('"')), ',');
  const std::optional<RefusedBy> refused_by = refusal_named(line.substr(line.rfind(',') + 1));
  if (cells.size() < 3 || !refused_by) return std::nullopt;
  WrittenRow row{0, std::string(cells[1]), *refused_by};
  const auto [end, error] =
      std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), row.number);
  if (error != std::errc() || end != cells[0].data() + cells[0].size()) return std::nullopt;
  return row;
}

std::string no_head() { return ""; }

std::string json_line(const SweepRow& row) {
  Json json = {{"point", row.number}, {"digest", row.digest}};
  for_columns(
      row, [&](std::string_view name, Json value) { json[std::string(name)] = std::move(value); },
      [&](std::string_view name, const Report* report) {
        const bool in_object =
            std::find(std::begin(kOfBusiest), std::end(kOfBusiest), name) != std::end(kOfBusiest);
        if (in_object) return;
        const bool is_object = name == "busiest_link" && report != nullptr;
        json[std::string(name)] =
            is_object ? busiest_json(report->busiest_link()) : value_of(report, name);
      });
  return dump(json) + "\n";
}

std::optional<WrittenRow> read_json_line(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto number = json.find("point");
  const auto digest = json.find("digest");
  const auto refused_by = json.find("refused_by");
  if (number == json.end() || !number->is_number_unsigned() || digest == json.end() ||
      !digest->is_string() || refused_by == json.end() || !refused_by->is_string())
    return std::nullopt;
  const std::optional<RefusedBy> refusal = refusal_named(refused_by->get<std::string>());
  if (!refusal) return std::nullopt;
  return WrittenRow{number->get<std::size_t>(), digest->get<std::string>(), *refusal};
}

}  // namespace

std::string asked_text(const Point& point) {
  std::string text;
  for (const Asked& column : kAsked) text += dump(column.value(point)) + "\n";
  return text;
}

const NamedTable<SweepFormat>& sweep_formats() {
  static const NamedTable<SweepFormat> table(
      "format",
      {{"csv", "comma-separated values, a row a point", csv_head, csv_line, read_csv},
       {"jsonl", "a JSON object a line, one a point", no_head, json_line, read_json_line}});
  return table;
}

}  // namespace syncsim
