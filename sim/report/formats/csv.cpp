// A row a point, or with links a row a link direction of each point. A column is named as the key
// of the JSON report; lists are text.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/report_columns.h"

namespace syncsim {
namespace {

using figures::gigabytes;

// What tells points apart; every row has it.
constexpr std::string_view kSubject[] = {
    "name",  "scenario", "topology", "edits",    "strategy", "parameters", "collective",
    "bytes", "datatype", "ranks",    "executor", "rates",    "time_ps",    "time_us"};

constexpr std::string_view kFigures[] = {
    "algbw_GBps",  "busbw_GBps", "bound_us",     "bound_kind",
    "bound_binds", "efficiency", "busiest_link", "busiest_link_GBps",
    "utilization", "phases",     "ops",          "checked",
    "rank_order",  "root",       "overhead_us",  "reduction",
    "seed",        "start",      "background",   "events",
    "notes",       "library",    "chosen"};

constexpr std::span<const std::string_view> kFigureColumns[] = {kFigures, csv::kStepColumns};

struct LinkColumn {
  std::string_view name;
  std::string (*cell)(const LinkReport& link);
};

template <class Figure>
std::string number(Figure figure) {
  return fmt::format("{}", figure);
}

// "gpu0>gpu1 160000000; gpu2>gpu1 80000000".
std::string flows(const LinkReport& link) {
  std::vector<std::string> texts;
  for (const LinkFlow& flow : link.flows)
    texts.push_back(fmt::format("{} {}", flow.pair(), std::llround(flow.bytes)));
  return csv::field(fmt::format("{}", fmt::join(texts, "; ")));
}

const LinkColumn kLinkColumns[] = {
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

std::string heads(bool links) {
  std::vector<std::string> fields(std::begin(kSubject), std::end(kSubject));
  if (links)
    for (const LinkColumn& column : kLinkColumns) fields.emplace_back(column.name);
  else
    for (const std::span<const std::string_view> columns : kFigureColumns)
      fields.insert(fields.end(), columns.begin(), columns.end());
  return csv::line(fields);
}

std::string rows(const Report& report, bool links) {
  std::vector<std::string> subject = csv::fields_of(report, kSubject);
  if (!links) {
    for (const std::span<const std::string_view> columns : kFigureColumns) {
      const std::vector<std::string> figures = csv::fields_of(report, columns);
      subject.insert(subject.end(), figures.begin(), figures.end());
    }
    return csv::line(subject);
  }
  std::string text;
  for (const LinkReport& link : report.links) {
    std::vector<std::string> fields = subject;
    for (const LinkColumn& column : kLinkColumns) fields.push_back(column.cell(link));
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
