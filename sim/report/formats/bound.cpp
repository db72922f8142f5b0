// How lower bounds are written down.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/bound_report.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// A latency is no rate, whatever the size.
double algbw(const BoundReport& report, const LowerBound& bound) {
  return bound.seconds > 0 && bound.kind != "latency"
             ? static_cast<double>(report.collective.bytes.count) / bound.seconds
             : 0;
}

double busbw(const BoundReport& report, const LowerBound& bound) {
  return algbw(report, bound) * busbw_factor(report.collective.kind, report.collective.ranks);
}

using figures::duration;

std::string rate(double bytes_per_second) {
  return bytes_per_second > 0 ? figures::rate(bytes_per_second) : "-";
}

std::string row(const BoundReport& report, const LowerBound& bound) {
  return fmt::format("  {:<24} {:>13} {:>12} {:>12}  {}\n", bound.kind, duration(bound.seconds),
                     rate(algbw(report, bound)), rate(busbw(report, bound)), bound.binds);
}

Json bound_object(const BoundReport& report, const LowerBound& bound) {
  return {{"kind", bound.kind},
          {"us", twelve_digits(bound.seconds * 1e6)},
          {"algbw_GBps", figures::gigabytes(algbw(report, bound))},
          {"binds", bound.binds}};
}

Json bounds_array(const BoundReport& report, const BoundSet& set) {
  Json list = Json::array();
  for (const LowerBound& bound : set.bounds) list.push_back(bound_object(report, bound));
  return list;
}

}  // namespace

std::string bound_text(const BoundReport& report) {
  const Collective& collective = report.collective;
  std::string text =
      fmt::format("{}: {} of {}, {} rank{}, {} rates\n", report.topology,
                  to_string(collective.kind), to_string(collective.bytes), collective.ranks,
                  collective.ranks == 1 ? "" : "s", to_string(report.rates));
  for (const std::string& edit : report.edits) text += "  edit: " + edit + "\n";
  for (const BoundSet& set : report.sets) {
    text += fmt::format("where {} add up\n", set.adding_up);
    text += fmt::format("  {:<24} {:>13} {:>12} {:>12}  {}\n", "bound", "least time", "algbw",
                        "busbw", "what binds");
    for (const LowerBound& bound : set.bounds) text += row(report, bound);
  }
  return within_page(text);
}

std::string bound_json(const BoundReport& report) {
  const LowerBound& largest = report.sets.front().bounds.front();
  Json json = {{"topology", report.topology},
               {"edits", report.edits},
               {"collective", to_string(report.collective.kind)},
               {"bytes", report.collective.bytes.count},
               {"ranks", report.collective.ranks},
               {"rates", to_string(report.rates)},
               {"bound_us", twelve_digits(largest.seconds * 1e6)},
               {"bound_kind", largest.kind},
               {"binds", largest.binds},
               {"algbw_GBps", figures::gigabytes(algbw(report, largest))},
               {"busbw_GBps", figures::gigabytes(busbw(report, largest))},
               {"bounds", bounds_array(report, report.sets.front())}};
  Json others = Json::array();
  for (std::size_t i = 1; i < report.sets.size(); ++i)
    others.push_back({{"adding_up", report.sets[i].adding_up},
                      {"bound_us", twelve_digits(report.sets[i].bounds.front().seconds * 1e6)},
                      {"bounds", bounds_array(report, report.sets[i])}});
  json["with_helpers"] = std::move(others);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
