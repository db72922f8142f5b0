#include "sim/report/staging_note.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string_view>
#include <vector>

#include "sim/topology/id_pattern.h"

namespace syncsim {

std::string staging_note(const Topology& topology, std::span<const NodeId> cpus) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string_view> ids;
  for (const NodeId cpu : std::set<NodeId>(cpus.begin(), cpus.end()))
    ids.push_back(topology.nodes()[cpu].id);
  std::vector<std::string> names = compressed(ids);
  const std::string first = names.front();
  if (names.size() > kMostNamed) {
    names.resize(kMostNamed);
    names.emplace_back("...");
  }
  return fmt::format(
      "staged through {}, whose transit is not known: no limit taken; set it with "
      R"(--edit "node:{} transit_bandwidth=...")",
      fmt::join(names, ", "), first);
}

}  // namespace syncsim
