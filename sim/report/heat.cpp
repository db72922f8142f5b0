#include "sim/report/heat.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace syncsim {

Heat heat_of(const Report& report, const Topology& machine) {
  Heat heat;
  heat.links.resize(machine.links().size());
  heat.transit.resize(machine.nodes().size());
  heat.title = fmt::format("{} by {}, {} in {}", to_string(report.facts.collective.kind),
                           report.facts.strategy_text(), to_string(report.facts.collective.bytes),
                           to_string(report.time));
  auto next = report.links.begin();
  for (LinkId link = 0; link < machine.links().size(); ++link) {
    const Link& self = machine.links()[link];
    if (self.half_duplex && link % 2 == 1) {  // it shares the capacity of its way there
      heat.links[link] = heat.links[link - 1];
      continue;
    }
    require(next != report.links.end() && next->link == machine.cable_name(link),
            "a report's links are those of another machine");
    heat.links[link] = (next++)->utilization;
  }
  for (; next != report.links.end(); ++next)
    if (next->direction == "transit") heat.transit[machine.node(next->link)] = next->utilization;
  return heat;
}

}  // namespace syncsim
