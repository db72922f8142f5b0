// A program of somebody else's: one machine, one ring, one time. Its argument is a directory of
// topology files.

#include <cstdio>

#include "sim/scenario/run.h"
#include "sim/topology/topology_json.h"

int main(int, char** arguments) {
  const syncsim::Topology machine = syncsim::load_topology("pcie_4gpu", arguments[1]);
  syncsim::Point point;
  point.topology = machine.name();
  point.strategy = "ring";
  point.bytes = syncsim::parse_bytes("160 MB");
  const syncsim::Report report = syncsim::run_point(point, {arguments[1]});
  std::printf("%zu ranks: %s\n", machine.ranks().size(), syncsim::to_string(report.time).c_str());
}
