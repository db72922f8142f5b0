#include "sim/topology/boxes.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace syncsim {

std::string_view box_name(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return id.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
}

std::vector<Place> places_of(const Topology& topology) {
  std::unordered_map<std::string_view, std::uint32_t> boxes;
  std::vector<std::array<std::uint32_t, 4>> counts;  // by box and kind
  std::vector<Place> places;
  places.reserve(topology.nodes().size());
  for (const Node& node : topology.nodes()) {
    const auto [box, is_new] =
        boxes.try_emplace(box_name(node.id), static_cast<std::uint32_t>(counts.size()));
    if (is_new) counts.emplace_back();
    places.push_back(
        {box->second, counts[box->second][static_cast<std::size_t>(node.kind)]++, 0, 0});
  }
  for (Place& place : places) {
    place.gpus = counts[place.box][static_cast<std::size_t>(NodeKind::gpu)];
    place.nics = counts[place.box][static_cast<std::size_t>(NodeKind::nic)];
  }
  return places;
}

AddingCpus adding_cpus(const Topology& topology, std::span<const NodeId> ranks) {
  const std::vector<Place> places = places_of(topology);
  std::set<std::uint32_t> with_ranks;
  for (const NodeId rank : ranks) with_ranks.insert(places[rank].box);
  AddingCpus result;
  for (const NodeId cpu : topology.nodes_of_kind(NodeKind::cpu)) {
    const bool first = places[cpu].number == 0;
    const bool own = with_ranks.contains(places[cpu].box);
    (!first ? result.others : own ? result.own : result.spare).push_back(cpu);
  }
  return result;
}

BoxNics::BoxNics(const Topology& topology) : places_(places_of(topology)) {
  for (NodeId node = 0; node < places_.size(); ++node) {
    nics_.resize(std::max(nics_.size(), places_[node].box + std::size_t{1}));
    if (topology.nodes()[node].kind == NodeKind::nic) nics_[places_[node].box].push_back(node);
  }
}

}  // namespace syncsim
