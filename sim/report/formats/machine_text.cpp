#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/page_text.h"
#include "sim/report/machine_report.h"

namespace syncsim {
namespace {

std::string counted_parts(std::int64_t count, std::string_view what) {
  const bool hisses = what.ends_with('h') || what.ends_with('x');
  const std::string_view plural = hisses ? "es" : "s";
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : plural);
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("{:<14} {}\n", name, value);
}

std::string bandwidth_text(double bytes_per_second) {
  return to_string(Bandwidth{bytes_per_second});
}

std::string heading(const MachineReport& report) {
  std::string text = fmt::format("{}: {}, {} rates\n", report.topology, to_string(report.counts),
                                 to_string(report.rates));
  if (!report.description.empty()) text += "  " + report.description + "\n";
  if (!report.source.empty()) text += "  source: " + report.source + "\n";
  for (const std::string& edit : report.edits) text += "  edit: " + edit + "\n";
  return text;
}

std::string nodes_text(const MachineReport& report) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : report.nodes)
    kinds.push_back(counted_parts(count, to_string(kind)));
  const std::string boxes = report.boxes > 1 ? " in " + counted_parts(report.boxes, "box") : "";
  return fmt::format("{}{}", fmt::join(kinds, ", "), boxes);
}

std::string network_text(const MachineReport& report) {
  const double share = report.network.rate / static_cast<double>(report.counts.ranks);
  return fmt::format("{}: {}, {} a rank", counted_parts(report.network.nics, "nic"),
                     bandwidth_text(report.network.rate), bandwidth_text(share));
}

std::string halves_text(const Halves& halves) {
  return fmt::format("{} over {}: {} to {}, {}", bandwidth_text(halves.rate), halves.over,
                     fmt::join(halves.senders, ","), fmt::join(halves.receivers, ","),
                     halves.is_least ? "the least of all halves" : "the first half of the ranks");
}

std::string injection_text(const Injection& injection) {
  std::vector<std::string> parts;
  for (const auto& [kind, part] : injection.parts)
    parts.push_back(fmt::format("{} {} ({})", to_string(kind), bandwidth_text(part.rate),
                                counted_parts(part.cables, "cable")));
  if (parts.empty()) parts.push_back("nothing");
  return fmt::format("{}: {}", fmt::join(injection.ranks, ","), fmt::join(parts, ", "));
}

std::string routing_text(const RoutingPolicy& routing) {
  std::string text = fmt::format("P2P up to {}, ACS {}, GPUDirect {}", to_string(routing.p2p),
                                 routing.acs ? "on" : "off", routing.gdr ? "on" : "off");
  if (routing.nvb) text += ", relays by NVLink";
  if (routing.pxn) text += ", relays to far nics";
  return text;
}

// "16 GB/s", or "16 GB/s / 8 GB/s" where the way back differs.
template <class Figure>
std::string both_ways(const CableGroup& group, Figure Link::*figure) {
  const std::string there = to_string(group.there.*figure);
  if (group.there.*figure == group.back.*figure) return there;
  return there + " / " + to_string(group.back.*figure);
}

std::string links_text(const MachineReport& report) {
  if (report.links.empty()) return "";
  std::string text = fmt::format("{:<14} {:>8} {:>14} {:>14} {:>13}\n", "links", "cables", "rate",
                                 "usable", "latency");
  for (const CableGroup& group : report.links)
    text += fmt::format("{:<14} {:>8} {:>14} {:>14} {:>13}{}\n", to_string(group.there.kind),
                        group.cables, both_ways(group, &Link::bandwidth),
                        both_ways(group, &Link::usable), both_ways(group, &Link::latency),
                        group.there.half_duplex ? "  half duplex" : "");
  return text;
}

std::string times(double coefficient) {
  return coefficient == 1 ? "" : fmt::format("x {:.4g}", coefficient);
}

std::string route_text(const RouteReport& route) {
  std::string text =
      fmt::format("route {} to {}, channel {}\n", route.from, route.to, route.channel);
  text += row("path", fmt::format("{}", fmt::join(route.path, " > ")));
  if (route.steps.empty()) return text;
  text += row("hops", std::to_string(route.hops));
  text += row("latency", to_string(route.latency));
  if (route.overhead.ps > 0) text += row("overhead", to_string(route.overhead));
  text += row("bottleneck",
              fmt::format("{} lets {} through", route.bottleneck, bandwidth_text(route.rate)));
  text += fmt::format("  {:<24} {:<8} {:>14} {:>8} {:>13}\n", "link or node", "kind", "rate",
                      "used", "latency");
  for (const RouteReport::Step& step : route.steps) {
    text +=
        fmt::format("  {:<24} {:<8} {:>14}", step.name, step.kind, bandwidth_text(step.capacity));
    const std::string latency = step.kind == "transit" ? "" : to_string(step.latency);
    if (step.coefficient != 1 || !latency.empty())
      text += fmt::format(" {:>8} {:>13}", times(step.coefficient), latency);
    text += "\n";
  }
  for (const std::string& note : route.notes) text += "  " + note + "\n";
  return text;
}

}  // namespace

std::string machine_text(const MachineReport& report) {
  std::string text = heading(report);
  text += row("nodes", nodes_text(report));
  text += row("ranks", fmt::format("{}", fmt::join(report.rank_nodes, ",")));
  for (const NodeNote& note : report.notes)
    text += row("", fmt::format("{}: {}", fmt::join(note.nodes, ","), note.note));
  text += row("routing", routing_text(report.routing));
  for (const std::string& nic : report.nics) text += row("", nic);
  for (const Injection& injection : report.injection)
    text += row(&injection == &report.injection.front() ? "sends" : "", injection_text(injection));
  if (report.network.nics > 0) text += row("network", network_text(report));
  for (const Halves& halves : report.bisection)
    text += row(&halves == &report.bisection.front() ? "bisection" : "", halves_text(halves));
  text += links_text(report);
  if (report.route) text += "\n" + route_text(*report.route);
  return within_page(text);
}

}  // namespace syncsim
