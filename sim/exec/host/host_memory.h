#pragma once
// The participants' buffers in host memory: of each what a run needs (buffer_extents.h), all in one
// piece.

#include <cstddef>
#include <cstdint>

#include "sim/base/large_vector.h"
#include "sim/exec/real/buffer_extents.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

class HostMemory {
 public:
  // Keeps references.
  HostMemory(const Schedule& schedule, const RunData& data, BufferExtents extents);

  std::byte* at(const CellPlace& cell) {
    const BufferExtents::Extent& extent = extents_.of(cell.participant, cell.buffer);
    const std::int64_t offset = schedule_.buffers[cell.buffer].boundaries[cell.chunk];
    return memory_.data() + extent.at + (offset - extent.begin);
  }
  std::byte* data() { return memory_.data(); }
  // As a run begins.
  void reset();

 private:
  const Schedule& schedule_;
  const RunData& data_;
  BufferExtents extents_;
  LargeVector<std::byte> memory_;
};

}  // namespace syncsim
