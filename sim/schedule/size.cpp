#include "sim/schedule/size.h"

#include "sim/base/memory.h"
#include "sim/schedule/check.h"
#include "sim/schedule/schedule.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kBytesAnEdge = sizeof(OpId);

// One column at a time: its steps, and the history and value of its cells.
std::uint64_t column_bytes(const ScheduleSize& size) {
  constexpr std::uint64_t kStep = 28;
  constexpr std::uint64_t kStepInSets = 12;
  constexpr std::uint64_t kCell = 88;
  constexpr std::uint64_t kRanksAByte = 8;
  const std::uint64_t steps = size.chunks == 0 ? 0 : size.moves / size.chunks;
  const bool exact = size.ranks <= kMostRanksExactly;
  const std::uint64_t bits = exact ? size.ranks * size.ranks / kRanksAByte : 0;
  return capped_product(steps, kStep + kStepInSets) + capped_product(size.ranks, kCell) + bits;
}

}  // namespace

std::uint64_t schedule_bytes(const ScheduleSize& size) {
  return capped_product(size.ops, sizeof(Op)) + capped_product(size.edges, kBytesAnEdge) +
         capped_product(size.chunks, sizeof(std::int64_t));
}

std::uint64_t emission_bytes(const ScheduleSize& size) {
  constexpr std::uint64_t kInSets = 6;          // of ops that write or read one chunk: 32 for six
  constexpr std::uint64_t kSuccessorBegin = 4;  // while edges are sorted
  constexpr std::uint64_t kCell = 12;
  return schedule_bytes(size) + capped_product(size.edges, kBytesAnEdge) +
         capped_product(size.ops, kInSets + kSuccessorBegin) +
         capped_product(capped_product(size.ranks, size.chunks), kCell);
}

std::uint64_t check_bytes(const ScheduleSize& size) {
  constexpr std::uint64_t kTransfer = 8;
  constexpr std::uint64_t kChunk = 64;
  return capped_product(size.moves, kTransfer) + capped_product(size.chunks, kChunk) +
         column_bytes(size);
}

ScheduleSize size_of(const Schedule& schedule) {
  ScheduleSize size{.ranks = schedule.ranks,
                    .ops = schedule.ops.size(),
                    .edges = schedule.edges.size(),
                    .moves = schedule.ops.size()};
  for (const Buffer& buffer : schedule.buffers) size.chunks += buffer.chunks();
  return size;
}

}  // namespace syncsim
