#pragma once
// Columns: chunks that ops link, directly or not. What happens in one column cannot touch another,
// so the checker sweeps them one by one and keeps state for one only.

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/schedule/check_chunks.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/check_roles.h"

namespace syncsim::checking {

// One chunk of a copy or reduce: the offset-th from the op's first.
struct Transfer {
  OpId op;
  std::uint32_t offset;
};

// Items in groups numbered from 0, each group's in the order in which they came.
template <class Item>
class Grouped {
 public:
  Grouped() = default;
  // Room for `sizes[g]` items in group g; as many are put in afterwards.
  explicit Grouped(std::span<const std::size_t> sizes) : next_(sizes.size()) {
    std::exclusive_scan(sizes.begin(), sizes.end(), next_.begin(), std::size_t{0});
    begin_ = next_;
    begin_.push_back(sizes.empty() ? 0 : begin_.back() + sizes.back());
    items_.resize(begin_.back());
  }
  void put(std::uint32_t group, const Item& item) { items_[next_[group]++] = item; }

  std::size_t size() const { return items_.size(); }
  std::span<const Item> operator[](std::uint32_t group) const {
    return std::span(items_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> next_;  // where the group's next item goes
  LargeVector<Item> items_;
};

class Columns {
 public:
  // The third walk over the ops that `pace` counts.
  Columns(const ChunkIds& ids, const Order& order, Pace& pace);

  // Numbered by their lowest chunks.
  std::uint32_t count() const { return count_; }
  std::span<const ChunkId> chunks(std::uint32_t column) const { return chunks_[column]; }
  std::size_t transfer_count() const { return transfers_.size(); }
  // In dependency order. Chunks of no bytes are left out: there is nothing to read or write.
  std::span<const Transfer> transfers(std::uint32_t column) const { return transfers_[column]; }

 private:
  void sort_transfers(const ChunkIds& ids, const Order& order, Pace& pace);

  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> column_of_;  // by chunk; kNone: of no bytes
  Grouped<ChunkId> chunks_;
  Grouped<Transfer> transfers_;
};

// A column laid out for sweeping: cells get consecutive numbers, and a transfer of a group is a
// step for each member.
class Column {
 public:
  struct Step {
    OpId op;
    std::uint32_t source;  // cells
    std::uint32_t destination;
    OpKind kind;               // copy or reduce; compute: accesses one cell, both ends
    std::array<OpId, 3> next;  // where its first edges lead; kNone where there are fewer

    bool leads_to(OpId later) const {
      return next[0] == later || next[1] == later || next[2] == later;
    }
  };
  // A chunk of a collective; rank r's cell is first_cell + r.
  struct Goal {
    ChunkId chunk;
    std::uint32_t first_cell;
    Role role;
  };

  Column(const ChunkIds& ids, const Roles& roles);
  // Replaces what it held.
  void load(const Columns& columns, std::uint32_t column);

  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Goal>& goals() const { return goals_; }
  bool relaxed(std::uint32_t cell) const {
    return relaxed_chunks_ && ids_.relaxed(cells_[cell].chunk);
  }
  // Whether some chunk of the column is in a relaxed buffer.
  bool has_relaxed() const { return relaxed_chunks_; }

 private:
  void add_goal(ChunkId chunk);
  void add_steps(std::span<const Transfer> transfers);
  void add_step(const Transfer& transfer, ParticipantId source, ParticipantId destination);
  std::uint32_t cell(ParticipantId participant, ChunkId chunk) {
    const bool of_goal = first_cells_[chunk] != kNone && participant < ids_.schedule().ranks;
    return of_goal ? first_cells_[chunk] + participant : other_cell(participant, chunk);
  }
  std::uint32_t other_cell(ParticipantId participant, ChunkId chunk);

  const ChunkIds& ids_;
  const Roles& roles_;
  std::vector<Cell> cells_;
  std::vector<Step> steps_;
  std::vector<Goal> goals_;
  bool relaxed_chunks_ = false;
  std::vector<std::uint32_t> first_cells_;  // by chunk, of goals
  std::unordered_map<std::uint64_t, std::uint32_t> other_cells_;
};

}  // namespace syncsim::checking
