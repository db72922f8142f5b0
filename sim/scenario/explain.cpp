#include "sim/scenario/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/report/explain_words.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostLinks = 5;

// A change that may help, not yet tried.
struct Idea {
  ChangeKind kind = ChangeKind::link;
  std::string what;
  std::vector<std::string> edits;
  bool halves_overhead = false;
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

std::vector<Idea> ideas(const Report& report, const Topology& machine, Time overhead) {
  std::vector<Idea> ideas;
  for (const LinkReport* link : busiest(report)) ideas.push_back(doubled(*link));
  for (const std::string& kind : kinds_in_use(report, machine))
    ideas.push_back({ChangeKind::kind,
                     fmt::format("every {} link", kind),
                     {fmt::format("scale kind:{} bandwidth 2", kind)}});
  std::set<std::string> late;
  for (const Link& link : machine.links())
    if (link.latency.ps > 0) late.emplace(to_string(link.kind));
  if (late.empty() && overhead.ps == 0) return ideas;
  Idea halves{ChangeKind::latency,
              overhead.ps > 0 ? "every latency and the overhead" : "every latency",
              {},
              overhead.ps > 0};
  for (const std::string& kind : late)
    halves.edits.push_back(fmt::format("scale kind:{} latency 0.5", kind));
  ideas.push_back(std::move(halves));
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
  if (idea.halves_overhead) point.overhead = Time{point.overhead.ps / 2};
  return point;
}

// What the machine or the strategy refuses is no change.
std::vector<TriedChange> try_all(const std::vector<Idea>& ideas, const Point& point,
                                 const RunSettings& settings, Time before) {
  std::vector<TriedChange> tried;
  for (const Idea& idea : ideas) {
    try {
      const Time time = run_point(changed(point, idea), settings).time;
      const double speedup =
          time.ps > 0 ? static_cast<double>(before.ps) / static_cast<double>(time.ps) : 1;
      tried.push_back({idea.kind, idea.what, idea.edits, time, speedup});
    } catch (const InputError&) {
      continue;
    }
  }
  return tried;
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
  Explanation explanation{binding_sentence(report), bound_sentence(report), "", {}};
  if (report.ops <= most_ops) {
    explanation.tried =
        try_all(ideas(report, machine, point.overhead), settled(point, report), bare, report.time);
    explanation.change = change_sentence(report.time, explanation.tried);
  }
  report.explanation = std::move(explanation);
  return report;
}

}  // namespace syncsim
