#pragma once
// The scopes that a strategy is inside of while it emits, innermost last. A scope has ranks of its
// own numbering, works on a slice, shifts channels, and may come after ops from outside.
//
// `after`: an op that waits for nothing inside the scope gets an edge from every such op, directly
// where the two share a participant, else through a relay (a signal). An op that waits for another
// op inside comes after them through that one. Joins and relays are no such other op by themselves:
// they may stand for ops from outside, so they count as the latest op that they stand for.

#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/schedule/builder.h"
#include "sim/schedule/op_log.h"

namespace syncsim {

struct Scope {
  Collective collective;
  std::int64_t element = 1;                 // bytes
  std::vector<ParticipantId> participants;  // of the scope's ranks
  Slice data;
  std::uint16_t channel_base = 0;
  std::string phase_prefix;  // with those of the scopes around
  std::string phase;         // without prefixes
  std::vector<OpId> after;
  OpId first_op = 0;
  std::map<std::pair<OpId, ParticipantId>, OpId> relays;  // (after, to) -> signal
};

class Scopes {
 public:
  // Channels are numbered up to here, so that there are at most 65,535.
  static constexpr std::uint32_t kLastChannel = 65'534;

  // The outermost scope: the whole collective.
  explicit Scopes(const Collective& collective);

  const Scope& current() const { return scopes_.back(); }
  void enter(const ScheduleBuilder::ScopeOptions& options, OpId next_op);
  void leave() { scopes_.pop_back(); }
  void set_phase(std::string_view name) { scopes_.back().phase = name; }

  // Participant of a rank of the current scope; helpers (from the outermost scope's ranks on) as
  // they are.
  ParticipantId global(ParticipantId local) const;
  std::uint16_t channel(std::uint16_t local) const;
  // Appends to `waits`, what the op waits for so far, what the scopes' `after` adds.
  void wait_for_after(const Op& op, OpLog& log, std::vector<OpId>& waits);

 private:
  std::vector<ParticipantId> inner_participants(std::span<const ParticipantId> ranks) const;
  Collective inner_collective(const Scope& inner) const;

  std::deque<Scope> scopes_;  // references to collectives stay valid while scopes come and go
};

}  // namespace syncsim
