#include "sim/topology/policy_defect.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/islands.h"
#include "sim/topology/nearby.h"

namespace syncsim {
namespace {

class PolicyCheck {
 public:
  explicit PolicyCheck(const Topology& topology)
      : topology_(topology),
        policy_(topology.routing()),
        links_(topology),
        cpus_(nearest_cpus(topology, links_)),
        machines_(machines_of(topology)),
        gpus_(topology.nodes().size()),
        is_rank_(topology.nodes().size()),
        has_nic_(topology.nodes().size()) {
    for (const NodeId rank : topology.ranks()) {
      is_rank_[rank] = true;
      if (topology.nodes()[rank].kind == NodeKind::gpu) gpus_[machines_[rank]].push_back(rank);
    }
    for (const NodeId nic : topology.nodes_of_kind(NodeKind::nic)) has_nic_[machines_[nic]] = true;
  }

  std::optional<InputError> defect() {
    if (auto defect = given_nic_defect()) return defect;
    if (policy_.p2p == PeerLevel::loc)
      if (auto defect = host_defect()) return defect;
    return rootless_defect();
  }

 private:
  std::optional<InputError> given_nic_defect() const {
    for (const auto& [gpu, nic] : policy_.nics)
      if (machines_[gpu] != machines_[nic])
        return InputError(fmt::format("{} is to use {}, which it reaches over the network only",
                                      id(gpu), id(nic)),
                          "give it a nic of its own machine");
    return std::nullopt;
  }

  // Rule 2. Of cpus that forward and reach each other one will do.
  std::optional<InputError> host_defect() {
    const std::vector<NodeId> islands = islands_of(topology_, [&](const Link& link) {
      const auto forwards = [&](NodeId node) { return topology_.nodes()[node].forwards; };
      return link.kind != LinkKind::network && forwards(link.from) && forwards(link.to);
    });
    std::set<NodeId> checked;
    for (const std::vector<NodeId>& gpus : gpus_) {
      if (gpus.size() < 2) continue;
      for (const NodeId gpu : gpus) {
        if (!cpus_[gpu]) return no_cpu(gpu);
        if (!checked.insert(islands[*cpus_[gpu]]).second) continue;
        if (const auto far = out_of_reach(*cpus_[gpu], gpus))
          return InputError(fmt::format("P2P at LOC stages what {} sends in the memory of {}, from "
                                        "where {} is out of reach",
                                        id(gpu), id(*cpus_[gpu]), id(*far)),
                            "join their cpus by nodes that forward, or limit p2p to NVL");
      }
    }
    return std::nullopt;
  }

  // The first of the gpus that a cpu does not reach without the network.
  std::optional<NodeId> out_of_reach(NodeId cpu, const std::vector<NodeId>& gpus) const {
    std::vector<bool> seen(topology_.nodes().size());
    std::vector<NodeId> found{cpu};
    seen[cpu] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i > 0 && !topology_.nodes()[found[i]].forwards) continue;
      for (const LinkId id : links_.of(found[i])) {
        const Link& link = topology_.links()[id];
        if (link.kind == LinkKind::network || seen[link.to]) continue;
        seen[link.to] = true;
        found.push_back(link.to);
      }
    }
    for (const NodeId gpu : gpus)
      if (!seen[gpu]) return gpu;
    return std::nullopt;
  }

  // Rules 3 and 4.
  std::optional<InputError> rootless_defect() {
    NvlinkNeighbours nvlink(topology_, links_);
    for (const NodeId rank : topology_.ranks()) {
      if (topology_.nodes()[rank].kind != NodeKind::gpu || cpus_[rank]) continue;
      const std::size_t gpus = gpus_[machines_[rank]].size();
      const bool goes_out = has_nic_[machines_[rank]] && gpus < topology_.ranks().size();
      if (goes_out && (!policy_.gdr || policy_.acs)) return no_cpu(rank);
      if ((policy_.p2p != PeerLevel::nvl && !policy_.acs) || policy_.nvb) continue;
      std::size_t peers = 1;  // itself
      for (const NodeId gpu : nvlink.of(rank)) peers += is_rank_[gpu] ? 1 : 0;
      if (peers < gpus) return no_cpu(rank);
    }
    return std::nullopt;
  }

  const std::string& id(NodeId node) const { return topology_.nodes()[node].id; }
  InputError no_cpu(NodeId device) const { return no_cpu_near(topology_.nodes()[device]); }

  const Topology& topology_;
  const RoutingPolicy& policy_;
  LinksOut links_;
  std::vector<std::optional<NodeId>> cpus_;  // by node
  std::vector<NodeId> machines_;             // by node
  std::vector<std::vector<NodeId>> gpus_;    // ranks, by machine
  std::vector<bool> is_rank_;                // by node
  std::vector<bool> has_nic_;                // by machine
};

}  // namespace

InputError no_cpu_near(const Node& device) {
  return {fmt::format("the routing policy leads the traffic of {} through a cpu, and it reaches "
                      "none",
                      device.id),
          "join it to one, or allow its devices to reach each other"};
}

std::optional<InputError> policy_defect(const Topology& topology) {
  if (topology.routing() == RoutingPolicy{}) return std::nullopt;
  return PolicyCheck(topology).defect();
}

}  // namespace syncsim
