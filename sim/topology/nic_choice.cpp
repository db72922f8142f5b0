#include "sim/topology/nic_choice.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace syncsim {
namespace {

using Positions = std::vector<std::uint32_t>;

bool is_nic(const Topology& topology, const ShortestPaths& paths, std::uint32_t position) {
  return topology.nodes()[paths.nodes[position]].kind == NodeKind::nic;
}

// The nics of those positions, in the order of the machine.
Positions nics_where(const Topology& topology, const ShortestPaths& paths,
                     const std::vector<bool>& is) {
  Positions result;
  for (std::uint32_t position = 0; position < paths.nodes.size(); ++position)
    if (is[position] && is_nic(topology, paths, position)) result.push_back(position);
  std::sort(result.begin(), result.end(),
            [&](std::uint32_t a, std::uint32_t b) { return paths.nodes[a] < paths.nodes[b]; });
  return result;
}

// The nics that are the first on some path.
Positions first_nics(const Topology& topology, const ShortestPaths& paths) {
  std::vector<bool> reached(paths.nodes.size());  // without passing a nic
  reached.front() = true;
  for (const Hop& hop : paths.hops)  // those into a position come before those out of it
    if (reached[hop.from] && !is_nic(topology, paths, hop.from)) reached[hop.to] = true;
  return nics_where(topology, paths, reached);
}

Positions last_nics(const Topology& topology, const ShortestPaths& paths) {
  std::vector<bool> leads(paths.nodes.size());  // to the destination, without passing a nic
  leads.back() = true;
  for (auto hop = paths.hops.rbegin(); hop != paths.hops.rend(); ++hop)
    if (leads[hop->to] && !is_nic(topology, paths, hop->to)) leads[hop->from] = true;
  return nics_where(topology, paths, leads);
}

// Which hops are on a path that avoids the positions in `closed`.
std::vector<bool> open_hops(const ShortestPaths& paths, const std::vector<bool>& closed) {
  std::vector<bool> reached(closed.size());
  std::vector<bool> leads(closed.size());
  reached.front() = leads.back() = true;
  for (const Hop& hop : paths.hops)
    if (reached[hop.from] && !closed[hop.to]) reached[hop.to] = true;
  for (auto hop = paths.hops.rbegin(); hop != paths.hops.rend(); ++hop)
    if (leads[hop->to] && !closed[hop->from]) leads[hop->from] = true;
  std::vector<bool> open;
  for (const Hop& hop : paths.hops) open.push_back(reached[hop.from] && leads[hop.to]);
  return open;
}

void keep_only(const Positions& nics, const NicChoice& choice, BestPaths& best) {
  if (nics.size() < 2) return;
  std::vector<bool> closed(best.paths.nodes.size());
  for (std::size_t i = 0; i < nics.size(); ++i) closed[nics[i]] = i != choice.of(nics.size());
  const std::vector<bool> open = open_hops(best.paths, closed);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!open[i]) continue;
    best.paths.hops[kept] = best.paths.hops[i];
    best.widths[kept++] = best.widths[i];
  }
  best.paths.hops.resize(kept);
  best.widths.resize(kept);
}

}  // namespace

bool has_nic_choice(const Topology& topology, const BestPaths& best) {
  return first_nics(topology, best.paths).size() > 1 || last_nics(topology, best.paths).size() > 1;
}

void choose_nics(const Topology& topology, const Choice& choice, BestPaths& best) {
  keep_only(first_nics(topology, best.paths), choice.out, best);
  keep_only(last_nics(topology, best.paths), choice.in, best);
}

}  // namespace syncsim
