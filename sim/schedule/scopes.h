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
  std::vector<Slice> parts;  // by rank; none: equal shares
  std::uint16_t channel_base = 0;
  std::uint32_t channels_end = 0;  // one more than the highest channel in use, 0 for none
  std::string phase_prefix;        // with those of the scopes around
  std::string phase;               // without prefixes
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
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  const Scope& current() const { return *current_; }
  bool nested() const { return scopes_.size() > 1; }
  void enter(const ScheduleBuilder::ScopeOptions& options, OpId next_op);
  // Returns how many channels were in use, from the scope's base on.
  int leave();
  void set_phase(std::string_view name) { current_->phase = name; }

  // Participant of a rank of the current scope; helpers (from the outermost scope's ranks on) as
  // they are.
  ParticipantId global(ParticipantId local) const {
    const std::vector<ParticipantId>& ranks = current_->participants;
    return local < ranks.size() ? ranks[local] : helper(local);
  }
  // The schedule's channel, from now on in use.
  std::uint16_t channel(std::uint16_t local) {
    const std::uint16_t channel = shifted(local);
    if (channel >= current_->channels_end) current_->channels_end = channel + 1u;
    return channel;
  }
  // Whether some scope comes after ops from outside.
  bool any_after() const { return scopes_with_after_ > 0; }
  // Appends to `waits`, what an op between the two participants, or a group and one, waits for so
  // far, what the scopes' `after` adds.
  void wait_for_after(ParticipantId source, ParticipantId destination, const Groups& groups,
                      OpLog& log, std::vector<OpId>& waits);

 private:
  ParticipantId helper(ParticipantId local) const;
  std::uint16_t shifted(std::uint16_t local) const {
    const std::uint32_t channel = std::uint32_t{current_->channel_base} + local;
    if (channel > kLastChannel) refuse_channel(channel);
    return static_cast<std::uint16_t>(channel);
  }
  [[noreturn]] static void refuse_channel(std::uint32_t channel);
  std::vector<ParticipantId> inner_participants(std::span<const ParticipantId> ranks) const;
  Collective inner_collective(const Scope& inner) const;

  std::deque<Scope> scopes_;  // references to collectives stay valid while scopes come and go
  Scope* current_ = nullptr;
  std::size_t scopes_with_after_ = 0;
};

}  // namespace syncsim
