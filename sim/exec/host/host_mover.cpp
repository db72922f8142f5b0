#include "sim/exec/host/host_mover.h"

#include <cstring>

#include "sim/schedule/op_ends.h"

namespace syncsim {

void HostMover::perform(const Op& op) {
  if (op.access == Access::produces) return produce(op);
  if (!schedule_.moves_data(op)) return;
  const bool alone = op.kind == OpKind::copy && !is_relaxed(op.source_buffer) &&
                     !is_relaxed(op.destination_buffer);
  each_way(schedule_.groups, op, [&](ParticipantId from, ParticipantId to) {
    if (alone) return copy_whole(op, from, to);
    for (std::uint32_t i = 0; i < op.chunk_count; ++i)
      move_chunk(op, {from, op.source_buffer, op.source_chunk + i},
                 {to, op.destination_buffer, op.destination_chunk + i});
  });
}

void HostMover::produce(const Op& op) {
  for (std::uint32_t i = 0; i < op.chunk_count; ++i) {
    const CellPlace cell{op.destination, op.destination_buffer, op.destination_chunk + i};
    data_.produce(cell, memory_.at(cell));
  }
}

std::size_t HostMover::bytes(const CellPlace& cell, std::uint32_t chunks) const {
  const auto& boundaries = schedule_.buffers[cell.buffer].boundaries;
  return static_cast<std::size_t>(boundaries[std::size_t{cell.chunk} + chunks] -
                                  boundaries[cell.chunk]);
}

void HostMover::copy_whole(const Op& op, ParticipantId from, ParticipantId to) {
  const CellPlace source{from, op.source_buffer, op.source_chunk};
  const std::size_t size = bytes(source, op.chunk_count);
  if (size == 0) return;
  std::memmove(memory_.at({to, op.destination_buffer, op.destination_chunk}), memory_.at(source),
               size);
}

void HostMover::move_chunk(const Op& op, const CellPlace& from, const CellPlace& to) {
  const std::size_t size = bytes(from, 1);
  if (size == 0) return;
  std::mutex& written = lock_of(to);
  std::mutex& read = is_relaxed(from.buffer) ? lock_of(from) : written;
  const std::unique_lock first(&read < &written ? read : written);
  std::unique_lock<std::mutex> second;
  if (&read != &written) second = std::unique_lock(&read < &written ? written : read);
  if (op.kind == OpKind::reduce)
    data_.type().add(memory_.at(to), memory_.at(from), size);
  else
    std::memmove(memory_.at(to), memory_.at(from), size);
}

std::mutex& HostMover::lock_of(const CellPlace& cell) {
  constexpr std::uint32_t kSpread = 0x9e3779b1u;
  const std::uint32_t mixed =
      ((cell.participant * kSpread + cell.buffer) * kSpread + cell.chunk) * kSpread;
  return locks_[(mixed >> 16) % locks_.size()];
}

}  // namespace syncsim
