#include "sim/topology/network_rings.h"

#include <algorithm>
#include <utility>

#include "sim/topology/box_path.h"
#include "sim/topology/boxes.h"
#include "sim/topology/fabric.h"
#include "sim/topology/nic_ports.h"
#include "sim/topology/resources.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRings = 64;

struct Box {
  std::vector<NodeId> nodes;
  std::vector<int> ranks;  // of these nodes
  std::vector<NicPort> ports = {};

  int place(NodeId node) const {
    return static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  }
  // Whether rings leave by another port than they enter by.
  bool alternates() const {
    return nodes.size() > 1 && std::any_of(ports.begin(), ports.end(), [](const NicPort& port) {
             return port.ranks.size() == 1;
           });
  }
};

// A ring's way through a box: places in its ranks.
struct BoxPassage {
  NodeId in = 0;
  std::vector<int> path;
  NodeId out = 0;
};

// Places 0, 1, n-1, 2, n-2, ... turned by `first`, to the one opposite: the n such ways of an even
// number of places pass every pair once each way (Walecki; in E. Lucas, 1892).
std::vector<int> zigzag(int first, int places) {
  std::vector<int> path{first};
  for (int step = 1; step < places; ++step) {
    const int turn = step % 2 == 1 ? (step + 1) / 2 : places - step / 2;
    path.push_back((first + turn) % places);
  }
  return path;
}

// Whether ways through a box can share its links evenly by themselves: all ranks are joined by
// equal direct links, and the c-th has the c-th port alone.
bool is_even_mesh(const Box& box, const BoxPath& paths) {
  const std::size_t ranks = box.nodes.size();
  if (ranks < 4 || ranks % 2 != 0 || box.ports.size() != ranks || !paths.is_even_mesh())
    return false;
  for (std::size_t c = 0; c < ranks; ++c)
    if (box.ports[c].ranks.size() != 1 || box.ports[c].ranks.front() != box.nodes[c]) return false;
  return true;
}

std::vector<Box> boxes_of(const Topology& topology, std::span<const NodeId> ranks) {
  const std::vector<NodeId> machine = machines_of(topology);
  std::vector<Box> boxes;
  for (std::vector<int>& own : ranks_by(ranks, [&](NodeId node) { return machine[node]; })) {
    Box& box = boxes.emplace_back();
    for (const int rank : own) box.nodes.push_back(ranks[static_cast<std::size_t>(rank)]);
    box.ranks = std::move(own);
  }
  return boxes;
}

std::size_t beside(std::size_t c, std::size_t rings) {
  return rings % 2 == 0 ? c ^ 1 : (c + rings - 1) % rings;
}

BoxPassage reversed(BoxPassage passage) {
  std::swap(passage.in, passage.out);
  std::reverse(passage.path.begin(), passage.path.end());
  return passage;
}

// By which ring `c` of `rings` leaves a box that alternates: the port beside, or any other whose
// gpu is not the one that it enters by; null where there is none.
const NicPort* way_out(const Box& box, std::size_t c, std::size_t rings) {
  const NodeId first = box.ports[c].ranks.front();
  const NicPort& next = box.ports[beside(c, rings)];
  if (next.ranks.front() != first) return &next;
  const auto other = std::find_if(box.ports.begin(), box.ports.end(),
                                  [&](const NicPort& port) { return port.ranks.front() != first; });
  return other == box.ports.end() ? nullptr : &*other;
}

// Ring `c` of `rings`.
BoxPassage passage_of(const Box& box, BoxPath& paths, std::size_t c, std::size_t rings) {
  const NicPort& port = box.ports[c];
  const int first = box.place(port.ranks.front());
  if (box.nodes.size() == 1) return {port.nic, {first}, port.nic};
  if (!box.alternates())
    return {port.nic, paths.find(first, box.place(port.ranks.back())), port.nic};
  if (const NicPort* const other = way_out(box, c, rings))
    return {port.nic, paths.find(first, box.place(other->ranks.front())), other->nic};
  return {port.nic, paths.find(first, first == 0 ? 1 : 0), port.nic};
}

