#include "sim/exec/op_routes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/topology/tree_route.h"

namespace syncsim {

OpRoutes::OpRoutes(const Schedule& schedule, const Topology& topology, const Resources& resources,
                   std::uint32_t seed)
    : schedule_(schedule),
      topology_(topology),
      resources_(resources),
      router_(topology, resources, seed) {
  const auto over_host = [](const Channel& channel) { return channel.plane == Plane::host; };
  if (std::any_of(schedule.channels.begin(), schedule.channels.end(), over_host))
    host_router_ = std::make_unique<Router>(topology, resources, seed, Plane::host);
  for (const std::string& participant : schedule.participants)
    nodes_.push_back(topology.node(participant));
  const auto node_or_none = [&](const std::string& id) {
    return id.empty() ? std::nullopt : std::optional(topology.node(id));
  };
  for (const ChannelNics& given : schedule.nics)
    nics_.push_back({given.channel,
                     given.participant,
                     {node_or_none(given.nics.out), node_or_none(given.nics.in)}});
}

const Route& OpRoutes::tree_of(const Op& op) {
  const std::tuple lane(op.source, op.destination, op.channel);
  const auto known = trees_.find(lane);
  return known != trees_.end() ? known->second : trees_.emplace(lane, find_tree(op)).first->second;
}

Route OpRoutes::find_tree(const Op& op) {
  const bool reduces = is_group(op.source);
  TreeEnds ends{node(single_end(op)), false, {}};
  std::vector<Route> ways;
  for (const ParticipantId member :
       members(schedule_.groups, reduces ? op.source : op.destination)) {
    Op way = op;
    way.source = member;
    way.destination = single_end(op);
    if (member == way.destination)
      ends.root_takes_part = true;
    else
      ways.push_back(find(way));
  }
  ends.ways = ways;
  return tree_route(topology_, resources_, reduces ? TreeKind::reduce : TreeKind::multicast, ends);
}

NicPair OpRoutes::nics(const Op& op) const {
  if (nics_.empty()) return {};
  return {at(op.channel, op.source).out, at(op.channel, op.destination).in};
}

NicPair OpRoutes::at(std::uint16_t channel, ParticipantId participant) const {
  const std::pair key(channel, participant);
  const auto found = std::lower_bound(nics_.begin(), nics_.end(), key,
                                      [](const EndNics& each, const auto& wanted) {
                                        return std::pair(each.channel, each.participant) < wanted;
                                      });
  const bool is_there =
      found != nics_.end() && std::pair(found->channel, found->participant) == key;
  return is_there ? found->nics : NicPair{};
}

}  // namespace syncsim
