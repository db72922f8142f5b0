#pragma once
// The thread blocks of one GPU: its lanes to others, its lanes from others, and its own ops, each
// as a list of steps in order. A lane out and a lane in of one channel share a block where that
// costs nothing: what is received comes right before the first send that waits for it, so that no
// send waits for more than it did. A receive followed by the send of what it brought is one step.

#include <cstdint>
#include <vector>

#include "sim/schedule/msccl/algorithm.h"
#include "sim/schedule/schedule.h"

namespace syncsim::msccl {

// One end of an op: what the GPU does of it.
struct End {
  enum class Kind : std::uint8_t { send, receive, local };
  OpId op = 0;
  Kind kind = Kind::local;
  friend auto operator<=>(const End&, const End&) = default;
};

struct EndList {
  std::int32_t send = -1;
  std::int32_t receive = -1;
  std::uint16_t channel = 0;
  std::vector<End> ends;
};

// By GPU. `before[op]`: what the op waits for, joins dissolved. Without `merging` no two lanes
// share a block: then no step can wait for a later one, whatever the schedule.
std::vector<std::vector<EndList>> thread_blocks(const Schedule& schedule,
                                                const std::vector<std::vector<OpId>>& before,
                                                bool merging);

}  // namespace syncsim::msccl
