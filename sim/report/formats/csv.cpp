// A row a point, or with links a row a link direction of each point. A column is named as the key
// of the JSON report; lists are text.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

using figures::gigabytes;

template <class Row>
struct Column {
  std::string_view name;
  std::string (*cell)(const Row& row);
};

template <class Figure>
std::string number(Figure figure) {
  return fmt::format("{}", figure);
}

std::string list(const std::vector<std::string>& texts) {
  return csv::field(fmt::format("{}", fmt::join(texts, "; ")));
}

// "chunks=8 root=auto".
std::string settings(const std::map<std::string, std::string>& parameters) {
  const std::string text = strategy_text("", parameters);
  return csv::field(text.empty() ? text : text.substr(1));
}

// "reduce 7500; broadcast 7500".
std::string phases(const Report& report) {
  std::vector<std::string> texts;
  for (const PhaseReport& phase : report.phases)
    texts.push_back(fmt::format("{} {}", phase.name, microseconds(phase.time())));
  return list(texts);
}

std::string chosen(const Report& report) {
  const auto& choice = report.facts.choice;
  return choice ? csv::field(strategy_text(choice->strategy, choice->changed)) : "";
}

template <class Cell>
std::string of_busiest(const Report& report, Cell&& cell) {
  const LinkReport* busiest = report.busiest_link();
  return busiest == nullptr ? "" : cell(*busiest);
}

// "gpu0>gpu1 160000000; gpu2>gpu1 80000000".
std::string flows(const LinkReport& link) {
  std::vector<std::string> texts;
  for (const LinkFlow& flow : link.flows)
    texts.push_back(fmt::format("{} {}", flow.pair(), std::llround(flow.bytes)));
  return list(texts);
}

using PointColumn = Column<Report>;

// What tells points apart; every row has it.
const std::vector<PointColumn>& subject_columns() {
  static const std::vector<PointColumn> columns = {
      {"name", [](const Report& r) { return csv::field(r.facts.name); }},
      {"scenario", [](const Report& r) { return csv::field(r.facts.scenario); }},
      {"topology", [](const Report& r) { return csv::field(r.facts.topology); }},
      {"edits", [](const Report& r) { return list(r.facts.edits); }},
      {"strategy", [](const Report& r) { return csv::field(r.facts.strategy); }},
      {"parameters", [](const Report& r) { return settings(r.facts.parameters); }},
      {"collective",
       [](const Report& r) { return std::string(to_string(r.facts.collective.kind)); }},
      {"bytes", [](const Report& r) { return number(r.facts.collective.bytes.count); }},
      {"datatype", [](const Report& r) { return std::string(r.facts.collective.datatype); }},
      {"ranks", [](const Report& r) { return number(r.facts.collective.ranks); }},
      {"executor", [](const Report& r) { return csv::field(r.facts.executor); }},
      {"rates", [](const Report& r) { return std::string(to_string(r.facts.rates)); }},
      {"time_ps", [](const Report& r) { return number(r.time.ps); }},
      {"time_us", [](const Report& r) { return number(microseconds(r.time)); }}};
  return columns;
}

const std::vector<PointColumn>& figure_columns() {
  static const std::vector<PointColumn> columns = {
      {"algbw_GBps", [](const Report& r) { return number(gigabytes(r.algbw)); }},
      {"busbw_GBps", [](const Report& r) { return number(gigabytes(r.busbw)); }},
      {"bound_us", [](const Report& r) { return number(twelve_digits(r.bound.seconds * 1e6)); }},
      {"bound_kind", [](const Report& r) { return csv::field(r.bound.kind); }},
      {"bound_binds", [](const Report& r) { return csv::field(r.bound.binds); }},
      {"efficiency", [](const Report& r) { return number(twelve_digits(r.efficiency)); }},
      {"busiest_link",
       [](const Report& r) {
         return of_busiest(r, [](const LinkReport& l) { return csv::field(l.label()); });
       }},
      {"busiest_link_GBps",
       [](const Report& r) {
         return of_busiest(r, [](const LinkReport& l) { return number(gigabytes(l.rate)); });
       }},
      {"utilization",
       [](const Report& r) {
         return of_busiest(
             r, [](const LinkReport& l) { return number(twelve_digits(l.utilization)); });
       }},
      {"phases", phases},
      {"ops", [](const Report& r) { return number(r.ops); }},
      {"checked", [](const Report& r) { return number(r.facts.checked); }},
      {"rank_order",
       [](const Report& r) { return fmt::format("{}", fmt::join(r.facts.ranks, " ")); }},
      {"root", [](const Report& r) { return number(r.facts.collective.root); }},
      {"overhead_us", [](const Report& r) { return number(microseconds(r.facts.overhead)); }},
      {"reduction", [](const Report& r) { return std::string(to_string(r.facts.reduction)); }},
      {"seed", [](const Report& r) { return number(r.facts.seed); }},
      {"start", [](const Report& r) { return csv::field(r.facts.start_text()); }},
      {"background", [](const Report& r) { return csv::field(r.facts.background); }},
      {"events", [](const Report& r) { return list(r.facts.events); }},
      {"notes", [](const Report& r) { return list(r.notes); }},
      {"chosen", chosen}};
  return columns;
}

const std::vector<Column<LinkReport>>& link_columns() {
  static const std::vector<Column<LinkReport>> columns = {
      {"link", [](const LinkReport& l) { return csv::field(l.link); }},
      {"direction", [](const LinkReport& l) { return csv::field(l.direction); }},
      {"link_bytes", [](const LinkReport& l) { return number(std::llround(l.bytes)); }},
      {"GBps", [](const LinkReport& l) { return number(gigabytes(l.rate)); }},
      {"capacity_GBps", [](const LinkReport& l) { return number(gigabytes(l.capacity)); }},
      {"utilization", [](const LinkReport& l) { return number(twelve_digits(l.utilization)); }},
      {"busy_us", [](const LinkReport& l) { return number(microseconds(l.busy)); }},
      {"saturated_us", [](const LinkReport& l) { return number(microseconds(l.saturated)); }},
      {"peak_GBps", [](const LinkReport& l) { return number(gigabytes(l.peak)); }},
      {"transfers", [](const LinkReport& l) { return number(l.transfers()); }},
      {"flows", flows}};
  return columns;
}

template <class Row>
void add_names(std::vector<std::string>& fields, const std::vector<Column<Row>>& columns) {
  for (const auto& column : columns) fields.emplace_back(column.name);
}

template <class Row>
void add_cells(std::vector<std::string>& fields, const std::vector<Column<Row>>& columns,
               const Row& row) {
  for (const auto& column : columns) fields.push_back(column.cell(row));
}

std::string heads(bool links) {
  std::vector<std::string> fields;
  add_names(fields, subject_columns());
  links ? add_names(fields, link_columns()) : add_names(fields, figure_columns());
  return csv::line(fields);
}

std::string rows(const Report& report, bool links) {
  std::vector<std::string> subject;
  add_cells(subject, subject_columns(), report);
  if (!links) {
    add_cells(subject, figure_columns(), report);
    return csv::line(subject);
  }
  std::string text;
  for (const LinkReport& link : report.links) {
    std::vector<std::string> fields = subject;
    add_cells(fields, link_columns(), link);
    text += csv::line(fields);
  }
  return text;
}

}  // namespace

std::string write_csv(std::span<const Report> reports, const FormatOptions& options) {
  std::string text = heads(options.links);
  for (const Report& report : reports) text += rows(report, options.links);
  return text;
}

}  // namespace syncsim
