#include "sim/exec/host/host_memory.h"

#include <algorithm>
#include <utility>

#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kAlignment = 64;  // a cache line

}  // namespace

HostExtents::HostExtents(const Schedule& schedule, const RunData& data)
    : buffers_(schedule.buffers.size()), extents_(schedule.participants.size() * buffers_) {
  for (const Op& op : schedule.ops) {
    if (schedule.moves_data(op))
      each_way(schedule.groups, op, [&](ParticipantId from, ParticipantId to) {
        include(schedule, {from, op.source_buffer, op.source_chunk}, op.chunk_count);
        include(schedule, {to, op.destination_buffer, op.destination_chunk}, op.chunk_count);
      });
    else if (schedule.accesses_data(op))
      include(schedule, {op.destination, op.destination_buffer, op.destination_chunk},
              op.chunk_count);
  }
  for (const PlacedCollective& placed : schedule.collectives)
    for (ParticipantId rank = 0; rank < schedule.ranks; ++rank)
      for (std::uint32_t i = 0; i < placed.chunk_count; ++i)
        if (const CellPlace cell{rank, placed.buffer, placed.first_chunk + i}; data.matters(cell))
          include(schedule, cell, 1);
  for (Extent& extent : extents_) {
    extent.at = total_;
    total_ += static_cast<std::uint64_t>(extent.end - extent.begin);
    total_ = (total_ + kAlignment - 1) / kAlignment * kAlignment;
  }
}

void HostExtents::include(const Schedule& schedule, const CellPlace& first, std::uint32_t chunks) {
  const auto& boundaries = schedule.buffers[first.buffer].boundaries;
  const std::int64_t begin = boundaries[first.chunk];
  const std::int64_t end = boundaries[std::size_t{first.chunk} + chunks];
  if (begin == end) return;
  Extent& extent = extents_[std::size_t{first.participant} * buffers_ + first.buffer];
  const bool empty = extent.begin == extent.end;
  extent.begin = empty ? begin : std::min(extent.begin, begin);
  extent.end = std::max(extent.end, end);
}

HostMemory::HostMemory(const Schedule& schedule, const RunData& data, HostExtents extents)
    : schedule_(schedule), data_(data), extents_(std::move(extents)), memory_(extents_.total()) {}

void HostMemory::reset() {
  for (ParticipantId participant = 0; participant < schedule_.participants.size(); ++participant)
    for (std::size_t buffer = 0; buffer < schedule_.buffers.size(); ++buffer) {
      const auto index = static_cast<std::uint8_t>(buffer);
      const HostExtents::Extent& extent = extents_.of(participant, index);
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
