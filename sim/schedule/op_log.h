#pragma once
// The ops of a schedule under construction, each with the ops that it waits for. Every edge leads
// forward: from a lower to a higher id.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim {

inline bool share_participant(const Op& a, const Op& b) {
  return a.source == b.source || a.source == b.destination || a.destination == b.source ||
         a.destination == b.destination;
}

class OpLog {
 public:
  // One bit of the id marks what is no single op in OpSets; the highest id is left out.
  static constexpr std::uint32_t kMostOps = 0x7fffffffu;

  OpId size() const { return static_cast<OpId>(ops_.size()); }
  const Op& operator[](OpId op) const { return ops_[op]; }

  // Phase of the ops that follow.
  void set_phase(std::uint16_t phase) { phase_ = phase; }

  // `waits` ascends, without repetition.
  OpId append(const Op& op, std::span<const OpId> waits);
  // A join at `holder` after `waits`, in any order.
  OpId append_join(ParticipantId holder, std::span<const OpId> waits);
  // A signal that passes on to `to` that `after` is done.
  OpId append_relay(OpId after, ParticipantId from, ParticipantId to, std::uint16_t channel);
  void add_edge(OpId before, OpId after) { late_edges_.emplace_back(before, after); }

  // The op itself; of a join or relay, which are there for others, the latest op that it stands
  // for.
  OpId anchor(OpId op) const;

  // Moves the ops and their edges, as successors, into the schedule.
  void finish(Schedule& schedule);

 private:
  std::span<const OpId> waits_of(OpId op) const;
  std::vector<OpId> successor_begins() const;
  void remove_repeated(Schedule& schedule) const;

  // While it is being built, Op::successors is where its waits begin in waits_.
  std::vector<Op> ops_;
  std::vector<OpId> waits_;
  std::vector<std::pair<OpId, OpId>> late_edges_;
  std::unordered_map<OpId, OpId> anchors_;  // of joins and relays
  std::uint16_t phase_ = 0;
};

}  // namespace syncsim
