// Which P2P level explains a connectivity matrix.

#include <fmt/format.h>

#include <algorithm>

#include "sim/topology/import/p2p_matrix_fit.h"
#include "sim/topology/import/pasted_text.h"
#include "sim/topology/path_level.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

// The same cables, all peers direct.
Topology unrestricted(const Topology& machine) {
  Topology::Parts parts = machine.parts();
  parts.routing = RoutingPolicy{};
  return Topology(std::move(parts));
}

// A pair of gpus, for messages.
struct MessagePair {
  PeerLevel level;
  std::string name;
  const P2pCell* cell;
};

// The farthest pair that is connected and the nearest that is not.
struct Extremes {
  std::optional<MessagePair> connected;
  std::optional<MessagePair> separate;

  void take(MessagePair pair) {
    if (pair.cell->value != 0) {
      if (!connected || pair.level > connected->level) connected = std::move(pair);
    } else {
      if (!separate || pair.level < separate->level) separate = std::move(pair);
    }
  }
};

Extremes extremes(const P2pTable& connectivity, const Topology& machine) {
  const Topology open = unrestricted(machine);
  const Resources resources(open, Rates::line);
  Router router(open, resources);
  const std::vector<NodeId> gpus = open.nodes_of_kind(NodeKind::gpu);
  Extremes found;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = 0; j < gpus.size(); ++j)
      if (i != j)
        found.take({path_level(open, router.find(gpus[i], gpus[j]).links),
                    fmt::format("{}-{}", open.nodes()[gpus[i]].id, open.nodes()[gpus[j]].id),
                    &connectivity.at(i, j)});
  return found;
}

PeerLevel below(PeerLevel level) {
  return level == PeerLevel::loc ? level : static_cast<PeerLevel>(static_cast<int>(level) - 1);
}

}  // namespace

PeerLevel fitted_level(const P2pSections& sections, const Topology& machine,
                       std::vector<std::string>& warnings) {
  const PeerLevel old = machine.routing().p2p;
  if (!sections.connectivity) return old;
  const Extremes found = extremes(*sections.connectivity, machine);
  const PeerLevel least = found.connected ? found.connected->level : PeerLevel::loc;
  const PeerLevel most = found.separate ? below(found.separate->level) : PeerLevel::sys;
  if (least > most) {
    warnings.push_back(fmt::format(
        "{}: {} ({}) has no P2P although {} ({}) has; no P2P level explains it, kept {}",
        place_of(sections.file, found.separate->cell->line, found.separate->cell->column),
        found.separate->name, to_string(found.separate->level), found.connected->name,
        to_string(found.connected->level), to_string(old)));
    return old;
  }
  const PeerLevel level = std::clamp(old, least, most);
  if (level != old)
    warnings.push_back(fmt::format("{}:{}: the connectivity means P2P up to {}; took that for {}",
                                   sections.file, sections.connectivity->cells.front().line,
                                   to_string(level), to_string(old)));
  return level;
}

}  // namespace syncsim
