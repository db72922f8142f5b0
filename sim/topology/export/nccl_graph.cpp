#include "sim/topology/export/nccl_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "sim/base/error.h"
#include "sim/topology/boxes.h"
#include "sim/topology/export/nccl_channels.h"
#include "sim/topology/path_level.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

constexpr int kMostChannels = 32;

// In the order in which NCCL prefers them.
enum class PathType { loc, nvl, nvb, pix, pxb, pxn, phb, sys };
constexpr const char* kPathNames[] = {"LOC", "NVL", "NVB", "PIX", "PXB", "PXN", "PHB", "SYS"};

const char* to_string(PathType type) { return kPathNames[static_cast<std::size_t>(type)]; }

// Of links in path order; NVB and PXN are NVL, and PIX or PXB, through a relaying GPU.
PathType path_type(const Topology& topology, std::span<const LinkId> links) {
  const auto relays = [&](LinkId id) {
    const NodeId to = topology.links()[id].to;
    return topology.nodes()[to].kind == NodeKind::gpu && to != topology.links()[links.back()].to;
  };
  const bool relayed = std::any_of(links.begin(), links.end(), relays);
  switch (path_level(topology, links)) {
    case PeerLevel::loc:
      return PathType::loc;
    case PeerLevel::nvl:
      return relayed ? PathType::nvb : PathType::nvl;
    case PeerLevel::pix:
      return relayed ? PathType::pxn : PathType::pix;
    case PeerLevel::pxb:
      return relayed ? PathType::pxn : PathType::pxb;
    case PeerLevel::phb:
      return PathType::phb;
    case PeerLevel::sys:
      return PathType::sys;
  }
  throw InternalError("a level without a path type");
}

// What the rings' hops need, inside of boxes and between them.
class Hops {
 public:
  Hops(const Topology& topology, std::span<const NodeId> ranks, const RankBoxes& boxes)
      : topology_(topology),
        ranks_(ranks),
        boxes_(boxes),
        resources_(topology, Rates::usable),
        router_(topology, resources_),
        nics_(topology),
        load_(resources_.all().size()) {}

  void add(const NcclChannel& channel, std::uint32_t number) {
    const std::vector<int>& order = channel.order;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int from = order[i];
      const int to = order[(i + 1) % order.size()];
      const Route& route = this->route(channel, from, to, number);
      Side& side = from / boxes_.size == to / boxes_.size ? inside_ : between_;
      for (const ResourceUse& use : route.uses) {
        load_[use.resource] += use.coefficient * channel.ring->multiplicity;
        side.uses.push_back(use.resource);
      }
      if (&side == &inside_) {
        side.type = std::max(side.type, path_type(topology_, route.links));
      } else {
        add_nets(route);
      }
    }
  }

  double speed_inside() const { return inside_.uses.empty() ? speed(between_) : speed(inside_); }
  double speed_between() const { return between_.uses.empty() ? speed(inside_) : speed(between_); }
  PathType type_inside() const { return inside_.type; }
  PathType type_between() const { return std::max(between_.type, PathType::pix); }

  // The number of the nic by which the ring comes from one rank to another: the last one on the
  // way, or the first one, by which it goes. 0 where the way passes none.
  std::uint32_t net(const NcclChannel& channel, int from, int to, std::uint32_t number_of_it,
                    bool last) {
    std::uint32_t number = 0;
    bool found = false;
    for (const LinkId id : route(channel, from, to, number_of_it).links) {
      const Link& link = topology_.links()[id];
      for (const NodeId end : {link.from, link.to})
        if (topology_.nodes()[end].kind == NodeKind::nic && (last || !found)) {
          number = boxes_.places[end].number;
          found = true;
        }
    }
    return number;
  }

 private:
  struct Side {
    PathType type = PathType::loc;
    std::vector<ResourceId> uses;
  };

  NodeId node(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  const Route& route(const NcclChannel& channel, int from, int to, std::uint32_t number) {
    if (from / boxes_.size == to / boxes_.size) return router_.route(node(from), node(to), number);
    return router_.route(node(from), node(to), number,
                         {nic(from, channel.nics(from).out), nic(to, channel.nics(to).in)});
  }
  std::optional<NodeId> nic(int rank, int number) const {
    if (number < 0) return std::nullopt;
    return nics_.at(node(rank), number);
  }

  // From a GPU to its NIC and from a NIC to its GPU: before and after the network.
  void add_nets(const Route& route) {
    const auto is_network = [&](LinkId id) {
      return topology_.links()[id].kind == LinkKind::network;
    };
    const std::span<const LinkId> links = route.links;
    const auto first = std::find_if(links.begin(), links.end(), is_network) - links.begin();
    const auto last = links.rend() - std::find_if(links.rbegin(), links.rend(), is_network);
    for (const auto& leg : {links.first(static_cast<std::size_t>(first)),
                            links.subspan(static_cast<std::size_t>(last))})
      between_.type = std::max(between_.type, path_type(topology_, leg));
  }

  double speed(const Side& side) const {
    double least = std::numeric_limits<double>::infinity();
    for (const ResourceId id : side.uses)
      least = std::min(least, resources_.all()[id].capacity / load_[id]);
    return least;
  }

  const Topology& topology_;
  std::span<const NodeId> ranks_;
  const RankBoxes& boxes_;
  Resources resources_;
  Router router_;
  BoxNics nics_;
  std::vector<double> load_;  // by resource
  Side inside_;
  Side between_;
};

