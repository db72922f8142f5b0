// How comparisons are written down.

#include "sim/report/comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

std::string busiest(const Report& report) {
  const LinkReport* link = report.busiest_link();
  return link == nullptr ? "-"
                         : fmt::format("{} {}", link->label(), figures::percent(link->utilization));
}

std::string row(const Report& report) {
  return fmt::format("{:<22} {:>13} {:>14} {:>14} {:>9}  {}\n", report.facts.strategy_text(),
                     to_string(report.time), figures::rate(report.algbw),
                     figures::rate(report.busbw), figures::percent(report.efficiency),
                     busiest(report));
}

Json ranked(const Report& report) {
  return {{"strategy", report.facts.strategy},
          {"parameters", report.facts.parameters},
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

// What all have in common.
Json subject(const Comparison& comparison) {
  if (comparison.ranking.empty()) return Json::object();
  const RunFacts& facts = comparison.ranking.front().facts;
  return {{"topology", facts.topology},
          {"edits", facts.edits},
          {"collective", to_string(facts.collective.kind)},
          {"bytes", facts.collective.bytes.count},
          {"ranks", facts.collective.ranks},
          {"rates", to_string(facts.rates)}};
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text;
  if (!comparison.ranking.empty()) {
    const Report& best = comparison.ranking.front();
    text =
        fmt::format("{}: {} of {}, {} ranks, {} rates\n", best.facts.topology,
                    to_string(best.facts.collective.kind), to_string(best.facts.collective.bytes),
                    best.facts.collective.ranks, to_string(best.facts.rates));
    for (const std::string& edit : best.facts.edits) text += "  edit: " + edit + "\n";
    text += fmt::format("{:<22} {:>13} {:>14} {:>14} {:>9}  {}\n", "strategy", "time", "algbw",
                        "busbw", "of bound", "busiest link");
    for (const Report& report : comparison.ranking) text += row(report);
    text += fmt::format("lower bound: {} ({})\n", figures::duration(best.bound.seconds),
                        best.bound.binds);
  }
  for (const LeftOut& left_out : comparison.left_out)
    text += fmt::format("left out: {}: {}\n", left_out.strategy, left_out.why);
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Json json = subject(comparison);
  json["ranking"] = Json::array();
  for (const Report& report : comparison.ranking) json["ranking"].push_back(ranked(report));
  json["left_out"] = Json::array();
  for (const LeftOut& left_out : comparison.left_out)
    json["left_out"].push_back({{"strategy", left_out.strategy}, {"why", left_out.why}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