class NetworkRings {
 public:
  NetworkRings(const Topology& topology, std::vector<Box> boxes)
      : resources_(topology, Rates::line),
        router_(topology, resources_),
        boxes_(std::move(boxes)),
        places_(places_of(topology)) {
    for (const Box& box : boxes_) rings_ = std::min(rings_, box.ports.size());
    const LinksOut links(topology);
    even_ = std::all_of(boxes_.begin(), boxes_.end(), [&](const Box& box) {
      return box.ports.size() == rings_ &&
             is_even_mesh(box, BoxPath(topology, links, router_, box.nodes));
    });
    for (const Box& box : boxes_) {
      BoxPath paths(topology, links, router_, box.nodes);
      std::vector<BoxPassage>& passages = passages_.emplace_back();
      for (std::size_t c = 0; c < rings_; ++c)
        passages.push_back(even_ ? across(box, c) : passage_of(box, paths, c, rings_));
    }
    names_nics_ = std::any_of(boxes_.begin(), boxes_.end(),
                              [](const Box& box) { return box.ports.size() > 1; });
  }

  std::vector<Ring> all() const {
    std::vector<Ring> result;
    for (std::size_t c = 0; c < rings_; ++c) result.push_back(ring(c));
    return result;
  }

 private:
  Ring ring(std::size_t c) const {
    Ring ring;
    for (std::size_t box = 0; box < boxes_.size(); ++box) {
      const BoxPassage passage = passage_through(box, c);
      const std::size_t begin = ring.order.size();
      for (const int place : passage.path)
        ring.order.push_back(boxes_[box].ranks[static_cast<std::size_t>(place)]);
      ring.nics.resize(ring.order.size());
      ring.nics[begin].in = static_cast<int>(places_[passage.in].number);
      ring.nics.back().out = static_cast<int>(places_[passage.out].number);
    }
    const auto start = std::find(ring.order.begin(), ring.order.end(), 0) - ring.order.begin();
    std::rotate(ring.order.begin(), ring.order.begin() + start, ring.order.end());
    std::rotate(ring.nics.begin(), ring.nics.begin() + start, ring.nics.end());
    if (!names_nics_) ring.nics.clear();
    return ring;
  }
  BoxPassage passage_through(std::size_t box, std::size_t c) const {
    const std::vector<BoxPassage>& passages = passages_[box];
    if (box % 2 == 0 || !boxes_[box].alternates()) return passages[c];
    return rings_ % 2 == 0 ? passages[beside(c, rings_)] : reversed(passages[c]);
  }
  // Rings beside each other begin at opposite places, so that each passes every other box as the
  // other one passes the rest.
  BoxPassage across(const Box& box, std::size_t c) const {
    const std::size_t half = rings_ / 2;
    const std::size_t first = c / 2 + (c % 2 == 0 ? 0 : half);
    return {box.ports[first].nic, zigzag(static_cast<int>(first), static_cast<int>(rings_)),
            box.ports[(first + half) % rings_].nic};
  }

  Resources resources_;
  Router router_;
  std::vector<Box> boxes_;
  std::vector<Place> places_;
  std::vector<std::vector<BoxPassage>> passages_;  // by box, by ring
  std::size_t rings_ = kMostRings;
  bool names_nics_ = false;
  bool even_ = false;  // all boxes are even meshes
};

}  // namespace

std::vector<Ring> rings_by_nics(const Topology& topology, std::span<const NodeId> ranks) {
  std::vector<Box> boxes = boxes_of(topology, ranks);
  if (boxes.size() < 2) return {};
  std::vector<std::vector<NodeId>> nodes;
  for (const Box& box : boxes) nodes.push_back(box.nodes);
  std::vector<std::vector<NicPort>> ports = nic_ports(topology, nodes);
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].ports = std::move(ports[i]);
  return NetworkRings(topology, std::move(boxes)).all();
}

}  // namespace syncsim
