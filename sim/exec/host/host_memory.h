#pragma once
// The participants' buffers in host memory: of each only from the first to the last byte that the
// schedule touches there, all in one piece of memory.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

// Which bytes of each participant's buffers there have to be.
class HostExtents {
 public:
  HostExtents(const Schedule& schedule, const RunData& data);

  struct Extent {
    std::int64_t begin = 0;  // in the buffer
    std::int64_t end = 0;
    std::uint64_t at = 0;  // in the memory
  };
  const Extent& of(ParticipantId participant, std::uint8_t buffer) const {
    return extents_[std::size_t{participant} * buffers_ + buffer];
  }
  std::uint64_t total() const { return total_; }

 private:
  void include(const Schedule& schedule, const CellPlace& first, std::uint32_t chunks);

  std::size_t buffers_;
  std::vector<Extent> extents_;
  std::uint64_t total_ = 0;
};

class HostMemory {
 public:
  // Keeps references.
  HostMemory(const Schedule& schedule, const RunData& data, HostExtents extents);

  std::byte* at(const CellPlace& cell) {
    const HostExtents::Extent& extent = extents_.of(cell.participant, cell.buffer);
    const std::int64_t offset = schedule_.buffers[cell.buffer].boundaries[cell.chunk];
    return memory_.data() + extent.at + (offset - extent.begin);
  }
  // As a run begins.
  void reset();

 private:
  const Schedule& schedule_;
  const RunData& data_;
  HostExtents extents_;
  LargeVector<std::byte> memory_;
};

}  // namespace syncsim
