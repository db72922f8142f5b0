#pragma once
// One numbering over the chunks of all buffers, and the names that the checker's messages use.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/check.h"
#include "sim/schedule/schedule.h"

namespace syncsim::checking {

using ChunkId = std::uint32_t;  // buffers in order, each one's chunks in order

// A chunk at one participant: the unit that ops read and write.
struct Cell {
  ParticipantId participant;
  ChunkId chunk;
};

class ChunkIds {
 public:
  explicit ChunkIds(const Schedule& schedule);

  std::uint32_t count() const { return first_.back(); }
  ChunkId id(std::uint8_t buffer, std::uint32_t chunk) const { return first_[buffer] + chunk; }
  std::uint8_t buffer(ChunkId id) const;
  std::uint32_t chunk(ChunkId id) const { return id - first_[buffer(id)]; }
  bool has_bytes(ChunkId id) const;
  bool relaxed(ChunkId id) const { return schedule_.buffers[buffer(id)].relaxed; }

  const Schedule& schedule() const { return schedule_; }
  std::string name(ChunkId id) const;  // "data chunk 3"
  std::string name(Cell cell) const;   // "data chunk 3 at rank 1 (gpu1)"
  Violation violation(Violation::Kind kind, std::string message, Cell cell, OpId op = kNone) const;

 private:
  const Schedule& schedule_;
  std::vector<ChunkId> first_;  // of each buffer; then the number of chunks
};

// "rank 1 (gpu1)" or "helper 8 (cpu0)".
std::string name_of(const Schedule& schedule, ParticipantId participant);

}  // namespace syncsim::checking
