#pragma once
// Races: of two accesses to a cell, one of them a write, one must come first. A copy writes, a
// reduce adds, both read their source; reduces commute. Compute ops read, or change in place, or
// make what nothing has touched before. Cells of relaxed buffers are exempt.
//
// In dependency order a new access is compared only with what it conflicts with last; the rest
// follows, because those were compared with what came before them. A cell keeps
//   writers  the last copy, or the reduces since the last read or copy
//   readers  of what the writers left
//   base     what each of those reduces has to follow: the readers, or else the copy, before them

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/schedule/check_columns.h"
#include "sim/schedule/check_precedence.h"
#include "sim/schedule/op_sets.h"

namespace syncsim::checking {

class RaceCheck {
 public:
  RaceCheck(const ChunkIds& ids, Precedence& precedence, std::uint64_t budget)
      : ids_(ids), precedence_(precedence), budget_(budget) {}

  std::optional<Violation> run(const Column& column);

 private:
  struct Group {
    OpSet steps = kNoOps;   // by their numbers in the column
    OpId follower = kNone;  // an op known to come after all of them, such as a join

    bool empty() const { return steps == kNoOps; }
    void clear() {
      steps = kNoOps;
      follower = kNone;
    }
  };
  struct History {
    Group writers;
    Group readers;
    Group base;
    bool copied = false;  // the writer is a copy

    void begin_reduces();
    bool untouched() const { return writers.empty() && readers.empty() && base.empty(); }
  };
  struct Conflict {
    OpId earlier;
    Precedence::Answer answer;
  };

  using StepId = std::uint32_t;  // in the column at hand

  // These are false on a conflict, which is then noted.
  bool read(History& cell, StepId step);
  bool reduce(History& cell, StepId step);
  bool copy(History& cell, StepId step);
  bool compute(History& cell, StepId step);
  void add(Group& group, StepId step) {
    group.steps = sets_.with(group.steps, step);
    group.follower = kNone;
  }
  bool follows(Group& group, OpId op);
  bool all_before(Group& group, OpId op);
  Violation violation(const Cell& cell, OpId op) const;
  std::string_view access(OpId op, const Cell& cell) const;

  const ChunkIds& ids_;
  Precedence& precedence_;
  std::uint64_t budget_;
  std::span<const Column::Step> steps_;
  std::vector<History> history_;  // by cell
  OpSets sets_;                   // of the column at hand
  std::vector<StepId> members_;   // of the group at hand, reused
  Conflict conflict_{};
};

}  // namespace syncsim::checking
