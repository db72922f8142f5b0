#pragma once
// What an op waits for, from the chunks that it reads and writes. A cell is one chunk at one
// participant; it keeps
//   writers  the current group: one copy, or reduces that commute
//   readers  of what the group wrote
//   base     what each reduce of an open group waits for
// An op that reads waits for the writers. One that overwrites waits for the readers, or else (no
// one has read) for the writers. A reduce joins an open group that no one has read and waits for
// its base; else it begins a group whose base is what an overwriting op would wait for. When the
// k-th op waits for a set of F ops and F x k exceeds F + k, a join after the set is put before it,
// and from then on one edge from the join stands for the set.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/schedule/chunk_table.h"
#include "sim/schedule/op_log.h"
#include "sim/schedule/op_sets.h"

namespace syncsim {

class DependencyTracker {
 public:
  // Chunks of a buffer at a participant; at least one.
  struct Access {
    ParticipantId participant;
    std::uint8_t buffer;
    ChunkRange chunks;
  };

  // Joins go to the end of `log`.
  explicit DependencyTracker(OpLog& log) : log_(log) {}

  // Before the first access to the buffer.
  void set_chunks(std::uint8_t buffer, std::uint32_t chunks);

  // Appends to `waits` what the next op waits for.
  void before_read(const Access& access, std::vector<OpId>& waits);
  void before_copy(const Access& access, std::vector<OpId>& waits);
  void before_reduce(const Access& access, std::vector<OpId>& waits);

  // The op is in the log.
  void after_read(const Access& access, OpId op);
  void after_copy(const Access& access, OpId op);
  void after_reduce(const Access& access, OpId op);

 private:
  static constexpr OpSet kClosed = kNeverASet;  // a base: the group is a copy, or there is none
  struct Cell {
    OpSet writers = kNoOps;
    OpSet readers = kNoOps;
    OpSet base = kClosed;

    bool open() const { return base != kClosed && readers == kNoOps; }
    OpSet overwritten() const { return readers != kNoOps ? readers : writers; }
  };
  struct BufferCells {
    std::uint32_t chunks = 0;
    std::vector<std::vector<Cell>> of_participant;  // empty until it is accessed
  };

  std::span<Cell> cells(const Access& access);
  template <class Choose>
  void collect(const Access& access, Choose choose, std::vector<OpId>& waits);
  void wait_for(OpSet set, ParticipantId holder, std::vector<OpId>& waits);
  OpId join_of(OpSet set, ParticipantId holder);

  OpLog& log_;
  OpSets sets_;
  std::vector<BufferCells> buffers_;
  std::vector<OpId> members_;  // of the set that a join stands for, reused
};

}  // namespace syncsim
