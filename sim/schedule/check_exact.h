#pragma once
// What every cell holds in the end, with the set of its contributing ranks kept as bits: O(steps x
// ranks / 64) for a column, and cells x ranks / 8 bytes.
// Where a relaxed buffer takes part, a holder that read from it may hold any part of the sum, as
// long as each contribution reached the relaxed buffer once: a relaxed cell ends with all of them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/schedule/check_columns.h"

namespace syncsim::checking {

class ExactCheck {
 public:
  ExactCheck(const ChunkIds& ids, const Roles& roles);

  std::optional<Violation> run(const Column& column);

 private:
  using Word = std::uint64_t;

  Word* set(std::uint32_t cell) { return words_.data() + cell * width_; }
  bool empty(std::uint32_t cell) const { return origins_[cell] == kNone; }
  bool holds(std::uint32_t cell, const Column::Goal& goal);
  void fill(Word* set, RankSet ranks) const;
  void start(const Column& column);
  void pass_on_staleness(const Column& column, const Column::Step& step);
  void copy(const Column::Step& step);
  std::optional<Violation> reduce(const Column& column, const Column::Step& step);
  std::string told(const Column& column, const Column::Step& step) const;
  Violation doubled(const Column& column, const Column::Step& step);
  std::optional<Violation> finish(const Column& column, const Column::Goal& goal);
  bool applied_once(const Column& column, const Column::Goal& goal);
  Violation wrong(const Column::Goal& goal, std::uint32_t rank);

  const ChunkIds& ids_;
  const Roles& roles_;
  std::size_t width_;             // words of a set
  std::vector<Word> words_;       // by cell
  std::vector<ChunkId> origins_;  // by cell: the chunk whose data it holds; kNone: empty
  std::vector<bool> stale_;       // by cell: its value came through a relaxed buffer
  std::vector<Word> expected_;    // of the goal at hand
};

}  // namespace syncsim::checking
