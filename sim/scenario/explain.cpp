#include "sim/scenario/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/quote.h"
#include "sim/base/rank_list.h"
#include "sim/report/explain_words.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostLinks = 5;

// A change that may help, not yet tried.
struct Idea {
  ChangeKind kind = ChangeKind::link;
  std::string what;
  std::vector<std::string> edits;
  std::optional<Time> overhead = {};
  std::vector<std::size_t> on_time = {};  // ranks, ascending

  // To be typed behind the point's own, which they change.
  std::string options() const {
    std::string text;
    const auto add = [&](std::string_view option, const std::string& value) {
      text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, in_quotes(value));
    };
    for (const std::string& edit : edits) add("--edit", edit);
    if (overhead) add("--overhead", to_exact_string(*overhead));
    if (!on_time.empty()) add("--start", fmt::format("{}=0 s", fmt::join(ranges_of(on_time), ",")));
    return text;
  }
};

// The busiest first; of a cable the busier direction alone.
std::vector<const LinkReport*> busiest(const Report& report) {
  std::vector<const LinkReport*> links;
  for (const LinkReport& link : report.links)
    if (link.bytes > 0) links.push_back(&link);
  std::stable_sort(links.begin(), links.end(), [](const LinkReport* a, const LinkReport* b) {
    return a->utilization > b->utilization;
  });
  std::set<std::string> seen;
  std::vector<const LinkReport*> result;
  for (const LinkReport* link : links) {
    const std::string own = is_of_node(*link) ? link->label() : link->link;
    if (result.size() < kMostLinks && seen.insert(own).second) result.push_back(link);
  }
  return result;
}

Idea doubled(const LinkReport& link) {
  if (!is_of_node(link))
    return {ChangeKind::link, link.link, {fmt::format("scale link:{} bandwidth 2", link.link)}};
  return {ChangeKind::link,
          fmt::format("the {} bandwidth of {}", link.direction, link.link),
          {fmt::format("node:{} {}_bandwidth={}", link.link, link.direction,
                       to_exact_string(Bandwidth{2 * link.capacity}))}};
}

// Kinds of link that carried something, in the order of their names.
std::set<std::string> kinds_in_use(const Report& report, const Topology& machine) {
  std::set<std::string> cables;
  for (const LinkReport& link : report.links)
    if (link.bytes > 0 && !is_of_node(link)) cables.insert(link.link);
  std::set<std::string> kinds;
  for (LinkId link = 0; link < machine.links().size(); link += 2)
    if (cables.contains(machine.cable_name(link)))
      kinds.emplace(to_string(machine.links()[link].kind));
  return kinds;
}

// The last to come alone, and all of them.
void add_late_ranks(const Point& point, std::vector<Idea>& ideas) {
  Idea all{ChangeKind::start, "all ranks on time", {}};
  std::pair<Time, std::size_t> last;
  for (const auto& [rank, start] : point.start) {
    if (start.ps == 0) continue;
    all.on_time.push_back(static_cast<std::size_t>(rank));
    if (start > last.first) last = {start, all.on_time.back()};
  }
  if (all.on_time.empty()) return;
  Idea one{ChangeKind::start, fmt::format("rank {} on time", last.second), {}};
  one.on_time = {last.second};
  ideas.push_back(std::move(one));
  if (all.on_time.size() > 1) ideas.push_back(std::move(all));
}

// Of all links that have some, and the run's overhead.
void add_latencies(const Topology& machine, Time overhead, std::vector<Idea>& ideas) {
  std::set<std::string> late;
  for (const Link& link : machine.links())
    if (link.latency.ps > 0) late.emplace(to_string(link.kind));
  if (late.empty() && overhead.ps == 0) return;
  Idea halves{ChangeKind::latency, late.empty() ? "the overhead" : "every latency", {}};
  for (const std::string& kind : late)
    halves.edits.push_back(fmt::format("scale kind:{} latency 0.5", kind));
  if (overhead.ps > 0) halves.overhead = Time{overhead.ps / 2};
  if (!late.empty() && overhead.ps > 0) halves.what += " and the overhead";
  ideas.push_back(std::move(halves));
}

