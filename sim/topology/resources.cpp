#include "sim/topology/resources.h"

#include <utility>

namespace syncsim {
namespace {

ResourceId add(std::vector<Resource>& all, std::string name, ResourceKind kind, Bandwidth rate) {
  all.push_back({std::move(name), kind, rate.bytes_per_second});
  return static_cast<ResourceId>(all.size() - 1);
}

std::optional<ResourceId> add_if(std::vector<Resource>& all, std::string name, ResourceKind kind,
                                 std::optional<Bandwidth> rate) {
  if (!rate) return std::nullopt;
  return add(all, std::move(name), kind, *rate);
}

}  // namespace

Resources::Resources(const Topology& topology, Rates rates) {
  const std::vector<Link>& links = topology.links();
  all_.reserve(links.size());
  of_link_.reserve(links.size());
  for (LinkId link = 0; link < links.size(); ++link) {
    const bool second_way = link % 2 == 1;
    if (!links[link].half_duplex)
      of_link_.push_back(add(all_, links[link].name, ResourceKind::link, links[link].rate(rates)));
    else if (second_way)
      of_link_.push_back(of_link_.back());
    else
      of_link_.push_back(
          add(all_, topology.cable_name(link), ResourceKind::cable, links[link].rate(rates)));
  }
  for (const Node& node : topology.nodes()) {
    transit_.push_back(
        add_if(all_, node.id + ":transit", ResourceKind::transit, node.transit_bandwidth));
    reduce_.push_back(
        add_if(all_, node.id + ":reduce", ResourceKind::reduce, node.reduce_bandwidth));
  }
}

}  // namespace syncsim
