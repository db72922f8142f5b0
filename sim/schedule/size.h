#pragma once
// How large a schedule will be, known before it is emitted from what its strategy expects; what it
// then takes in memory; and who is asked whether there is room for it.

#include <cstdint>
#include <functional>

#include "sim/base/watch.h"

namespace syncsim {

struct Schedule;

// One bit of an op's number marks what is no single op in OpSets; the highest number is left out.
inline constexpr std::uint64_t kMostOps = 0x7fffffffu;

// Beside ops, what costs memory of its own.
struct ScheduleSize {
  std::uint64_t ranks = 0;
  std::uint64_t ops = 0;
  std::uint64_t edges = 0;
  std::uint64_t lanes = 0;   // (source, destination, channel)s
  std::uint64_t chunks = 0;  // of all buffers
  std::uint64_t moves = 0;   // chunks that all ops move together
};

// What a strategy announces of the ops that follow.
struct Expected {
  std::uint64_t ops = 0;
  std::uint64_t lanes = 0;  // among them; 0: not known, as many as there can be
  std::uint64_t chunks_an_op = 1;
};

// The schedule itself: 32 bytes an op, 4 an edge.
std::uint64_t schedule_bytes(const ScheduleSize& size);
// While it is emitted, all told, at its peak: also every op's waits, and for every rank and chunk
// what depends on it.
std::uint64_t emission_bytes(const ScheduleSize& size);
// What check() takes beside the schedule: transfers by column, and one column laid out, for exact
// proofs with a bit for every two ranks.
std::uint64_t check_bytes(const ScheduleSize& size);

// Of a schedule that is there; without its lanes, which would have to be looked for.
ScheduleSize size_of(const Schedule& schedule);

// Looks after a schedule while it is emitted.
struct Oversight {
  Watch* watch = nullptr;
  // Throws where there is no room for a schedule of this size. Called before the first op of what a
  // strategy expects, and again when it emits more.
  std::function<void(const ScheduleSize&)> require_room = {};
};

}  // namespace syncsim
