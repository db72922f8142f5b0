#pragma once
// What somebody measured of a training step, beside what is simulated of it. A measured rate of one
// GPU is an input (device_speed); what is compared is a step, or how it scales.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

struct StepReport;

struct Published {
  std::optional<Time> step = {};
  std::optional<double> samples_per_second = {};  // of all ranks
  std::optional<double> scaling_efficiency = {};  // 1: as many ranks do by themselves
  std::string source = {};
};

// A figure that was published, in its own unit (of times picoseconds).
struct PublishedFigure {
  std::string_view name;  // "step", "samples_per_second" or "scaling_efficiency"
  double published;
  double simulated;

  double share() const { return simulated / published; }  // its deviation is share() - 1
};

// Those that the step has, in that order.
std::vector<PublishedFigure> published_figures(const StepReport& step);

// Throws InputError without a place where that figure was not published.
PublishedFigure published_figure(const StepReport& step, std::string_view name);

}  // namespace syncsim
