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
#include <memory>
#include <span>
#include <vector>

#include "sim/schedule/chunk_table.h"
#include "sim/schedule/op_log.h"
#include "sim/schedule/op_sets.h"

namespace syncsim {

class DependencyTracker {
 public:
  static constexpr OpSet kClosed = kNeverASet;  // a base: the group is a copy, or there is none
  struct Cell {
    OpSet writers = kNoOps;
    OpSet readers = kNoOps;
    OpSet base = kClosed;

    bool open() const { return base != kClosed && readers == kNoOps; }
    OpSet overwritten() const { return readers != kNoOps ? readers : writers; }
  };
  // The cells of chunks, at least one, of a buffer at a participant.
  struct Access {
    ParticipantId participant;
    std::span<Cell> cells;
  };

  // Joins go to the end of `log`.
  explicit DependencyTracker(OpLog& log) : log_(log) {}

  // Before the first access to the buffer.
  void set_chunks(std::uint8_t buffer, std::uint32_t chunks);
  Access cells(ParticipantId participant, std::uint8_t buffer, ChunkRange chunks) {
    BufferCells& all = buffers_[buffer];
    const bool known =
        participant < all.of_participant.size() && all.of_participant[participant] != nullptr;
    if (!known) add_cells(all, participant);
    return {participant, {all.of_participant[participant].get() + chunks.first, chunks.count}};
  }
  // Append to `waits` what a copy or reduce, the next op of the log, waits for because of a part of
  // what it reads or writes.
  void before_read(const Access& read, std::vector<OpId>& waits) {
    collect(read, waits, [](const Cell& cell) { return cell.writers; });
  }
  void before_write(OpKind kind, const Access& written, std::vector<OpId>& waits);
  // It is in the log, as `id`.
  void after_read(const Access& read, OpId id) {
    OpSets::Grower readers(sets_, id);
    for (Cell& cell : read.cells) cell.readers = readers.grown(cell.readers);
  }
  void after_write(OpKind kind, const Access& written, OpId id);

 private:
  struct BufferCells {
    std::uint32_t chunks = 0;
    std::vector<std::unique_ptr<Cell[]>> of_participant;  // none until it is accessed
  };

  static void add_cells(BufferCells& buffer, ParticipantId participant);
  template <class Choose>
  void collect(const Access& access, std::vector<OpId>& waits, Choose choose) {
    OpSet last = kNoOps;
    for (const Cell& cell : access.cells) {
      const OpSet set = choose(cell);
      if (set == last) continue;
      last = set;
      if (OpSets::is_single(set))
        waits.push_back(set);
      else if (set != kNoOps)
        wait_for_many(set, access.participant, waits);
    }
  }
  void wait_for_many(OpSet set, ParticipantId holder, std::vector<OpId>& waits);
  OpId join_of(OpSet set, ParticipantId holder);
  void add_reduce(std::span<Cell> cells, OpId op);

  OpLog& log_;
  OpSets sets_;
  std::vector<BufferCells> buffers_;
  std::vector<OpId> members_;  // of the set that a join stands for, reused
};

inline void DependencyTracker::before_write(OpKind kind, const Access& written,
                                            std::vector<OpId>& waits) {
  if (kind == OpKind::copy)
    collect(written, waits, [](const Cell& cell) { return cell.overwritten(); });
  else
    collect(written, waits,
            [](const Cell& cell) { return cell.open() ? cell.base : cell.overwritten(); });
}

inline void DependencyTracker::after_write(OpKind kind, const Access& written, OpId id) {
  if (kind == OpKind::copy)
    for (Cell& cell : written.cells) cell = {id, kNoOps, kClosed};
  else
    add_reduce(written.cells, id);
}

inline void DependencyTracker::add_reduce(std::span<Cell> cells, OpId op) {
  OpSets::Grower writers(sets_, op);
  for (Cell& cell : cells) {
    if (cell.open())
      cell.writers = writers.grown(cell.writers);
    else
      cell = {op, kNoOps, cell.overwritten()};
  }
}

}  // namespace syncsim
