#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/machine_report.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

using figures::gigabytes;
double gigabytes(Bandwidth rate) { return gigabytes(rate.bytes_per_second); }

Json way_json(const Link& link) {
  return {{"GBps", gigabytes(link.bandwidth)},
          {"usable_GBps", gigabytes(link.usable)},
          {"latency_us", microseconds(link.latency)}};
}

Json links_json(const MachineReport& report) {
  Json list = Json::array();
  for (const CableGroup& group : report.links) {
    Json json = {{"kind", to_string(group.there.kind)}, {"cables", group.cables}};
    json.update(way_json(group.there));
    json["half_duplex"] = group.there.half_duplex;
    json["back"] = way_json(group.back);
    list.push_back(std::move(json));
  }
  return list;
}

Json injection_json(const MachineReport& report) {
  Json list = Json::array();
  for (const Injection& injection : report.injection) {
    Json kinds = Json::array();
    for (const auto& [kind, part] : injection.parts)
      kinds.push_back(
          {{"kind", to_string(kind)}, {"GBps", gigabytes(part.rate)}, {"cables", part.cables}});
    list.push_back({{"ranks", injection.ranks}, {"kinds", std::move(kinds)}});
  }
  return list;
}

Json bisection_json(const MachineReport& report) {
  Json list = Json::array();
  for (const Halves& halves : report.bisection)
    list.push_back({{"over", halves.over},
                    {"GBps", gigabytes(halves.rate)},
                    {"senders", halves.senders},
                    {"receivers", halves.receivers},
                    {"least_of_all_halves", halves.is_least}});
  return list;
}

Json notes_json(const MachineReport& report) {
  Json list = Json::array();
  for (const NodeNote& note : report.notes)
    list.push_back({{"nodes", note.nodes}, {"note", note.note}});
  return list;
}

Json routing_json(const MachineReport& report) {
  Json relays = Json::array();
  if (report.routing.nvb) relays.push_back("nvb");
  if (report.routing.pxn) relays.push_back("pxn");
  return {{"p2p", to_string(report.routing.p2p)},
          {"acs", report.routing.acs},
          {"gdr", report.routing.gdr},
          {"relays", std::move(relays)},
          {"nics", report.nics}};
}

Json route_json(const RouteReport& route) {
  Json steps = Json::array();
  for (const RouteReport::Step& step : route.steps)
    steps.push_back({{"name", step.name},
                     {"kind", step.kind},
                     {"GBps", gigabytes(step.capacity)},
                     {"coefficient", twelve_digits(step.coefficient)},
                     {"latency_us", microseconds(step.latency)}});
  const bool stays = route.steps.empty();
  return {{"from", route.from},
          {"to", route.to},
          {"channel", route.channel},
          {"path", route.path},
          {"hops", route.hops},
          {"class", route.route_class},
          {"latency_ps", route.latency.ps},
          {"latency_us", microseconds(route.latency)},
          {"overhead_us", microseconds(route.overhead)},
          {"GBps", stays ? Json(nullptr) : Json(gigabytes(route.rate))},
          {"bottleneck", stays ? Json(nullptr) : Json(route.bottleneck)},
          {"notes", route.notes},
          {"steps", std::move(steps)}};
}

}  // namespace

std::string machine_json(const MachineReport& report) {
  Json nodes = Json::object();
  for (const auto& [kind, count] : report.nodes) nodes[std::string(to_string(kind))] = count;
  const Json json = {
      {"topology", report.topology},
      {"description", report.description},
      {"source", report.source},
      {"edits", report.edits},
      {"rates", to_string(report.rates)},
      {"nodes", std::move(nodes)},
      {"boxes", report.boxes},
      {"cables", report.counts.cables},
      {"ranks", report.counts.ranks},
      {"rank_nodes", report.rank_nodes},
      {"notes", notes_json(report)},
      {"links", links_json(report)},
      {"injection", injection_json(report)},
      {"network", {{"nics", report.network.nics}, {"GBps", gigabytes(report.network.rate)}}},
      {"bisection", bisection_json(report)},
      {"routing", routing_json(report)},
      {"route", report.route ? route_json(*report.route) : Json(nullptr)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
