#pragma once
// A collective on a part of a buffer that begins and ends with chunks.

#include <algorithm>

#include "sim/base/error.h"
#include "sim/schedule/builder.h"

namespace syncsim {

inline PlacedCollective place_collective(const Schedule& schedule, const Collective& collective,
                                         const Slice& slice) {
  const std::vector<std::int64_t>& boundaries = schedule.buffers[slice.buffer].boundaries;
  const auto chunk_at = [&](std::int64_t offset) {
    const auto found = std::lower_bound(boundaries.begin(), boundaries.end(), offset);
    require(found != boundaries.end() && *found == offset, "a collective begins with a chunk");
    return static_cast<std::uint32_t>(found - boundaries.begin());
  };
  const std::uint32_t first = chunk_at(slice.begin);
  return {collective, slice.buffer, first, chunk_at(slice.end) - first};
}

}  // namespace syncsim
