#pragma once
// The ops of a schedule under construction, each with the ops that it waits for. Every edge leads
// forward: from a lower to a higher id.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/size.h"

namespace syncsim {

class OpLog {
 public:
  OpId size() const { return static_cast<OpId>(ops_.size()); }
  const Op& operator[](OpId op) const { return ops_[op]; }

  // Calls act(size) before the first op and then before every 4,096th; it may throw.
  void on_pause(std::function<void(std::size_t)> act);
  // So many ops are about to be appended.
  void expect(std::size_t ops);
  // Phase of the ops that follow.
  void set_phase(std::uint16_t phase) { phase_ = phase; }

  // An op of no chunks after `waits`, which names no op twice. The rest is written in place.
  Op& append(ParticipantId source, ParticipantId destination, std::span<const OpId> waits) {
    if (ops_.size() >= next_pause_ || waits.size() > kMostEdges - waits_.size())
      pause(waits.size());
    Op& added = ops_.emplace_back();
    added.source = source;
    added.destination = destination;
    added.successors = static_cast<std::uint32_t>(waits_.size());
    added.phase = phase_;
    for (const OpId wait : waits) waits_.push_back(wait);
    return added;
  }
  // A join at `holder` after `waits`, which names no op twice.
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
  static constexpr std::size_t kMostEdges = 0xffffffffu;

  void pause(std::size_t waits);
  [[noreturn]] void refuse() const;
  LargeVector<OpId> successor_begins() const;
  void remove_repeated(Schedule& schedule) const;

  // While it is being built, Op::successors is where its waits begin in waits_.
  LargeVector<Op> ops_;
  LargeVector<OpId> waits_;
  std::vector<std::pair<OpId, OpId>> late_edges_;
  std::vector<std::pair<OpId, OpId>> anchors_;  // of joins and relays, ascending
  std::uint16_t phase_ = 0;
  std::function<void(std::size_t)> on_pause_;
  std::size_t next_pause_ = kMostOps;  // at the latest
};

}  // namespace syncsim
