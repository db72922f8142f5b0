#pragma once
// Routes of the whole machine at its line rates: found once for a schedule, however many strategies
// in scopes ask.

#include <memory>

#include "sim/schedule/strategy.h"
#include "sim/topology/fabric.h"
#include "sim/topology/routing.h"

namespace syncsim::strategy {

// Kept in the findings, which do not outlive the machine.
struct LineRoutes {
  explicit LineRoutes(const Topology& topology)
      : links(topology), resources(topology, Rates::line), router(topology, resources) {}
  LinksOut links;
  Resources resources;
  Router router;
};

inline LineRoutes& line_routes(const StrategyInput& input) {
  return *input.findings->of("line routes", {},
                             [&] { return std::make_shared<LineRoutes>(input.topology); });
}

}  // namespace syncsim::strategy
