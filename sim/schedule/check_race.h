#pragma once
// Races: of two accesses to a cell, one of them a write, one must come first. A copy writes, a
// reduce adds, both read their source; reduces commute. Cells of relaxed buffers are exempt.
//
// In dependency order a new access is compared only with what it conflicts with last; the rest
// follows, because those were compared with what came before them. A cell keeps
//   writers  the last copy, or the reduces since the last read or copy
//   readers  of what the writers left
//   base     what each of those reduces has to follow: the readers, or else the copy, before them

#include <optional>
#include <string_view>
#include <vector>

#include "sim/schedule/check_columns.h"
#include "sim/schedule/check_precedence.h"

namespace syncsim::checking {

class RaceCheck {
 public:
  RaceCheck(const ChunkIds& ids, Precedence& precedence, std::uint64_t budget)
      : ids_(ids), precedence_(precedence), budget_(budget) {}

  std::optional<Violation> run(const Column& column);

 private:
  struct Group {
    std::vector<OpId> ops;
    OpId follower = kNone;  // an op known to come after all of them, such as a join

    bool empty() const { return ops.empty(); }
    void clear();
    void add(OpId op);
  };
  struct History {
    Group writers;
    Group readers;
    Group base;
    bool copied = false;  // the writer is a copy

    void clear();
    void begin_reduces();
  };
  struct Conflict {
    OpId earlier;
    Precedence::Answer answer;
  };

  std::optional<Conflict> read(History& cell, OpId op);
  std::optional<Conflict> reduce(History& cell, OpId op);
  std::optional<Conflict> copy(History& cell, OpId op);
  std::optional<Conflict> follows(Group& group, OpId op);
  bool all_lead_to(const Group& group, OpId join) const;
  Violation violation(const Conflict& conflict, const Cell& cell, OpId op) const;
  std::string_view access(OpId op, const Cell& cell) const;

  const ChunkIds& ids_;
  Precedence& precedence_;
  std::uint64_t budget_;
  std::vector<History> history_;  // by cell; kept for its memory
};

}  // namespace syncsim::checking
