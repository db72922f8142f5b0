#pragma once
// Oversees one pass of an emission. It asks whether there is room for what is announced, for ops
// that go beyond that, and for what the buffers are cut into; and it asks the watch every few
// thousand steps. Steps are also what emits no op: scopes, cuts, and the ops that a stale pass
// drops, which count as if they were emitted.

#include <cstdint>

#include "sim/schedule/buffers.h"
#include "sim/schedule/size.h"

namespace syncsim {

class Overseer {
 public:
  // Keeps a reference. Both throw what the oversight's functions do, and Interrupted.
  Overseer(Oversight oversight, Buffers& buffers, std::uint64_t ranks);

  // So many ops are there, or dropped, and these follow.
  void announce(std::uint64_t ops, const Expected& following);
  // So many ops are there: called every few thousand.
  void at(std::uint64_t ops);
  // A buffer was added.
  void buffer_added() { need_room(expected_.ops); }

  // So many steps that emit nothing.
  void step(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ >= next_look_) look();
  }
  void drop_op() {
    ++dropped_;
    step();
  }
  std::uint64_t dropped() const { return dropped_; }

 private:
  void look();
  bool many_more_chunks() const;
  void need_room_beyond(std::uint64_t ops);
  void need_room(std::uint64_t ops);
  void ask_watch() const;

  const Oversight oversight_;
  Buffers& buffers_;
  ScheduleSize expected_;  // of the whole schedule, by what was announced so far
  std::uint64_t ops_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace syncsim
