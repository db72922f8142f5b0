#include "sim/scenario/training_limits.h"

#include "sim/scenario/setting.h"
#include "sim/scenario/training.h"

namespace syncsim {
namespace {

// Faster than any link by so much that a step's bytes take less than a picosecond each.
constexpr double kFactor = 1e9;

Topology without_costs(const Topology& machine) {
  Topology::Parts parts = machine.parts();
  for (Node& node : parts.nodes) {
    if (node.transit_bandwidth) node.transit_bandwidth->bytes_per_second *= kFactor;
    if (node.reduce_bandwidth) node.reduce_bandwidth->bytes_per_second *= kFactor;
  }
  for (Link& link : parts.links) {
    link.bandwidth.bytes_per_second *= kFactor;
    link.usable.bytes_per_second *= kFactor;
    link.latency = {};
    link.overhead = {};
  }
  return Topology(std::move(parts));
}

Time step_of(const Point& point, const Setting& setting, RunSettings settings) {
  settings.check = false;  // proved for the step itself
  settings.links = false;
  settings.drawing = nullptr;
  return run_training(point, setting, settings).time;
}

}  // namespace

Time step_on_infinite_network(const Point& point, const RunSettings& settings) {
  Setting setting = setting_of(point, settings);
  setting.machine = without_costs(setting.machine);
  setting.changes.clear();
  setting.background.reset();
  Point free = point;
  free.overhead = {};
  free.training->faults.forget();
  return step_of(free, setting, settings);
}

Time step_without_overlap(Point point, const RunSettings& settings) {
  point.training->step.overlap = false;
  point.training->faults.forget();
  return step_of(point, setting_of(point, settings), settings);
}

}  // namespace syncsim
