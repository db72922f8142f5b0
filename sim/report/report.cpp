#include "sim/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/critical_path.h"
#include "sim/report/staging_note.h"
#include "sim/topology/resources.h"

namespace syncsim {
namespace {

std::vector<PhaseReport> phases_of(const Schedule& schedule, const Timeline& timeline) {
  std::vector<PhaseReport> phases;
  std::vector<bool> seen(schedule.phases.size());
  for (const std::string& name : schedule.phases) phases.push_back({name, {}, {}});
  for (std::size_t op = 0; op < timeline.ops.size(); ++op) {
    if (schedule.ops[op].kind == OpKind::join) continue;
    const std::size_t phase = schedule.ops[op].phase;
    const OpTimes& times = timeline.ops[op];
    PhaseReport& report = phases[phase];
    report.start = seen[phase] ? std::min(report.start, times.start) : times.start;
    report.finish = std::max(report.finish, times.finish);
    seen[phase] = true;
  }
  std::vector<PhaseReport> used;
  for (std::size_t phase = 0; phase < phases.size(); ++phase)
    if (seen[phase]) used.push_back(phases[phase]);
  return used;
}

LinkReport link_report(std::string cable, std::string direction, ResourceId id,
                       std::span<const ResourceTotals> all, Time time) {
  const ResourceTotals& totals = all[id];
  LinkReport report{std::move(cable), std::move(direction), totals.bytes, totals.capacity, 0, 0,
                    totals.busy,      totals.saturated,     id,           totals.peak,     {}};
  if (time.ps > 0) {
    report.rate = totals.bytes / seconds(time);
    if (totals.capacity > 0) report.utilization = report.rate / totals.capacity;
  }
  return report;
}

CriticalOp critical_op(const Schedule& schedule, const Timeline& timeline, OpId id) {
  const Op& op = schedule.ops[id];
  return {id,
          kind_of(schedule, op),
          nodes_of(schedule, op.source),
          nodes_of(schedule, op.destination),
          op.channel,
          schedule.phases[op.phase],
          schedule.bytes(op),
          timeline.ops[id].start,
          timeline.ops[id].finish};
}

}  // namespace

std::string kind_of(const Schedule& schedule, const Op& op) {
  switch (op.kind) {
    case OpKind::copy:
      return schedule.moves_data(op) ? "copy" : "signal";
    case OpKind::reduce:
      return "reduce";
    case OpKind::compute:
      return "compute";
    case OpKind::join:
      return "join";
  }
  return "";
}

std::string RunFacts::start_text() const {
  std::string text;
  for (const auto& [rank, at] : start)
    text += fmt::format("{}rank {} at {}", text.empty() ? "" : ", ", rank, to_exact_string(at));
  return text;
}

std::string RunFacts::strategy_text() const {
  if (!choice) return syncsim::strategy_text(strategy, changed);
  return strategy + ": " + syncsim::strategy_text(choice->strategy, choice->changed);
}

std::uint64_t LinkReport::transfers() const {
  std::uint64_t count = 0;
  for (const LinkFlow& flow : flows) count += flow.transfers;
  return count;
}

std::string LinkReport::label() const {
  if (direction == "both") return link;
  return direction.find('>') == std::string::npos ? link + ":" + direction : direction;
}

const LinkReport* Report::busiest_link() const { return busiest_of(links); }

const LinkReport* busiest_of(std::span<const LinkReport> links) {
  const auto busiest = std::max_element(
      links.begin(), links.end(),
      [](const LinkReport& a, const LinkReport& b) { return a.utilization < b.utilization; });
  return busiest == links.end() || busiest->bytes <= 0 ? nullptr : &*busiest;
}

std::vector<LinkReport> link_reports(const Topology& topology,
                                     std::span<const ResourceTotals> totals, Rates rates,
                                     Time time) {
  const Resources resources(topology, rates);
  std::vector<LinkReport> reports;
  for (LinkId link = 0; link < topology.links().size(); ++link) {
    const Link& self = topology.links()[link];
    if (self.half_duplex && link % 2 == 1) continue;  // one resource for both directions
    reports.push_back(link_report(topology.cable_name(link), self.half_duplex ? "both" : self.name,
                                  resources.of_link(link), totals, time));
  }
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    const std::string& id = topology.nodes()[node].id;
    if (const auto transit = resources.transit(node))
      reports.push_back(link_report(id, "transit", *transit, totals, time));
    if (const auto reduce = resources.reduce(node))
      reports.push_back(link_report(id, "reduce", *reduce, totals, time));
  }
  return reports;
}

std::vector<EventReport> event_reports(const Topology& topology,
                                       std::span<const LinkChange> changes, Rates rates) {
  std::vector<EventReport> reports;
  for (const LinkChange& change : changes) {
    const Link& link = topology.links()[change.link];
    if (link.half_duplex && change.link % 2 == 1) continue;  // one resource for both directions
    reports.push_back({change.at, link.half_duplex ? topology.cable_name(change.link) : link.name,
                       change.rate(rates).bytes_per_second});
  }
  return reports;
}

Report make_report(RunFacts facts, const Topology& topology, const Schedule& schedule,
                   const Timeline& timeline, const LowerBound& bound) {
  Report report;
  report.facts = std::move(facts);
  set_time(report, timeline.finish, bound);
  report.phases = phases_of(schedule, timeline);
  report.links = link_reports(topology, timeline.resources, report.facts.rates, timeline.finish);
  report.ops = schedule.ops.size();
  report.notes = schedule.notes;
  if (!timeline.staged_freely.empty())
    report.notes.push_back(staging_note(topology, timeline.staged_freely));
  return report;
}

void set_time(Report& report, Time time, const LowerBound& bound) {
  report.time = time;
  report.bound = bound;
  if (time.ps == 0) return;
  const Collective& collective = report.facts.collective;
  report.algbw = static_cast<double>(collective.bytes.count) / seconds(time);
  report.busbw = report.algbw * busbw_factor(collective.kind, collective.ranks);
  report.efficiency = bound.seconds / seconds(time);
}

void add_critical_path(Report& report, const Topology& topology, const Schedule& schedule,
                       const Timeline& timeline) {
  for (const OpId op : critical_path(topology, schedule, timeline, report.facts.rates))
    report.critical_path.push_back(critical_op(schedule, timeline, op));
}

}  // namespace syncsim
