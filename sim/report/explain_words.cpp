#include "sim/report/explain_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "sim/report/formats/figures.h"
#include "sim/schedule/late_start.h"

namespace syncsim {
namespace {

using figures::percent;

constexpr double kCounts = 0.1;     // of the time: full for less than that binds nothing
constexpr double kReached = 0.995;  // of the bound

double share(Time part, Time whole) { return seconds(part) / seconds(whole); }

// Full for longest, of equal ones the first; nullptr where none was.
const LinkReport* longest_full(const Report& report) {
  const auto longest = std::max_element(
      report.links.begin(), report.links.end(),
      [](const LinkReport& a, const LinkReport& b) { return a.saturated < b.saturated; });
  const bool binds =
      longest != report.links.end() && share(longest->saturated, report.time) >= kCounts;
  return binds ? &*longest : nullptr;
}

// "it carries gpu0>gpu1 alone", "3 flows share it: gpu1>gpu0, gpu2>gpu0 and 1 more".
std::string sharing(const LinkReport& link) {
  constexpr std::size_t kMostNamed = 3;
  if (link.flows.empty()) return "the background fills it";
  if (link.flows.size() == 1) return fmt::format("it carries {} alone", link.flows[0].pair());
  std::vector<std::string> names;
  for (const LinkFlow& flow : std::span(link.flows).first(std::min(kMostNamed, link.flows.size())))
    names.push_back(flow.pair());
  const std::size_t more = link.flows.size() - names.size();
  return fmt::format("{} flows share it: {}{}", link.flows.size(), fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string as_long(const Report& report, const LinkReport& longest) {
  const auto others =
      std::count_if(report.links.begin(), report.links.end(),
                    [&](const LinkReport& link) { return link.saturated == longest.saturated; }) -
      1;
  if (others == 0) return "";
  return fmt::format("; {} other{} full as long", others, others == 1 ? " is" : "s are");
}

// Of the critical path, with bytes on their way.
Time moving(const Report& report) {
  Time sum;
  for (const CriticalOp& op : report.critical_path) sum += op.finish - op.start;
  return sum;
}

std::string nothing_full(const Report& report) {
  const LinkReport* busiest = report.busiest_link();
  if (busiest == nullptr) return "No link binds: nothing is carried.";
  const Time moves = moving(report);
  return fmt::format(
      "No link binds: the busiest, {}, is used to {}; on the critical path of {} ops bytes move "
      "for {} of {}, the rest is latency, overhead and waiting for turns.",
      busiest->label(), percent(busiest->utilization), report.critical_path.size(),
      to_string(moves), to_string(report.time));
}

// What each kind of bound rests on.
std::string reason(const LowerBound& bound) {
  if (bound.kind == "ports")
    return "what the ranks have to send and receive at least, over their own links";
  if (bound.kind == "latency") return "the least way that data has to go";
  if (bound.kind == "late start") return "nothing is sent from or to a rank before it has come";
  if (bound.kind == "volume") return "bytes times the least distance that they have to go";
  if (bound.kind.starts_with("cut")) return "what has to cross there, over the links that cross";
  return "what has to leave or enter all parts together, over the links between them";
}

// Late ranks' waits are a schedule's first ops, in the order of ranks (late_start.h).
int late_rank(const RunFacts& facts, OpId wait) {
  for (const auto& [rank, start] : facts.start)
    if (start.ps > 0 && wait-- == 0) return rank;
  throw InternalError("a late start of no late rank");
}

// The wait that the critical path begins with; nullptr where it begins at once.
const CriticalOp* late_start_of(const Report& report) {
  const bool late =
      !report.critical_path.empty() && report.critical_path.front().phase == kLateStartPhase;
  return late ? &report.critical_path.front() : nullptr;
}

}  // namespace

bool is_of_node(const LinkReport& link) {
  return link.direction == "transit" || link.direction == "reduce";
}

std::string binding_sentence(const Report& report) {
  if (report.time.ps == 0) return "Nothing binds: nothing takes time.";
  const LinkReport* link = longest_full(report);
  if (link == nullptr) return nothing_full(report);
  return fmt::format("{} binds, {}{}: it is full for {} of {}, and {}{}.", link->label(),
                     to_string(Bandwidth{link->capacity}),
                     is_of_node(*link) ? "" : " in that direction", to_string(link->saturated),
                     to_string(report.time), sharing(*link), as_long(report, *link));
}

std::string late_sentence(const Report& report, const std::vector<TriedChange>& tried) {
  const TriedChange* best = best_of(tried, ChangeKind::start);
  if (best != nullptr && !helps(*best)) return "";
  const std::string on_time =
      best == nullptr ? ""
                      : fmt::format("; with {} it takes {}", best->what, to_string(best->time));
  if (const CriticalOp* wait = late_start_of(report))
    return fmt::format(
        "Rank {} ({}) comes {} late, and the critical path of {} begins with that{}. ",
        late_rank(report.facts, wait->op), wait->to, to_exact_string(wait->finish),
        to_string(report.time), on_time);
  return best == nullptr ? "" : fmt::format("Late ranks hold it up{}. ", on_time);
}

std::string bound_sentence(const Report& report) {
  const LowerBound& bound = report.bound;
  if (report.time.ps == 0 || bound.seconds <= 0)
    return "The lower bound is 0: nothing has to move.";
  const std::string because =
      fmt::format("{} ({}: {})", figures::duration(bound.seconds), bound.binds, reason(bound));
  if (report.efficiency >= kReached)
    return fmt::format(
        "It is at the lower bound, {}: no strategy in which the same nodes add up is faster.",
        because);
  return fmt::format("It takes {:.2f} times the lower bound, {}.", 1 / report.efficiency, because);
}

}  // namespace syncsim
