#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/step.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

using figures::gigabytes;

Json flows_json(const LinkReport& link) {
  Json flows = Json::array();
  for (const LinkFlow& flow : link.flows)
    flows.push_back({{"from", flow.from},
                     {"to", flow.to},
                     {"bytes", std::llround(flow.bytes)},
                     {"transfers", flow.transfers}});
  return flows;
}

Json link_json(const LinkReport& link) {
  return {{"link", link.link},
          {"direction", link.direction},
          {"bytes", std::llround(link.bytes)},
          {"GBps", gigabytes(link.rate)},
          {"capacity_GBps", gigabytes(link.capacity)},
          {"utilization", twelve_digits(link.utilization)},
          {"busy_us", microseconds(link.busy)},
          {"saturated_us", microseconds(link.saturated)},
          {"peak_GBps", gigabytes(link.peak)},
          {"transfers", link.transfers()},
          {"flows", flows_json(link)}};
}

Json start_json(const RunFacts& facts) {
  Json list = Json::array();
  for (const auto& [rank, at] : facts.start)
    list.push_back({{"rank", rank}, {"time_us", microseconds(at)}});
  return list;
}

Json background_json(const RunFacts& facts) {
  if (facts.background.empty()) return nullptr;
  return {{"file", facts.background}, {"flows", facts.background_flows}};
}

Json phases_json(const Report& report) {
  Json phases = Json::array();
  for (const PhaseReport& phase : report.phases)
    phases.push_back({{"name", phase.name},
                      {"time_us", microseconds(phase.time())},
                      {"start_us", microseconds(phase.start)},
                      {"finish_us", microseconds(phase.finish)}});
  return phases;
}

Json critical_json(const Report& report) {
  Json path = Json::array();
  for (const CriticalOp& op : report.critical_path)
    path.push_back({{"op", op.op},
                    {"kind", op.kind},
                    {"from", op.from},
                    {"to", op.to},
                    {"channel", op.channel},
                    {"phase", op.phase},
                    {"bytes", op.bytes.count},
                    {"start_us", microseconds(op.start)},
                    {"finish_us", microseconds(op.finish)}});
  return path;
}

Json library_json(const std::optional<LibraryCall>& library) {
  if (!library) return nullptr;
  return {{"name", library->name},         {"algorithm", library->algorithm},
          {"protocol", library->protocol}, {"channels", library->channels},
          {"call_us", library->call_us},   {"host_us", library->host_us},
          {"assumed", library->assumed}};
}

Json chosen_json(const std::optional<Choice>& choice) {
  if (!choice) return nullptr;
  return {{"strategy", choice->strategy}, {"parameters", choice->parameters}};
}

Json candidates_json(const std::optional<Choice>& choice) {
  Json list = Json::array();
  if (!choice) return list;
  for (const Tried& tried : choice->tried) {
    list.push_back({{"strategy", tried.strategy}, {"parameters", tried.parameters}});
    list.back()["time_ps"] = tried.time ? Json(tried.time->ps) : Json(nullptr);
    list.back()["time_us"] = tried.time ? Json(microseconds(*tried.time)) : Json(nullptr);
    list.back()["why"] = tried.why;
  }
  return list;
}

Json explanation_json(const Explanation& explanation) {
  Json tried = Json::array();
  for (const TriedChange& change : explanation.tried)
    tried.push_back({{"change", change.what},
                     {"edits", change.edits},
                     {"options", change.options},
                     {"time_ps", change.time.ps},
                     {"time_us", microseconds(change.time)},
                     {"speedup", twelve_digits(change.speedup)},
                     {"without_ps", change.without.ps}});
  return {{"binds", explanation.binds},
          {"bound", explanation.bound},
          {"change", explanation.change},
          {"options", explanation.options},
          {"tried", std::move(tried)}};
}

Json unfinished_json(const Unfinished& unfinished) {
  Json json = {{"point", unfinished.point},
               {"points", unfinished.points},
               {"strategy", unfinished.strategy},
               {"bytes", unfinished.bytes.count},
               {"stage", nullptr}};
  if (!unfinished.progress) return json;
  json["stage"] = to_string(unfinished.progress->stage);
  json["done"] = unfinished.progress->done;
  json["total"] = unfinished.progress->total;
  json["simulated_ps"] = unfinished.progress->simulated.ps;
  json["delivered_bytes"] = unfinished.delivered.count;
  return json;
}

}  // namespace

Json events_json(std::span<const EventReport> events) {
  Json list = Json::array();
  for (const EventReport& event : events)
    list.push_back({{"time_ps", event.at.ps},
                    {"link", event.link},
                    {"bandwidth_Bps", twelve_digits(event.bandwidth)}});
  return list;
}

Json busiest_json(const LinkReport* busiest) {
  if (busiest == nullptr) return nullptr;
  return {{"link", busiest->link},
          {"direction", busiest->direction},
          {"GBps", gigabytes(busiest->rate)},
          {"utilization", twelve_digits(busiest->utilization)}};
}

Json report_json(const Report& report, const FormatOptions& options) {
  const RunFacts& facts = report.facts;
  Json point = {{"name", facts.name},
                {"topology", facts.topology},
                {"edits", facts.edits},
                {"strategy", facts.strategy},
                {"parameters", facts.parameters},
                {"collective", to_string(facts.collective.kind)},
                {"bytes", facts.collective.bytes.count},
                {"datatype", facts.collective.datatype},
                {"ranks", facts.collective.ranks},
                {"executor", facts.executor},
                {"rates", to_string(facts.rates)},
                {"time_ps", report.time.ps},
                {"time_us", microseconds(report.time)},
                {"algbw_GBps", gigabytes(report.algbw)},
                {"busbw_GBps", gigabytes(report.busbw)},
                {"bound_us", twelve_digits(report.bound.seconds * 1e6)},
                {"bound_kind", report.bound.kind},
                {"bound_binds", report.bound.binds},
                {"efficiency", twelve_digits(report.efficiency)},
                {"checked", facts.checked},
                {"scenario", facts.scenario},
                {"rank_order", facts.ranks},
                {"root", facts.collective.root},
                {"overhead_us", microseconds(facts.overhead)},
                {"reduction", to_string(facts.reduction)},
                {"seed", facts.seed},
                {"start", start_json(facts)},
                {"background", background_json(facts)},
                {"events", events_json(facts.changes)},
                {"notes", report.notes},
                {"phases", phases_json(report)},
                {"busiest_link", busiest_json(report.busiest_link())},
                {"ops", report.ops},
                {"critical_path", critical_json(report)},
                {"library", library_json(facts.library)},
                {"chosen", chosen_json(facts.choice)},
                {"candidates", candidates_json(facts.choice)}};
  if (report.step) point["step"] = step_json(report);
  if (report.explanation) point["explain"] = explanation_json(*report.explanation);
  if (!options.links) return point;
  Json links = Json::array();
  for (const LinkReport& link : report.links) links.push_back(link_json(link));
  point["links"] = std::move(links);
  return point;
}

std::string write_json(std::span<const Report> reports, const FormatOptions& options) {
  Json points = Json::array();
  for (const Report& report : reports) points.push_back(report_json(report, options));
  Json all = {{"points", std::move(points)}};
  if (options.unfinished != nullptr) all["interrupted"] = unfinished_json(*options.unfinished);
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
