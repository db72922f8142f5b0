#include "sim/topology/export/nccl_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "sim/base/error.h"

namespace syncsim {
namespace {

constexpr const char* kOneBox = "choose the ranks of one box";

InputError not_as_nccl() {
  return {"a ring does not pass the boxes in order, each in the same way, as NCCL does", kOneBox};
}

}  // namespace

RankBoxes rank_boxes(const Topology& topology, std::span<const NodeId> ranks) {
  RankBoxes boxes{.places = places_of(topology)};
  std::vector<std::uint32_t> known;  // in the order of their first ranks
  std::unordered_set<std::uint32_t> seen;
  for (const NodeId rank : ranks)
    if (seen.insert(boxes.places[rank].box).second) known.push_back(boxes.places[rank].box);
  boxes.count = static_cast<int>(known.size());
  boxes.size = static_cast<int>(ranks.size() / known.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::size_t box = rank / static_cast<std::size_t>(boxes.size);
    const Place place = boxes.places[ranks[rank]];
    if (box >= known.size() || place.box != known[box])
      throw InputError("the ranks do not fill one box after the other, each with as many", kOneBox);
    const Place first = boxes.places[ranks[rank % static_cast<std::size_t>(boxes.size)]];
    if (place.number != first.number)
      throw InputError(fmt::format("rank {} is another GPU of its box than rank {} of the first",
                                   rank, rank % static_cast<std::size_t>(boxes.size)),
                       kOneBox);
  }
  return boxes;
}

NcclChannel nccl_channel(const Ring& ring, const RankBoxes& boxes) {
  NcclChannel channel{&ring, ring.order};
  std::vector<int>& order = channel.order;
  if (boxes.count == 1) return channel;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] < boxes.size && order[(i + order.size() - 1) % order.size()] >= boxes.size) {
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), order.end());
      break;
    }
  for (int i = 0; i < static_cast<int>(order.size()); ++i)
    if (order[static_cast<std::size_t>(i)] / boxes.size != i / boxes.size) throw not_as_nccl();
  return channel;
}

bool are_crossed(std::span<const NcclChannel> channels, const RankBoxes& boxes) {
  bool alike = true;
  bool crossed = channels.size() % 2 == 0;
  for (std::size_t c = 0; c < channels.size(); ++c)
    for (int box = 1; box < boxes.count; ++box) {
      const std::vector<int> passage = channels[c].passage(box, boxes);
      const bool as_first = passage == channels[c].passage(0, boxes);
      alike = alike && as_first;
      crossed = crossed && channels[c].ring->multiplicity == 1 &&
                (box % 2 == 0 ? as_first : passage == channels[c ^ 1].passage(0, boxes));
    }
  if (!alike && !crossed) throw not_as_nccl();
  return !alike;
}

RingNics NcclChannel::nics(int rank) const {
  if (ring->nics.empty()) return {};
  const auto found = std::find(ring->order.begin(), ring->order.end(), rank);
  return ring->nics[static_cast<std::size_t>(found - ring->order.begin())];
}

std::vector<int> NcclChannel::passage(int box, const RankBoxes& boxes) const {
  const auto begin = order.begin() + std::ptrdiff_t{box} * boxes.size;
  std::vector<int> result(begin, begin + boxes.size);
  for (int& rank : result) rank -= box * boxes.size;
  return result;
}

}  // namespace syncsim
