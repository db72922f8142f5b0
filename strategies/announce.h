#pragma once
// Announces ops by how many chunks they move all together.

#include <algorithm>
#include <cstdint>

#include "sim/schedule/builder.h"

namespace syncsim::strategy {

inline void announce(ScheduleBuilder& builder, std::uint64_t ops, std::uint64_t lanes,
                     std::uint64_t moves) {
  const std::uint64_t each = moves / std::max<std::uint64_t>(ops, 1) + 1;
  builder.expect({.ops = ops, .lanes = lanes, .chunks_an_op = each});
}

}  // namespace syncsim::strategy
