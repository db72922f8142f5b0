// Ring synchronization (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69(2), 2009; the rings of
// Dive into Deep Learning, "Parameter Servers"). Every chunk travels around a ring: n-1 hops on
// which it is added up, n-1 hops on which the sum is handed on. With a chunk a rank all links are
// always busy: 2 (n-1)/n M / B. With one chunk only one link is: 2 (n-1) M / B.
//   allreduce       chunk c starts at position c mod n, is added up, then handed on
//   reduce-scatter  rank r's part starts after r, so that it is complete at r
//   all-gather      rank r's part starts at r
//   reduce, broadcast: the chunks start after the root, or at it, one behind the other
// Several rings share the data in proportion to their multiplicities, each on its own channel.

#include <algorithm>

#include "strategies/ring_orders.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostRingChunks = 1'000'000;

// A chunk and the position on the ring where it starts.
struct Traveller {
  Slice slice;
  int start = 0;
};

// One ring's share of the data and how it travels.
struct Lap {
  ScheduleBuilder& builder;
  const Ring& ring;
  std::uint16_t channel;
  std::vector<Traveller> chunks;
  int ranks = builder.ranks();

  ParticipantId at(int position) const {
    return static_cast<ParticipantId>(ring.order[static_cast<std::size_t>(position % ranks)]);
  }

  // Hop by hop, all chunks one position further: the chunks' `first`th to (first + n - 2)th hops.
  template <class Send>
  void travel(int first, Send&& send) const {
    for (int hop = first; hop < first + ranks - 1; ++hop)
      for (const Traveller& chunk : chunks)
        send(at(chunk.start + hop), at(chunk.start + hop + 1), chunk.slice);
  }
  void add_up(std::string_view phase) const {
    builder.phase(phase);
    travel(0, [&](ParticipantId from, ParticipantId to, const Slice& slice) {
      builder.reduce(from, to, slice, channel);
    });
  }
  void hand_on(std::string_view phase, int first) const {
    builder.phase(phase);
    travel(first, [&](ParticipantId from, ParticipantId to, const Slice& slice) {
      builder.copy(from, to, slice, channel);
    });
  }
};

int position_of(const Ring& ring, int rank) {
  const auto found = std::find(ring.order.begin(), ring.order.end(), rank);
  return static_cast<int>(found - ring.order.begin());
}

// Reduce-scatter and all-gather: every rank's part, cut into `pieces`, starts `shift` after it.
std::vector<Traveller> parts(ScheduleBuilder& builder, const Ring& ring, std::size_t share,
                             const std::vector<int>& shares, int shift, int pieces) {
  std::vector<Traveller> result;
  for (int rank = 0; rank < builder.ranks(); ++rank) {
    const Slice mine = builder.split(builder.part(rank), shares)[share];
    for (const Slice& piece : builder.split(mine, pieces))
      result.push_back({piece, position_of(ring, rank) + shift});
  }
  return result;
}

std::vector<Traveller> travellers(ScheduleBuilder& builder, const Ring& ring, std::size_t share,
                                  const std::vector<int>& shares, int chunks) {
  const CollectiveKind kind = builder.collective().kind;
  const int pieces_a_part = std::max(1, chunks / builder.ranks());
  if (kind == CollectiveKind::reduce_scatter)
    return parts(builder, ring, share, shares, 1, pieces_a_part);
  if (kind == CollectiveKind::all_gather)
    return parts(builder, ring, share, shares, 0, pieces_a_part);
  const int root = position_of(ring, builder.collective().root);
  std::vector<Traveller> result;
  for (const Slice& slice : builder.split(builder.split(builder.data(), shares)[share], chunks)) {
    const int turn = static_cast<int>(result.size()) % builder.ranks();
    const int start = sums_everywhere(kind)            ? turn
                      : kind == CollectiveKind::reduce ? root + 1
                                                       : root;
    result.push_back({slice, start});
  }
  return result;
}

// All laps' ops, before the first of them.
void announce(ScheduleBuilder& builder, const std::vector<Lap>& laps) {
  const auto ranks = static_cast<std::size_t>(builder.ranks());
  const std::size_t times = sums_everywhere(builder.collective().kind) ? 2 : 1;
  std::size_t chunks = 0;
  for (const Lap& lap : laps) chunks += lap.chunks.size();
  builder.expect({.ops = times * (ranks - 1) * chunks, .lanes = ranks * laps.size()});
}

void emit_lap(const Lap& lap) {
  const int hops = lap.ranks - 1;
  switch (lap.builder.collective().kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::barrier:
      lap.add_up("reduce-scatter");
      lap.hand_on("all-gather", hops);
      return;
    case CollectiveKind::reduce:
      return lap.add_up("reduce");
    case CollectiveKind::broadcast:
      return lap.hand_on("broadcast", 0);
    case CollectiveKind::reduce_scatter:
      return lap.add_up("reduce-scatter");
    case CollectiveKind::all_gather:
      return lap.hand_on("all-gather", 0);
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::send_recv:
      return;  // not in the registry's row
  }
}

}  // namespace

void emit_ring(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<Ring> rings = chosen_rings(input);
  builder.note(description(rings, input));
  const int chunks = input.parameters.text("chunks") == "auto"
                         ? builder.ranks()
                         : static_cast<int>(input.parameters.integer("chunks", 1, kMostRingChunks));
  std::vector<int> shares;
  for (const Ring& ring : rings) shares.push_back(ring.multiplicity);
  std::vector<Lap> laps;
  for (std::size_t i = 0; i < rings.size(); ++i)
    laps.push_back({builder, rings[i], static_cast<std::uint16_t>(i),
                    travellers(builder, rings[i], i, shares, chunks)});
  give_nics(rings, input, builder);
  announce(builder, laps);
  for (const Lap& lap : laps) emit_lap(lap);
}

}  // namespace syncsim::strategy
