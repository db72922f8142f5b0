#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/heat.h"
#include "sim/report/page.h"
#include "sim/report/page/page_json.h"

namespace syncsim {
namespace {

// Of all points: what a browser draws at once, and a few MB of file.
constexpr std::size_t kMostSlices = 20'000;

std::vector<OpId> critical_ops(const Report& report) {
  std::vector<OpId> ops;
  for (const CriticalOp& op : report.critical_path) ops.push_back(op.op);
  return ops;
}

}  // namespace

PageDrawing::PageDrawing(std::size_t points)
    : most_slices_(kMostSlices / std::max<std::size_t>(points, 1)) {}

void PageDrawing::begin_point(const Topology&, Rates, std::span<const LinkChange>) {
  rates_.clear();
}

void PageDrawing::carries(std::uint32_t resource, double rate, Time from) {
  if (resource >= rates_.size()) rates_.resize(resource + std::size_t{1});
  rates_[resource].add(from, rate);
}

void PageDrawing::end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                            const Timeline& timeline) {
  const DrawingOptions drawing{.rates = report.facts.rates, .heat = heat_of(report, machine)};
  const Slices slices = slices_of(schedule, timeline, critical_ops(report), most_slices_);
  points_.push_back({one_line_of(picture_json(machine, drawing)),
                     one_line_of(timeline_json(report, schedule, slices, rates_))});
}

}  // namespace syncsim
