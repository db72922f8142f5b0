#pragma once
// What one participant has to do in a schedule: the ops that it takes part in, at one end or both,
// with the edges between them. An op at two participants is a part of both: one sends, the other
// receives.

#include <cstdint>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

enum class Role : std::uint8_t { local, sends, receives };

struct OwnOp {
  OpId op = 0;
  std::uint32_t waits = 0;       // for so many own ops, by edges; of local ones also by their lane
  std::uint32_t successors = 0;  // begin in OwnPart::successors; ends where the next op's begins
  std::uint32_t lane = 0;        // of what it sends or receives
  std::uint32_t next_in_lane = kNone;  // an index into OwnPart::ops
  Role role = Role::local;
};

struct OwnLane {
  ParticipantId peer = 0;
  std::uint16_t channel = 0;
  bool sends = false;
  bool adds = false;            // some op that is received here is a reduce
  std::uint32_t first = 0;      // an index into OwnPart::ops
  std::int64_t most_bytes = 0;  // of an op
};

struct OwnPart {
  // Of a participant that is none, a process to spare: nothing.
  OwnPart(const Schedule& schedule, ParticipantId self);
  static std::uint64_t needed_bytes(const Schedule& schedule, ParticipantId self);

  LargeVector<OwnOp> ops;  // in op order
  LargeVector<std::uint32_t> successors;
  std::vector<OwnLane> lanes;

 private:
  void add(const Schedule& schedule, ParticipantId self);
  void link(const Schedule& schedule);
};

inline bool takes_part(const Op& op, ParticipantId self) {
  return op.source == self || op.destination == self;
}

// Throws InputError for what processes that know of each other's ops by messages alone cannot run:
// groups, relaxed buffers, edges between ops without a common participant; InternalError for ops
// that wait for each other.
void require_messages_will_do(const Schedule& schedule);

}  // namespace syncsim
