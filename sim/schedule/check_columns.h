#pragma once
// Columns: chunks that ops link, directly or not. What happens in one column cannot touch another,
// so the checker sweeps them one by one and keeps state for one only.

#include <cstdint>
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
  // `visit(put)` calls put(group, item) for every item. It is called twice, for the same calls.
  template <class Visit>
  Grouped(std::uint32_t groups, Visit&& visit) : begin_(groups + std::size_t{1}) {
    visit([&](std::uint32_t group, const Item&) { ++begin_[group]; });
    std::size_t end = 0;
    for (std::size_t& begin : begin_) begin = end += begin;
    items_.resize(end);
    std::vector<std::size_t> next(begin_.begin(), begin_.end());
    for (std::size_t group = groups; group > 0; --group) next[group] = begin_[group - 1];
    next[0] = 0;
    begin_.assign(next.begin(), next.end());
    visit([&](std::uint32_t group, const Item& item) { items_[next[group]++] = item; });
  }

  std::span<const Item> operator[](std::uint32_t group) const {
    return std::span(items_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Item> items_;
};

class Columns {
 public:
  Columns(const ChunkIds& ids, const Order& order);

  // Numbered by their lowest chunks.
  std::uint32_t count() const { return count_; }
  std::span<const ChunkId> chunks(std::uint32_t column) const { return chunks_[column]; }
  // In dependency order. Chunks of no bytes are left out: there is nothing to read or write.
  std::span<const Transfer> transfers(std::uint32_t column) const { return transfers_[column]; }

 private:
  std::uint32_t count_ = 0;
  Grouped<ChunkId> chunks_;
  Grouped<Transfer> transfers_;
};

// A column laid out for sweeping: cells get consecutive numbers.
class Column {
 public:
  struct Step {
    OpId op;
    std::uint32_t source;  // cells
    std::uint32_t destination;
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
  std::uint32_t cell(ParticipantId participant, ChunkId chunk);

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
