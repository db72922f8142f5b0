#include "sim/report/formats/ranked.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/conditions.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/report_columns.h"

namespace syncsim::ranked {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSubjectKeys[] = {"topology", "edits",    "collective",  "ranks",
                                        "rates",    "datatype", "executor",    "rank_order",
                                        "root",     "seed",     "overhead_us", "reduction",
                                        "start",    "events",   "background",  "checked"};

constexpr std::string_view kCsv[] = {
    "bytes",      "strategy", "changed_parameters", "time_ps",    "time_us",      "algbw_GBps",
    "busbw_GBps", "bound_us", "bound_kind",         "efficiency", "busiest_link", "utilization"};

std::string figures(const Report& report) {
  return fmt::format("{:>12} {:>12} {:>12} {:>9}", to_string(report.time),
                     figures::rate(report.algbw), figures::rate(report.busbw),
                     figures::percent(report.efficiency));
}

std::string busiest(const Report& report) {
  const LinkReport* link = report.busiest_link();
  return link == nullptr ? "-"
                         : fmt::format("{} {}", link->label(), figures::percent(link->utilization));
}

}  // namespace

std::string heading(const RunFacts& facts, const std::string& size) {
  const auto ranks = static_cast<std::uint64_t>(facts.collective.ranks);
  std::string text =
      fmt::format("{}: {}{}, {}, {} rates\n", facts.topology, to_string(facts.collective.kind),
                  size, counted(ranks, "rank"), to_string(facts.rates));
  for (const std::string& condition : conditions(facts)) text += "  " + condition + "\n";
  return text;
}

std::string figure_heads() {
  return fmt::format("{:>12} {:>12} {:>12} {:>9}", "time", "algbw", "busbw", "of bound");
}

std::string row(const Report& report, const std::string& before) {
  const std::string left(before.size() + kStrategyWidth, ' ');
  const std::string name = before + report.facts.strategy_text();
  const bool fits = name.size() <= left.size();
  std::string line = fmt::format("{:<{}} {}", fits ? name : "", left.size(), figures(report));
  const std::string link = busiest(report);
  const bool beside = characters(line) + 2 + characters(link) <= kPageWidth;
  line += beside ? "  " + link : fmt::format("\n{:>{}}", link, kPageWidth);
  return (fits ? "" : name + "\n") + line;
}

Json subject(const RunFacts& facts) {
  Report bare;
  bare.facts = facts;
  const Json whole = report_json(bare, {});
  Json json;
  for (const char* key : kSubjectKeys) json[key] = whole[key];
  return json;
}

Json json(const Report& report) {
  return {{"strategy", report.facts.strategy},
          {"parameters", report.facts.parameters},
          {"changed_parameters", report.facts.changed},
          {"time_ps", report.time.ps},
          {"time_us", microseconds(report.time)},
          {"algbw_GBps", figures::gigabytes(report.algbw)},
          {"busbw_GBps", figures::gigabytes(report.busbw)},
          {"bound_us", twelve_digits(report.bound.seconds * 1e6)},
          {"bound_kind", report.bound.kind},
          {"efficiency", twelve_digits(report.efficiency)},
          {"busiest_link", busiest_json(report.busiest_link())},
          {"notes", report.notes}};
}

std::string csv_heads() { return fmt::format("{}", fmt::join(kCsv, ",")); }

std::string csv(const Report& report) {
  return fmt::format("{}", fmt::join(syncsim::csv::fields_of(report, kCsv), ","));
}

}  // namespace syncsim::ranked