std::vector<Idea> ideas(const Report& report, const Topology& machine, const Point& point) {
  std::vector<Idea> ideas;
  add_late_ranks(point, ideas);
  for (const LinkReport* link : busiest(report)) ideas.push_back(doubled(*link));
  for (const std::string& kind : kinds_in_use(report, machine))
    ideas.push_back({ChangeKind::kind,
                     fmt::format("every {} link", kind),
                     {fmt::format("scale kind:{} bandwidth 2", kind)}});
  add_latencies(machine, point.overhead, ideas);
  return ideas;
}

// As it was run, with what it chose.
Point settled(Point point, const Report& report) {
  if (const auto& choice = report.facts.choice) {
    point.strategy = choice->strategy;
    point.parameters = choice->changed;
  }
  return point;
}

Point changed(Point point, const Idea& idea) {
  for (const std::string& text : idea.edits) point.edits.push_back(parse_edit(text));
  if (idea.overhead) point.overhead = *idea.overhead;
  for (const std::size_t rank : idea.on_time) point.start.erase(static_cast<int>(rank));
  return point;
}

// What is laid for the changed point, on the point's own machine.
Time laid_for(const Point& other, const Point& point, const RunSettings& settings) {
  const PointSchedule planned = schedule_of(other, setting_of(other, settings), settings);
  return timeline_of(planned, point, setting_of(point, settings), settings).finish;
}

TriedChange tried(const Idea& idea, const Point& point, const RunSettings& settings, Time before) {
  const Point other = changed(point, idea);
  const Time time = run_point(other, settings).time;
  const bool lays_anew = idea.on_time.empty();
  const Time without =
      lays_anew && time < before ? std::min(before, laid_for(other, point, settings)) : before;
  const double speedup = time.ps > 0 ? seconds(without) / seconds(time) : 1;
  return {idea.kind, idea.what, idea.edits, time, speedup, idea.options(), without};
}

// Typed behind a choice, a change has it choose anew.
std::string kept_choice(const RunFacts& facts) {
  if (!facts.choice) return "";
  return fmt::format(" Tried with {}; {} itself would choose anew.",
                     strategy_text(facts.choice->strategy, facts.choice->changed), facts.strategy);
}

// What the machine or the strategy refuses is no change.
std::vector<TriedChange> try_all(const std::vector<Idea>& ideas, const Point& point,
                                 const RunSettings& settings, Time before) {
  std::vector<TriedChange> all;
  for (const Idea& idea : ideas) {
    try {
      all.push_back(tried(idea, point, settings, before));
    } catch (const InputError&) {
      continue;
    }
  }
  return all;
}

}  // namespace

Report run_explained(const Point& point, const RunSettings& settings, std::uint64_t most_ops) {
  RunSettings whole = settings;
  whole.links = true;
  whole.critical_path = true;
  Report report = run_point(point, whole);
  const Topology machine = setting_of(point, settings).machine;
  RunSettings bare = settings;  // for the time alone
  bare.check = false;
  bare.links = false;
  bare.critical_path = false;
  bare.drawing = nullptr;
  Explanation explanation{"", bound_sentence(report), "", "", {}};
  if (report.ops <= most_ops) {
    explanation.tried =
        try_all(ideas(report, machine, point), settled(point, report), bare, report.time);
    explanation.change =
        change_sentence(report.time, explanation.tried) + kept_choice(report.facts);
    if (const TriedChange* best = best_change(explanation.tried))
      explanation.options = best->options;
  } else {
    explanation.change = fmt::format(
        "No change was tried, for each takes another run: of {} ops, where {} are few enough here; "
        "run --explain tries them.",
        report.ops, most_ops);
  }
  explanation.binds = late_sentence(report, explanation.tried) + binding_sentence(report);
  report.explanation = std::move(explanation);
  return report;
}

}  // namespace syncsim
