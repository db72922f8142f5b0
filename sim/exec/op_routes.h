#pragma once
// The route that an op's bytes take: that of its participants' nodes on its channel, over the
// channel's plane and the nics that the schedule gives to the two of them there. With a group at
// one end, the tree (tree_route.h) of those between its members and the other end, which takes part
// where it is a member.

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "sim/schedule/op_ends.h"
#include "sim/schedule/schedule.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

class OpRoutes {
 public:
  // Keeps references. Throws InputError for participants or nics that the machine has not.
  OpRoutes(const Schedule& schedule, const Topology& topology, const Resources& resources,
           std::uint32_t seed = 0);

  NodeId node(ParticipantId participant) const { return nodes_[participant]; }
  // The reference stays valid as long as this. Throws InputError where a node lacks an ability that
  // the tree of a group needs.
  const Route& of(const Op& op) {
    if (has_group(op)) return tree_of(op);
    return router(op).route(node(op.source), node(op.destination), op.channel, nics(op));
  }
  // The same without the cache.
  Route find(const Op& op) {
    if (has_group(op)) return find_tree(op);
    return router(op).find(node(op.source), node(op.destination), op.channel, nics(op));
  }

 private:
  struct EndNics {
    std::uint16_t channel = 0;
    ParticipantId participant = 0;
    NicPair nics;
  };

  Router& router(const Op& op) {
    return host_router_ && schedule_.channels[op.channel].plane == Plane::host ? *host_router_
                                                                               : router_;
  }
  const Route& tree_of(const Op& op);
  Route find_tree(const Op& op);
  NicPair nics(const Op& op) const;
  NicPair at(std::uint16_t channel, ParticipantId participant) const;

  const Schedule& schedule_;
  const Topology& topology_;
  const Resources& resources_;
  Router router_;
  std::unique_ptr<Router> host_router_;  // where a channel needs it
  std::vector<NodeId> nodes_;            // by participant
  std::vector<EndNics> nics_;            // by channel and participant
  std::map<std::tuple<ParticipantId, ParticipantId, std::uint16_t>, Route> trees_;  // by lane
};

}  // namespace syncsim
