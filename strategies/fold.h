#pragma once
// Exchanges in pairs want a power of two of ranks. Where the ranks are none, some fold: of two
// neighbours one is a member, the other its extra, which hands its data over before the exchange
// and gets the result after it (Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl.
// 19(1), 2005). Members are numbered in the order of ranks, those with an extra spread evenly among
// them; a collective's root is a member.

#include <vector>

#include "strategies/rounds.h"

namespace syncsim::strategy {

class Fold {
 public:
  // Of the ranks of the builder's scope to the largest power of two; or to `members`, at least
  // half.
  explicit Fold(ScheduleBuilder& builder);
  Fold(ScheduleBuilder& builder, int members);

  int members() const { return members_; }
  int rounds() const;  // lg members
  ParticipantId rank(int member) const;
  int member(int rank) const;
  // A member stands for the ranks [first, first of the next one): itself and its extra.
  int first(int member) const;
  // Their parts of the data, by member.
  std::vector<Slice> parts() const;

  // Before the exchange: what extras have is added up at their members, or their parts go there.
  void fold(Rounds& rounds) const;
  // After it: extras get all of the result, or their parts.
  void unfold(Rounds& rounds) const;

 private:
  bool has_extra(int member) const { return first(member + 1) > first(member) + 1; }
  template <class Act>
  void each_extra(Act&& act) const;

  ScheduleBuilder& builder_;
  int members_;
  int root_;
};

// The slice from the first of neighbouring pieces to the last.
inline Slice joined(const Slice& first, const Slice& last) {
  return {first.buffer, first.begin, last.end};
}

}  // namespace syncsim::strategy
