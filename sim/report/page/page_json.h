#pragma once
// What a report page is drawn from, as JSON; plots/page/src/data.ts says what each key means.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/report/page/slices.h"
#include "sim/report/page/step_series.h"
#include "sim/report/report.h"
#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim {

// The colours of utilization in even steps, the first that of an idle link.
nlohmann::ordered_json ramp_json();

// The machine with the run's utilization on its links; `options` has its heat. Points, y downwards.
nlohmann::ordered_json picture_json(const Topology& machine, const DrawingOptions& options);

// Slices as columns, and the rates of the busiest links; `rates` by resource.
nlohmann::ordered_json timeline_json(const Report& report, const Schedule& schedule,
                                     const Slices& slices, std::span<const StepSeries> rates);

// In one line; what is no UTF-8 is replaced.
std::string one_line_of(const nlohmann::ordered_json& json);

// Those that carried something, the busiest first.
std::vector<const LinkReport*> busiest_links(const Report& report);

}  // namespace syncsim
