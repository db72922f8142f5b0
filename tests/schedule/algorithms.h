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

inline bool is_one_of(Who who, std::uint32_t rank, std::uint32_t part, const Collective& of) {
  if (who == Who::all) return true;
  return rank == (who == Who::owner ? part : static_cast<std::uint32_t>(of.root));
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
  const CollectiveRow& facts = row(collective.kind);
  const std::uint32_t ranks = made.schedule.ranks;
  for (std::uint32_t part = 0; part < ranks; ++part)
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (rank != hub(part) && is_one_of(facts.contributors, rank, part, collective))
        made.reduce(rank, hub(part), part);
  for (std::uint32_t part = 0; part < ranks; ++part)
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (rank != hub(part) && is_one_of(facts.holders, rank, part, collective))
        made.copy(hub(part), rank, part);
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
      if (!is_one_of(row(kind).contributors, rank, part, collective)) continue;
      made.add(OpKind::copy, rank, {0, part}, cpu, {landing, rank * n + part});
      made.add(OpKind::reduce, cpu, {landing, rank * n + part}, cpu, {0, part});
    }
    for (std::uint32_t rank = 0; rank < n; ++rank)
      if (is_one_of(row(kind).holders, rank, part, collective)) made.copy(cpu, rank, part);
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
