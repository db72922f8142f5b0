#include "sim/exec/real/buffer_extents.h"

#include <algorithm>

#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kAlignment = 64;  // a cache line

}  // namespace

BufferExtents::BufferExtents(const Schedule& schedule, const RunData& data,
                             std::span<const std::uint32_t> places, ParticipantId only)
    : buffers_(schedule.buffers.size()),
      only_(only),
      extents_(schedule.participants.size() * buffers_) {
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
  lay_out(places);
}

void BufferExtents::include(const Schedule& schedule, const CellPlace& first,
                            std::uint32_t chunks) {
  if (only_ != kNone && only_ != first.participant) return;
  const auto& boundaries = schedule.buffers[first.buffer].boundaries;
  const std::int64_t begin = boundaries[first.chunk];
  const std::int64_t end = boundaries[std::size_t{first.chunk} + chunks];
  if (begin == end) return;
  Extent& extent = extents_[std::size_t{first.participant} * buffers_ + first.buffer];
  const bool empty = extent.begin == extent.end;
  extent.begin = empty ? begin : std::min(extent.begin, begin);
  extent.end = std::max(extent.end, end);
}

void BufferExtents::lay_out(std::span<const std::uint32_t> places) {
  const std::uint32_t count =
      places.empty() ? 1 : *std::max_element(places.begin(), places.end()) + 1;
  std::uint64_t total = 0;
  place_begins_.push_back(total);
  for (std::uint32_t place = 0; place < count; ++place) {
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      if (!places.empty() && places[i / buffers_] != place) continue;
      extents_[i].at = total;
      total += static_cast<std::uint64_t>(extents_[i].end - extents_[i].begin);
      total = (total + kAlignment - 1) / kAlignment * kAlignment;
    }
    place_begins_.push_back(total);
  }
}

}  // namespace syncsim
