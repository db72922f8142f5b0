#pragma once
// The route that an op's bytes take: that of its participants' nodes on its channel, over the
// channel's plane and the nics that the schedule gives to the two of them there.

#include <cstdint>
#include <memory>
#include <vector>

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
  // The reference stays valid as long as this.
  const Route& of(const Op& op) {
    return router(op).route(node(op.source), node(op.destination), op.channel, nics(op));
  }
  // The same without the cache.
  Route find(const Op& op) {
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
  NicPair nics(const Op& op) const;
  NicPair at(std::uint16_t channel, ParticipantId participant) const;

  const Schedule& schedule_;
  Router router_;
  std::unique_ptr<Router> host_router_;  // where a channel needs it
  std::vector<NodeId> nodes_;            // by participant
  std::vector<EndNics> nics_;            // by channel and participant
};

}  // namespace syncsim
