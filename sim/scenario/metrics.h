#pragma once
// What claims can speak of: a named figure of a report, in base units (picoseconds, bytes per
// second, bytes, fractions, counts).
//   time  bound  algbw  busbw  efficiency  ops  phase.NAME.time
//   link.DIRECTION.bytes|rate|utilization (e.g. link.gpu0>switch0.bytes)
//   busiest_link.rate|utilization
//   step  compute  communication  exposed  overlap  scaling_efficiency  samples_per_second  buckets
//   of training steps (step_report.h)
//   step_low  step_high  step_deviation  step_least  step_most  of their replicas
//   (replica_report.h)
//   stalls (1 or 0)  lost  recovery  steps_again  step_after  samples_per_second_after
//   checkpoint_write  goodput   of their faults (fault_report.h)

#include <span>
#include <string>
#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/report/report.h"

namespace syncsim {

enum class MetricUnit : std::uint8_t { time, bandwidth, bytes, fraction, count };

struct Metric {
  std::string name;
  MetricUnit unit = MetricUnit::time;
};

// Throws InputError without a place for a name that no metric has.
Metric parse_metric(std::string_view name);

// Throws InputError without a place when the report has no such phase or link.
double measure(const Metric& metric, const Report& report);

// Leaves the report the links that the metrics measure; all of them where it lacks one of these.
void keep_links(Report& report, std::span<const Metric> metrics);

// A value written for the metric: text with its unit ("15 ms", "10 GB/s"), a fraction as number or
// percentage, a count as whole number.
double read_value(const JsonReader& json, MetricUnit unit);
std::string value_text(double value, MetricUnit unit);

}  // namespace syncsim
