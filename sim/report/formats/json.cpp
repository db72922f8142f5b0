#include <nlohmann/json.hpp>

#include "sim/report/formats.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e-9;

Json link_json(const LinkReport& link) {
  return {{"link", link.link},
          {"direction", link.direction},
          {"bytes", static_cast<std::int64_t>(link.bytes + 0.5)},
          {"GBps", link.rate * kGiga},
          {"capacity_GBps", link.capacity * kGiga},
          {"utilization", link.utilization},
          {"busy_us", microseconds(link.busy)},
          {"saturated_us", microseconds(link.saturated)}};
}

Json busiest_json(const Report& report) {
  const LinkReport* busiest = report.busiest_link();
  if (busiest == nullptr) return nullptr;
  return {{"link", busiest->link},
          {"direction", busiest->direction},
          {"GBps", busiest->rate * kGiga},
          {"utilization", busiest->utilization}};
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

Json point_json(const Report& report, const FormatOptions& options) {
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
                {"algbw_GBps", report.algbw * kGiga},
                {"busbw_GBps", report.busbw * kGiga},
                {"bound_us", report.bound.seconds * 1e6},
                {"bound_kind", report.bound.kind},
                {"bound_binds", report.bound.binds},
                {"efficiency", report.efficiency},
                {"phases", phases_json(report)},
                {"busiest_link", busiest_json(report)},
                {"ops", report.ops},
                {"critical_path", critical_json(report)}};
  if (!options.links) return point;
  Json links = Json::array();
  for (const LinkReport& link : report.links) links.push_back(link_json(link));
  point["links"] = std::move(links);
  return point;
}

}  // namespace

std::string write_json(std::span<const Report> reports, const FormatOptions& options) {
  Json points = Json::array();
  for (const Report& report : reports) points.push_back(point_json(report, options));
  return Json{{"points", std::move(points)}}.dump(2) + "\n";
}

}  // namespace syncsim
