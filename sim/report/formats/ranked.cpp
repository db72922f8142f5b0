#include "sim/report/formats/ranked.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "sim/report/formats/figures.h"

namespace syncsim::ranked {
namespace {

using Json = nlohmann::ordered_json;

std::string parameters_text(const RunFacts& facts) {
  const std::string text = strategy_text("", facts.changed);
  return text.empty() ? text : text.substr(1);
}

}  // namespace

std::string heading(const RunFacts& facts, const std::string& size) {
  const auto ranks = static_cast<std::uint64_t>(facts.collective.ranks);
  std::string text =
      fmt::format("{}: {}{}, {}, {} rates\n", facts.topology, to_string(facts.collective.kind),
                  size, counted(ranks, "rank"), to_string(facts.rates));
  for (const std::string& edit : facts.edits) text += "  edit: " + edit + "\n";
  if (facts.reduction == Reduction::staged) text += "  reduction: staged\n";
  return text;
}

std::string figures(const Report& report) {
  return fmt::format("{:>13} {:>12} {:>12} {:>9}", to_string(report.time),
                     figures::rate(report.algbw), figures::rate(report.busbw),
                     figures::percent(report.efficiency));
}

std::string figure_heads() {
  return fmt::format("{:>13} {:>12} {:>12} {:>9}", "time", "algbw", "busbw", "of bound");
}

std::string busiest(const Report& report) {
  const LinkReport* link = report.busiest_link();
  return link == nullptr ? "-"
                         : fmt::format("{} {}", link->label(), figures::percent(link->utilization));
}

std::string strategy(const Report& report, std::size_t before) {
  const std::string text = report.facts.strategy_text();
  if (text.size() <= kStrategyWidth) return fmt::format("{:<{}}", text, kStrategyWidth);
  return text + "\n" + std::string(before + kStrategyWidth, ' ');
}

Json subject(const RunFacts& facts) {
  return {{"topology", facts.topology},
          {"edits", facts.edits},
          {"collective", to_string(facts.collective.kind)},
          {"ranks", facts.collective.ranks},
          {"rates", to_string(facts.rates)}};
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

std::string csv_heads() {
  return "bytes,strategy,changed_parameters,time_ps,time_us,algbw_GBps,busbw_GBps,bound_us,"
         "bound_kind,efficiency,busiest_link,utilization";
}

std::string csv(const Report& report) {
  const LinkReport* link = report.busiest_link();
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", report.facts.collective.bytes.count,
                     csv::field(report.facts.strategy), csv::field(parameters_text(report.facts)),
                     report.time.ps, microseconds(report.time), figures::gigabytes(report.algbw),
                     figures::gigabytes(report.busbw), twelve_digits(report.bound.seconds * 1e6),
                     csv::field(report.bound.kind), twelve_digits(report.efficiency),
                     link == nullptr ? "" : csv::field(link->label()),
                     link == nullptr ? 0 : twelve_digits(link->utilization));
}

}  // namespace syncsim::ranked
