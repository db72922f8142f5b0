#pragma once
// Textbook algorithms for every collective, written by hand: n ranks, n parts of one byte.

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tests/support/schedules.h"

namespace syncsim::testing {

inline constexpr std::array kEveryCollective{
    CollectiveKind::allreduce, CollectiveKind::reduce, CollectiveKind::broadcast,
    CollectiveKind::reduce_scatter, CollectiveKind::all_gather};

// `rank` modulo `ranks`.
inline std::uint32_t around(int rank, int ranks) {
  return static_cast<std::uint32_t>((rank % ranks + ranks) % ranks);
}

inline bool is_among(int one, std::uint32_t rank) {
  return one == Collective::kEveryRank || one == static_cast<int>(rank);
}
inline bool contributes(const Collective& of, std::uint32_t rank, std::uint32_t part) {
  return is_among(of.contributor(part), rank);
}
inline bool must_hold(const Collective& of, std::uint32_t rank, std::uint32_t part) {
  return is_among(of.holder(part), rank);
}

inline HandMade in_parts(CollectiveKind kind, int ranks, int root) {
  return {collective_of(kind, ranks, ranks, root), static_cast<std::uint32_t>(ranks)};
}

// Every part goes from rank to rank, from `first` (a function of the part) on.
inline void ring_pass(HandMade& made, OpKind kind, int ranks,
                      const std::function<int(int)>& first) {
  for (int step = 0; step < ranks - 1; ++step)
    for (int part = 0; part < ranks; ++part) {
      const std::uint32_t chunk = around(part, ranks);
      const int at = first(part) + step;
      made.add(kind, around(at, ranks), {0, chunk}, around(at + 1, ranks), {0, chunk});
    }
}

inline HandMade ring(CollectiveKind kind, int ranks, int root) {
  HandMade made = in_parts(kind, ranks, root);
  const bool sums = row(kind).contributors == Who::all;
  const bool spreads = row(kind).holders == Who::all;
  const bool rooted = kind == CollectiveKind::reduce || kind == CollectiveKind::broadcast;
  const auto home = [=](int part) { return rooted ? root : part; };
  if (sums) ring_pass(made, OpKind::reduce, ranks, [=](int part) { return home(part) + 1; });
  if (spreads) ring_pass(made, OpKind::copy, ranks, home);
  made.order_conflicts();
  return made;
}

// What contributes to a part is added up at its hub; those that must hold it copy it from there.
inline HandMade through_hubs(HandMade made,
                             const std::function<ParticipantId(std::uint32_t)>& hub) {
  const Collective& collective = made.schedule.collectives.front().collective;
  const std::uint32_t ranks = made.schedule.ranks;
  for (std::uint32_t part = 0; part < ranks; ++part)
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (rank != hub(part) && contributes(collective, rank, part))
        made.reduce(rank, hub(part), part);
  for (std::uint32_t part = 0; part < ranks; ++part)
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (rank != hub(part) && must_hold(collective, rank, part)) made.copy(hub(part), rank, part);
  made.order_conflicts();
  return made;
}

inline HandMade central(CollectiveKind kind, int ranks, int root) {
  HandMade made = in_parts(kind, ranks, root);
  const ParticipantId cpu = made.helper("cpu0");
  return through_hubs(std::move(made), [=](std::uint32_t) { return cpu; });
}

inline HandMade sharded(CollectiveKind kind, int ranks, int root) {
  return through_hubs(in_parts(kind, ranks, root), [](std::uint32_t part) { return part; });
}

// Central, but every rank's data arrives in a place of its own and is added from there.
inline HandMade staged(CollectiveKind kind, int ranks, int root) {
  HandMade made = in_parts(kind, ranks, root);
  const auto n = static_cast<std::uint32_t>(ranks);
  const ParticipantId cpu = made.helper("cpu0");
  const std::uint8_t landing = made.buffer(even_buffer("landing", n * n));
  const Collective collective = made.schedule.collectives.front().collective;
  for (std::uint32_t part = 0; part < n; ++part) {
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      if (!contributes(collective, rank, part)) continue;
      made.add(OpKind::copy, rank, {0, part}, cpu, {landing, rank * n + part});
      made.add(OpKind::reduce, cpu, {landing, rank * n + part}, cpu, {0, part});
    }
    for (std::uint32_t rank = 0; rank < n; ++rank)
      if (must_hold(collective, rank, part)) made.copy(cpu, rank, part);
  }
  made.order_conflicts();
  return made;
}

struct Algorithm {
  std::string_view name;
  HandMade (*make)(CollectiveKind kind, int ranks, int root);
};
inline constexpr std::array<Algorithm, 4> kAlgorithms{
    {{"ring", ring}, {"central", central}, {"sharded", sharded}, {"staged", staged}}};

}  // namespace syncsim::testing