// NCCL reads these as hexadecimal, older versions as decimal unless they begin with 0x.
std::string number(std::uint32_t dev) {
  return dev < 10 ? std::to_string(dev) : fmt::format("{:#x}", dev);
}

std::string channel_xml(const std::vector<int>& order, const RankBoxes& boxes,
                        std::span<const NodeId> ranks, std::string_view in, std::string_view out) {
  std::string text = "    <channel>\n" + std::string(in);
  for (const int rank : std::span(order).first(static_cast<std::size_t>(boxes.size))) {
    const std::string dev = number(boxes.places[ranks[static_cast<std::size_t>(rank)]].number);
    text += boxes.count == 1 ? fmt::format("      <gpu dev=\"{}\" rank=\"{}\"/>\n", dev, rank)
                             : fmt::format("      <gpu dev=\"{}\"/>\n", dev);
  }
  return text + std::string(out) + "    </channel>\n";
}

std::string net_xml(std::uint32_t dev) {
  return fmt::format("      <net dev=\"{}\"/>\n", number(dev));
}

int channels_of(std::span<const Ring> rings, std::size_t ranks) {
  int channels = 0;
  for (const Ring& ring : rings) channels += ring.multiplicity;
  if (ranks < 2) throw InputError("a single rank has no ring", "choose two ranks at least");
  if (channels > kMostChannels)
    throw InputError(
        fmt::format("the rings need {} channels, but NCCL has {}", channels, kMostChannels),
        "give fewer rings");
  return channels;
}

}  // namespace

std::string nccl_graph_xml(const Topology& topology, std::span<const NodeId> ranks,
                           std::span<const Ring> rings) {
  const int count = channels_of(rings, ranks.size());
  const RankBoxes boxes = rank_boxes(topology, ranks);
  std::vector<NcclChannel> channels;
  for (const Ring& ring : rings) channels.push_back(nccl_channel(ring, boxes));
  const bool crossed = are_crossed(channels, boxes);
  Hops hops(topology, ranks, boxes);
  std::string text;
  for (std::uint32_t i = 0; i < channels.size(); ++i) {
    const std::vector<int>& order = channels[i].order;
    hops.add(channels[i], i);
    std::string in;
    std::string out;
    if (boxes.count > 1) {
      in = net_xml(hops.net(channels[i], order.back(), order.front(), i, true));
      const auto last = static_cast<std::size_t>(boxes.size) - 1;
      out = net_xml(hops.net(channels[i], order[last], order[last + 1], i, false));
    }
    for (int times = 0; times < rings[i].multiplicity; ++times)
      text += channel_xml(order, boxes, ranks, in, out);
  }
  return fmt::format(
      "<graphs version=\"1\">\n"
      "  <graph id=\"0\" pattern=\"4\" crossnic=\"{}\" nchannels=\"{}\" speedintra=\"{:.4g}\" "
      "speedinter=\"{:.4g}\" latencyinter=\"0\" typeintra=\"{}\" typeinter=\"{}\" "
      "samechannels=\"{}\">\n{}  </graph>\n</graphs>\n",
      crossed ? 2 : 0, count, hops.speed_inside() / 1e9, hops.speed_between() / 1e9,
      to_string(hops.type_inside()), to_string(hops.type_between()), rings.size() == 1 ? 1 : 0,
      text);
}

}  // namespace syncsim
