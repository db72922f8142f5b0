#pragma once
// Latencies of links from those of routes: those whose sums along the routes come nearest to what
// was measured (least squares, each route weighed by its hops), none below 0. Where several do as
// well, the one nearest to even shares. Links that no route takes get none.

#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LatencySample {
  std::vector<LinkId> links;  // of all branches
  int hops = 1;               // of one branch
  double picoseconds = 0;
};

std::vector<std::optional<Time>> fitted_latencies(const std::vector<LatencySample>& samples,
                                                  std::size_t links);

}  // namespace syncsim
