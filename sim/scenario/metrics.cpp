#include "sim/scenario/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/scenario/rank_metric.h"

namespace syncsim {
namespace {

struct PlainMetric {
  std::string_view name;
  MetricUnit unit;
  double (*read)(const Report& report);
};

const PlainMetric kPlain[] = {
    {"time", MetricUnit::time, [](const Report& r) { return static_cast<double>(r.time.ps); }},
    {"bound", MetricUnit::time, [](const Report& r) { return r.bound.seconds * 1e12; }},
    {"algbw", MetricUnit::bandwidth, [](const Report& r) { return r.algbw; }},
    {"busbw", MetricUnit::bandwidth, [](const Report& r) { return r.busbw; }},
    {"efficiency", MetricUnit::fraction, [](const Report& r) { return r.efficiency; }},
    {"ops", MetricUnit::count, [](const Report& r) { return static_cast<double>(r.ops); }},
    {"busiest_link.rate", MetricUnit::bandwidth,
     [](const Report& r) { return r.busiest_link() ? r.busiest_link()->rate : 0; }},
    {"busiest_link.utilization", MetricUnit::fraction,
     [](const Report& r) { return r.busiest_link() ? r.busiest_link()->utilization : 0; }},
};

struct StepMetric {
  std::string_view name;
  MetricUnit unit;
  double (*read)(const StepReport& step);
};

double picoseconds(Time time) { return static_cast<double>(time.ps); }

const FaultReport& fault_of(const StepReport& step) {
  if (!step.fault) throw InputError("the point has no fault", "select points with a \"fault\"");
  return *step.fault;
}

double time_of_fault(const std::optional<Time>& time) {
  if (!time) throw InputError("the run stalls for ever", "claim of it that it \"stalls\"");
  return picoseconds(*time);
}

const GoodputReport& goodput_of(const StepReport& step) {
  if (!step.goodput) throw InputError("the point has no goodput", "select points with an \"mtbf\"");
  return *step.goodput;
}

const StepMetric kStep[] = {
    {"step", MetricUnit::time, [](const StepReport& s) { return picoseconds(s.step); }},
    {"compute", MetricUnit::time, [](const StepReport& s) { return picoseconds(s.compute); }},
    {"communication", MetricUnit::time,
     [](const StepReport& s) { return picoseconds(s.communication); }},
    {"exposed", MetricUnit::time, [](const StepReport& s) { return picoseconds(s.exposed); }},
    {"overlap", MetricUnit::fraction, [](const StepReport& s) { return s.overlap; }},
    {"scaling_efficiency", MetricUnit::fraction,
     [](const StepReport& s) { return s.scaling_efficiency; }},
    {"samples_per_second", MetricUnit::count,
     [](const StepReport& s) { return s.samples_per_second; }},
    {"buckets", MetricUnit::count,
     [](const StepReport& s) { return static_cast<double>(s.buckets.size()); }},
    {"published.step", MetricUnit::fraction,
     [](const StepReport& s) { return published_figure(s, "step").share(); }},
    {"published.samples_per_second", MetricUnit::fraction,
     [](const StepReport& s) { return published_figure(s, "samples_per_second").share(); }},
    {"published.scaling_efficiency", MetricUnit::fraction,
     [](const StepReport& s) { return published_figure(s, "scaling_efficiency").share(); }},
    {"stalls", MetricUnit::count, [](const StepReport& s) { return fault_of(s).stalls ? 1.0 : 0; }},
    {"lost", MetricUnit::time,
     [](const StepReport& s) { return time_of_fault(fault_of(s).times.lost); }},
    {"recovery", MetricUnit::time,
     [](const StepReport& s) {
       const FaultTimes& times = fault_of(s).times;
       return time_of_fault(times.resumed) - picoseconds(times.fault);
     }},
    {"steps_again", MetricUnit::count,
     [](const StepReport& s) { return static_cast<double>(fault_of(s).times.again()); }},
    {"step_after", MetricUnit::time,
     [](const StepReport& s) { return time_of_fault(fault_of(s).after); }},
    {"samples_per_second_after", MetricUnit::count,
     [](const StepReport& s) { return fault_of(s).samples_per_second_after; }},
    {"checkpoint_write", MetricUnit::time,
     [](const StepReport& s) {
       return picoseconds(s.fault ? s.fault->checkpoints.write : goodput_of(s).checkpoints.write);
     }},
    {"goodput", MetricUnit::fraction,
     [](const StepReport& s) { return goodput_of(s).goodput.mean; }},
};

struct ReplicaMetric {
  std::string_view name;
  Time ReplicaReport::*figure;
};

const ReplicaMetric kReplica[] = {{"step_low", &ReplicaReport::low},
                                  {"step_high", &ReplicaReport::high},
                                  {"step_deviation", &ReplicaReport::deviation},
                                  {"step_least", &ReplicaReport::least},
                                  {"step_most", &ReplicaReport::most}};

struct LinkMetric {
  std::string_view name;
  MetricUnit unit;
  double (*read)(const LinkReport& link);
};

const LinkMetric kLink[] = {
    {"bytes", MetricUnit::bytes, [](const LinkReport& l) { return l.bytes; }},
    {"rate", MetricUnit::bandwidth, [](const LinkReport& l) { return l.rate; }},
    {"utilization", MetricUnit::fraction, [](const LinkReport& l) { return l.utilization; }},
};

constexpr std::string_view kPhase = "phase.";
constexpr std::string_view kPhaseTime = ".time";
constexpr std::string_view kLinkPrefix = "link.";
constexpr std::string_view kBusiest = "busiest_link.";

bool is_phase(std::string_view name) {
  return name.starts_with(kPhase) && name.ends_with(kPhaseTime) &&
         name.size() > kPhase.size() + kPhaseTime.size();
}

std::string_view phase_of(std::string_view name) {
  name.remove_prefix(kPhase.size());
  return name.substr(0, name.size() - kPhaseTime.size());
}

// link.DIRECTION.FIGURE: the row of FIGURE, or nullptr.
const LinkMetric* link_metric(std::string_view name) {
  if (!name.starts_with(kLinkPrefix)) return nullptr;
  const auto dot = name.rfind('.');
  if (dot <= kLinkPrefix.size()) return nullptr;
  for (const LinkMetric& row : kLink)
    if (row.name == name.substr(dot + 1)) return &row;
  return nullptr;
}

std::string_view direction_of(std::string_view name) {
  name.remove_prefix(kLinkPrefix.size());
  return name.substr(0, name.rfind('.'));
}

// Of a direction that is named already, what it may be; otherwise of any.
std::vector<std::string> link_metrics_like(std::string_view name) {
  const bool has_direction = name.starts_with(kLinkPrefix) && name.rfind('.') > kLinkPrefix.size();
  std::vector<std::string> names;
  for (const LinkMetric& row : kLink)
    names.push_back(fmt::format("{}{}.{}", kLinkPrefix,
                                has_direction ? direction_of(name) : "DIRECTION", row.name));
  return names;
}

const StepReport& step_of(std::string_view metric, const Report& report) {
  if (!report.step)
    throw InputError(fmt::format("\"{}\" is of training steps", metric),
                     "select points with a \"model\"");
  return *report.step;
}

double replica_figure(const ReplicaMetric& row, const Report& report) {
  if (!report.step || !report.step->replicas)
    throw InputError(fmt::format("\"{}\" is of replicas", row.name),
                     "select points with \"replicas\" above 1");
  return picoseconds((*report.step->replicas).*row.figure);
}

double phase_time(std::string_view name, const Report& report) {
  std::vector<std::string> known;
  for (const PhaseReport& phase : report.phases) {
    if (phase.name == name) return static_cast<double>(phase.time().ps);
    known.push_back(phase.name);
  }
  throw unknown_name("phase of this run", name, known);
}

const LinkReport& link_of(std::string_view direction, const Report& report) {
  std::vector<std::string> known;
  for (const LinkReport& link : report.links) {
    if (link.label() == direction) return link;
    known.push_back(link.label());
  }
  throw unknown_name("link direction", direction, known);
}

}  // namespace

Metric parse_metric(std::string_view name) {
  std::vector<std::string> known;
  for (const PlainMetric& row : kPlain) {
    if (row.name == name) return {std::string(name), row.unit};
    known.emplace_back(row.name);
  }
  for (const StepMetric& row : kStep)
    if (row.name == name) return {std::string(name), row.unit};
  for (const ReplicaMetric& row : kReplica)
    if (row.name == name) return {std::string(name), MetricUnit::time};
  if (is_phase(name) || rank_metric(name)) return {std::string(name), MetricUnit::time};
  if (const LinkMetric* row = link_metric(name)) return {std::string(name), row->unit};
  known.emplace_back("phase.NAME.time");
  for (std::string& like : link_metrics_like(name)) known.push_back(std::move(like));
  for (const StepMetric& row : kStep) known.emplace_back(row.name);
  for (std::string& like : rank_metrics_like(name)) known.push_back(std::move(like));
  for (const ReplicaMetric& row : kReplica) known.emplace_back(row.name);
  throw unknown_name("metric", name, known);
}

double measure(const Metric& metric, const Report& report) {
  for (const PlainMetric& row : kPlain)
    if (row.name == metric.name) return row.read(report);
  for (const StepMetric& row : kStep)
    if (row.name == metric.name) return row.read(step_of(metric.name, report));
  for (const ReplicaMetric& row : kReplica)
    if (row.name == metric.name) return replica_figure(row, report);
  if (const auto rank = rank_metric(metric.name))
    return picoseconds(rank->read(rank_of(*rank, step_of(metric.name, report))));
  if (is_phase(metric.name)) return phase_time(phase_of(metric.name), report);
  return link_metric(metric.name)->read(link_of(direction_of(metric.name), report));
}

void keep_links(Report& report, std::span<const Metric> metrics) {
  std::vector<LinkReport> kept;
  for (const Metric& metric : metrics) {
    if (metric.name.starts_with(kBusiest) && report.busiest_link() != nullptr)
      kept.push_back(*report.busiest_link());
    if (link_metric(metric.name) == nullptr) continue;
    const std::string_view direction = direction_of(metric.name);
    const auto link = std::find_if(report.links.begin(), report.links.end(),
                                   [&](const LinkReport& l) { return l.label() == direction; });
    if (link == report.links.end()) return;
    kept.push_back(*link);
  }
  report.links = std::move(kept);
}

double read_value(const JsonReader& json, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::time:
      return static_cast<double>(json.time().ps);
    case MetricUnit::bandwidth:
      return json.bandwidth().bytes_per_second;
    case MetricUnit::bytes:
      return static_cast<double>(json.bytes().count);
    case MetricUnit::fraction:
      return json.is_string() ? json.percent() : json.number();
    case MetricUnit::count:
      return static_cast<double>(json.integer());
  }
  return 0;
}

std::string value_text(double value, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::time:
      return to_string(Time{std::llround(value)});
    case MetricUnit::bandwidth:
      return fmt::format("{:.4g} GB/s", value * 1e-9);
    case MetricUnit::bytes:
      return to_string(Bytes{std::llround(value)});
    case MetricUnit::fraction:
      return fmt::format("{:.2f} %", value * 100);
    case MetricUnit::count:
      return fmt::format("{}", std::llround(value));
  }
  return "";
}

}  // namespace syncsim
