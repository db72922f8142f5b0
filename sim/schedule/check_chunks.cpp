#include "sim/schedule/check_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace syncsim::checking {

ChunkIds::ChunkIds(const Schedule& schedule) : schedule_(schedule), first_{0} {
  for (const Buffer& buffer : schedule.buffers) first_.push_back(first_.back() + buffer.chunks());
}

std::uint8_t ChunkIds::buffer(ChunkId id) const {
  // Equal firsts belong to buffers without chunks: the last of them holds the id.
  const auto after = std::upper_bound(first_.begin(), first_.end(), id);
  return static_cast<std::uint8_t>(after - first_.begin() - 1);
}

bool ChunkIds::has_bytes(ChunkId id) const {
  const auto& boundaries = schedule_.buffers[buffer(id)].boundaries;
  return boundaries[chunk(id)] < boundaries[chunk(id) + 1];
}

std::string ChunkIds::name(ChunkId id) const {
  return fmt::format("{} chunk {}", schedule_.buffers[buffer(id)].name, chunk(id));
}

std::string ChunkIds::name(Cell cell) const {
  return fmt::format("{} at {}", name(cell.chunk), name_of(schedule_, cell.participant));
}

Violation ChunkIds::violation(Violation::Kind kind, std::string message, Cell cell, OpId op) const {
  return {kind, std::move(message), cell.participant, chunk(cell.chunk), op};
}

std::string name_of(const Schedule& schedule, ParticipantId participant) {
  return fmt::format("{} {} ({})", participant < schedule.ranks ? "rank" : "helper", participant,
                     schedule.participants[participant]);
}

}  // namespace syncsim::checking
