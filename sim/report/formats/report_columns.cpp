#include "sim/report/formats/report_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"

namespace syncsim::csv {
namespace {

using Json = nlohmann::ordered_json;
using figures::gigabytes;

struct Column {
  std::string_view name;
  Json (*value)(const Report& report);
};

// "reduce 7500; broadcast 7500".
Json phases(const Report& report) {
  Json texts = Json::array();
  for (const PhaseReport& phase : report.phases)
    texts.push_back(fmt::format("{} {}", phase.name, microseconds(phase.time())));
  return texts;
}

// "nccl ring ll128"
Json library(const Report& report) {
  const auto& library = report.facts.library;
  return library ? Json(library->name + " " + library->algorithm + " " + library->protocol)
                 : Json(nullptr);
}

Json chosen(const Report& report) {
  const auto& choice = report.facts.choice;
  return choice ? Json(strategy_text(choice->strategy, choice->changed)) : Json(nullptr);
}

Json rank_order(const Report& report) {
  return fmt::format("{}", fmt::join(report.facts.ranks, " "));
}

template <class Figure>
Json of_busiest(const Report& report, Figure&& figure) {
  const LinkReport* busiest = report.busiest_link();
  return busiest == nullptr ? Json(nullptr) : Json(figure(*busiest));
}

template <class Figure>
Json of_step(const Report& report, Figure&& figure) {
  return report.step ? Json(figure(*report.step)) : Json(nullptr);
}

Json of_replicas(const Report& report, Time ReplicaReport::*figure) {
  return report.step && report.step->replicas ? Json(microseconds((*report.step->replicas).*figure))
                                              : Json(nullptr);
}

// Null too where that time never comes.
template <class Figure>
Json of_fault(const Report& report, Figure&& figure) {
  const std::optional<Time> time =
      report.step && report.step->fault ? figure(*report.step->fault) : std::nullopt;
  return time ? Json(microseconds(*time)) : Json(nullptr);
}

const Column kColumns[] = {
    {"name", [](const Report& r) { return Json(r.facts.name); }},
    {"scenario", [](const Report& r) { return Json(r.facts.scenario); }},
    {"topology", [](const Report& r) { return Json(r.facts.topology); }},
    {"edits", [](const Report& r) { return Json(r.facts.edits); }},
    {"strategy", [](const Report& r) { return Json(r.facts.strategy); }},
    {"parameters", [](const Report& r) { return Json(r.facts.parameters); }},
    {"changed_parameters", [](const Report& r) { return Json(r.facts.changed); }},
    {"collective", [](const Report& r) { return Json(to_string(r.facts.collective.kind)); }},
    {"bytes", [](const Report& r) { return Json(r.facts.collective.bytes.count); }},
    {"datatype", [](const Report& r) { return Json(r.facts.collective.datatype); }},
    {"ranks", [](const Report& r) { return Json(r.facts.collective.ranks); }},
    {"executor", [](const Report& r) { return Json(r.facts.executor); }},
    {"rates", [](const Report& r) { return Json(to_string(r.facts.rates)); }},
    {"time_ps", [](const Report& r) { return Json(r.time.ps); }},
    {"time_us", [](const Report& r) { return Json(microseconds(r.time)); }},
    {"algbw_GBps", [](const Report& r) { return Json(gigabytes(r.algbw)); }},
    {"busbw_GBps", [](const Report& r) { return Json(gigabytes(r.busbw)); }},
    {"bound_us", [](const Report& r) { return Json(twelve_digits(r.bound.seconds * 1e6)); }},
    {"bound_kind", [](const Report& r) { return Json(r.bound.kind); }},
    {"bound_binds", [](const Report& r) { return Json(r.bound.binds); }},
    {"efficiency", [](const Report& r) { return Json(twelve_digits(r.efficiency)); }},
    {"busiest_link",
     [](const Report& r) { return of_busiest(r, [](const LinkReport& l) { return l.label(); }); }},
    {"busiest_link_GBps",
     [](const Report& r) {
       return of_busiest(r, [](const LinkReport& l) { return gigabytes(l.rate); });
     }},
    {"utilization",
     [](const Report& r) {
       return of_busiest(r, [](const LinkReport& l) { return twelve_digits(l.utilization); });
     }},
    {"phases", phases},
    {"ops", [](const Report& r) { return Json(r.ops); }},
    {"checked", [](const Report& r) { return Json(r.facts.checked); }},
    {"rank_order", rank_order},
    {"root", [](const Report& r) { return Json(r.facts.collective.root); }},
    {"overhead_us", [](const Report& r) { return Json(microseconds(r.facts.overhead)); }},
    {"reduction", [](const Report& r) { return Json(to_string(r.facts.reduction)); }},
    {"seed", [](const Report& r) { return Json(r.facts.seed); }},
    {"start", [](const Report& r) { return Json(r.facts.start_text()); }},
    {"background", [](const Report& r) { return Json(r.facts.background); }},
    {"events", [](const Report& r) { return Json(r.facts.events); }},
    {"notes", [](const Report& r) { return Json(r.notes); }},
    {"library", library},
    {"chosen", chosen},
    {"step_us",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return microseconds(s.step); });
     }},
    {"compute_us",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return microseconds(s.compute); });
     }},
    {"communication_us",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return microseconds(s.communication); });
     }},
    {"exposed_us",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return microseconds(s.exposed); });
     }},
    {"overlap",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return twelve_digits(s.overlap); });
     }},
    {"scaling_efficiency",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return twelve_digits(s.scaling_efficiency); });
     }},
    {"replicas",
     [](const Report& r) {
       return of_step(r, [](const auto& s) { return s.replicas ? s.replicas->count : 1; });
     }},
    {"step_deviation_us",
     [](const Report& r) { return of_replicas(r, &ReplicaReport::deviation); }},
    {"step_low_us", [](const Report& r) { return of_replicas(r, &ReplicaReport::low); }},
    {"step_high_us", [](const Report& r) { return of_replicas(r, &ReplicaReport::high); }},
    {"step_least_us", [](const Report& r) { return of_replicas(r, &ReplicaReport::least); }},
    {"step_most_us", [](const Report& r) { return of_replicas(r, &ReplicaReport::most); }},
    {"lost_us",
     [](const Report& r) { return of_fault(r, [](const auto& f) { return f.times.lost; }); }},
    {"step_after_us",
     [](const Report& r) { return of_fault(r, [](const auto& f) { return f.after; }); }},
    {"goodput", [](const Report& r) {
       return r.step && r.step->goodput ? Json(twelve_digits(r.step->goodput->goodput.mean))
                                        : Json(nullptr);
     }}};

std::string text_of(const Json& value) {
  return value.is_string() ? one_line(value.get<std::string>())
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool holds_texts(const Json& value) {
  return value.is_object() &&
         std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); });
}

}  // namespace

Json value_of(const Report& report, std::string_view name) {
  const auto column = std::find_if(std::begin(kColumns), std::end(kColumns),
                                   [&](const Column& each) { return each.name == name; });
  require(column != std::end(kColumns), "a report has no such column");
  return column->value(report);
}

std::string field_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  std::vector<std::string> parts;
  if (holds_texts(value)) {
    for (const auto& [name, text] : value.items()) parts.push_back(name + "=" + text_of(text));
    return field(fmt::format("{}", fmt::join(parts, " ")));
  }
  if (!value.is_array()) return field(text_of(value));
  for (const Json& part : value) parts.push_back(text_of(part));
  return field(fmt::format("{}", fmt::join(parts, "; ")));
}

std::vector<std::string> fields_of(const Report& report,
                                   std::span<const std::string_view> columns) {
  std::vector<std::string> fields;
  for (const std::string_view column : columns)
    fields.push_back(field_of(value_of(report, column)));
  return fields;
}

}  // namespace syncsim::csv
