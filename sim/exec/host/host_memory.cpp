#include "sim/exec/host/host_memory.h"

#include <algorithm>
#include <utility>

namespace syncsim {

HostMemory::HostMemory(const Schedule& schedule, const RunData& data, BufferExtents extents)
    : schedule_(schedule), data_(data), extents_(std::move(extents)), memory_(extents_.total()) {}

void HostMemory::reset() {
  for (ParticipantId participant = 0; participant < schedule_.participants.size(); ++participant)
    for (std::size_t buffer = 0; buffer < schedule_.buffers.size(); ++buffer) {
      const auto index = static_cast<std::uint8_t>(buffer);
      const BufferExtents::Extent& extent = extents_.of(participant, index);
      const auto& boundaries = schedule_.buffers[buffer].boundaries;
      const auto first = std::upper_bound(boundaries.begin(), boundaries.end(), extent.begin) - 1;
      for (auto chunk = static_cast<std::uint32_t>(first - boundaries.begin());
           chunk < schedule_.buffers[buffer].chunks() && boundaries[chunk] < extent.end; ++chunk) {
        const CellPlace cell{participant, index, chunk};
        data_.begin(cell, at(cell));
      }
    }
}

}  // namespace syncsim
