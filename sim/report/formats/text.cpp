#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats.h"
#include "sim/report/formats/conditions.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

using figures::duration;
using figures::percent;

// What a table of points has in common.
std::string heading(const RunFacts& facts) {
  const int ranks = facts.collective.ranks;
  std::string text = fmt::format("{}: {} of {}, {} rank{}, {} rates", facts.topology,
                                 to_string(facts.collective.kind), facts.collective.datatype, ranks,
                                 ranks == 1 ? "" : "s", to_string(facts.rates));
  for (const std::string& condition : conditions(facts)) text += "\n  " + condition;
  return text + "\n";
}

constexpr std::size_t kFirstWidth = 28;

std::string columns() {
  return fmt::format("{:<{}} {:>11} {:>13} {:>12} {:>12} {:>9}\n", "strategy", kFirstWidth, "size",
                     "time", "algbw", "busbw", "of bound");
}

// A strategy with many parameters has a line of its own, so that columns stay columns.
std::string line(const Report& report) {
  const std::string strategy = report.facts.strategy_text();
  const bool fits = strategy.size() <= kFirstWidth;
  return fmt::format("{}{:<{}} {:>11} {:>13} {:>12} {:>12} {:>9}\n", fits ? "" : strategy + "\n",
                     fits ? strategy : "", kFirstWidth, to_string(report.facts.collective.bytes),
                     to_string(report.time), figures::rate(report.algbw),
                     figures::rate(report.busbw), percent(report.efficiency));
}

std::string library_lines(const LibraryCall& library) {
  std::string text = fmt::format(
      "  {}: {}, {}, {} channel{}; {:.1f} us a call beside", library.name, library.algorithm,
      library.protocol, library.channels, library.channels == 1 ? "" : "s", library.call_us);
  if (library.host_us > 0) text += fmt::format(", at least {:.1f} us", library.host_us);
  text += "\n";
  for (const std::string& assumed : library.assumed) text += "  " + assumed + "\n";
  return text;
}

std::string details(const Report& report) {
  std::string phases;
  for (const PhaseReport& phase : report.phases)
    phases += fmt::format("{} {} {}", phases.empty() ? "  phases:" : ",", phase.name,
                          to_string(phase.time()));
  std::string text;
  if (const auto& library = report.facts.library) text += library_lines(*library);
  if (const auto& choice = report.facts.choice; choice && !choice->tried.empty())
    text += "  " + choice_text(*choice) + "\n";
  if (!phases.empty()) text += phases + "\n";
  if (const LinkReport* link = report.busiest_link())
    text += fmt::format("  busiest link: {} carries {} of {} ({})\n", link->label(),
                        figures::rate(link->rate), figures::rate(link->capacity),
                        percent(link->utilization));
  for (const std::string& note : report.notes) text += "  " + note + "\n";
  return text + fmt::format("  lower bound: {} ({})\n", duration(report.bound.seconds),
                            report.bound.binds);
}

std::string explained(const Explanation& explanation) {
  std::string text;
  for (const std::string* sentence : {&explanation.binds, &explanation.bound, &explanation.change})
    text += "  > " + *sentence + "\n";
  text = within_page(text);
  if (!explanation.options.empty())  // in one line, to be pasted
    text += "  > try " + explanation.options + "\n";
  return text;
}

constexpr std::size_t kLinkWidth = 22;
constexpr std::size_t kMostPairs = 3;  // of a line, and no more than it holds

// "6 transfers: gpu1>gpu0 160 MB, gpu2>gpu0 160 MB, gpu3>gpu0 160 MB, 2 pairs more".
std::string flows_line(const LinkReport& link) {
  constexpr std::size_t kRest = 18;
  const std::uint64_t transfers = link.transfers();
  std::string text = fmt::format("    {} transfer{}:", transfers, transfers == 1 ? "" : "s");
  std::size_t named = 0;
  for (const LinkFlow& flow : link.flows) {
    const std::string pair = fmt::format("{} {} {}", named == 0 ? "" : ",", flow.pair(),
                                         to_string(Bytes{std::llround(flow.bytes)}));
    if (named == kMostPairs) break;
    if (named > 0 && text.size() + pair.size() + kRest > kPageWidth) break;
    text += pair;
    ++named;
  }
  const std::size_t more = link.flows.size() - named;
  if (more > 0) text += fmt::format(", {} pair{} more", more, more == 1 ? "" : "s");
  return named == 0 ? "" : text + "\n";
}

std::string link_line(const LinkReport& link) {
  const std::string label = link.label();
  const bool fits = label.size() <= kLinkWidth;
  return fmt::format("  {}{:<{}} {:>13.0f} {:>8.2f} {:>8.2f} {:>8.2f} {:>7} {:>12} {:>12}\n",
                     fits ? "" : label + "\n  ", fits ? label : "", kLinkWidth, link.bytes,
                     link.rate / 1e9, link.peak / 1e9, link.capacity / 1e9,
                     percent(link.utilization), to_string(link.busy), to_string(link.saturated));
}

std::string link_table(const Report& report) {
  std::string text =
      fmt::format("  {:<{}} {:>13} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12}\n", "link (rates in GB/s)",
                  kLinkWidth, "bytes", "average", "peak", "capacity", "used", "busy", "saturated");
  for (const LinkReport& link : report.links)
    if (link.bytes > 0) text += link_line(link) + flows_line(link);
  return text;
}

}  // namespace

std::string write_text(std::span<const Report> reports, const FormatOptions& options) {
  std::string text;
  std::string above;
  for (const Report& report : reports) {
    const std::string own = heading(report.facts);
    if (own != above) text += within_page((above.empty() ? "" : "\n") + own + columns());
    above = own;
    text += within_page(line(report) + details(report));
    if (report.explanation) text += explained(*report.explanation);
    if (options.links) text += within_page(link_table(report));
  }
  return text;
}

}  // namespace syncsim
