#include "sim/schedule/scopes.h"

#include <algorithm>
#include <set>

#include "sim/base/error.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

// Whether one of the ops lies in the scope, and so comes after the scope's `after`.
bool any_inside(const Scope& scope, const OpLog& log, const std::vector<OpId>& ops) {
  return std::any_of(ops.begin(), ops.end(),
                     [&](OpId op) { return log.anchor(op) >= scope.first_op; });
}

// The relay through which ops at `to` wait for `before`.
OpId relay(Scope& scope, OpId before, ParticipantId to, OpLog& log) {
  const auto [known, added] = scope.relays.try_emplace({before, to}, kNone);
  if (added)
    known->second = log.append_relay(before, single_end(log[before]), to, scope.channel_base);
  return known->second;
}

// Parts follow each other, one a rank, and cover the data.
void require_whole(const Scope& scope) {
  const std::vector<Slice>& parts = scope.parts;
  if (parts.empty()) return;
  require(parts.size() == scope.participants.size(), "a scope's parts are one a rank");
  std::int64_t end = scope.data.begin;
  for (const Slice& part : parts) {
    require(part.buffer == scope.data.buffer && part.begin == end && part.end >= end,
            "a scope's parts follow each other");
    end = part.end;
  }
  require(end == scope.data.end, "a scope's parts cover its data");
}

bool needs_root(CollectiveKind kind) {
  return row(kind).contributors == Who::root || row(kind).holders == Who::root;
}

void require_fitting(const Scope& scope) {
  const Collective& collective = scope.collective;
  if (static_cast<std::size_t>(collective.ranks) != scope.participants.size())
    throw InternalError("a scope of " + std::to_string(scope.participants.size()) +
                        " ranks got a collective of " + std::to_string(collective.ranks));
  if (collective.buffer_bytes() != scope.data.size())
    throw InternalError("a scope on " + std::to_string(scope.data.size()) +
                        " B got a collective of " + std::to_string(collective.bytes.count) + " B");
}

}  // namespace

Scopes::Scopes(const Collective& collective) {
  Scope& scope = scopes_.emplace_back();
  scope.collective = collective;
  scope.element = collective.element_size();
  scope.data = {0, 0, collective.buffer_bytes()};
  for (int rank = 0; rank < collective.ranks; ++rank)
    scope.participants.push_back(static_cast<ParticipantId>(rank));
  current_ = &scope;
}

void Scopes::enter(const ScheduleBuilder::ScopeOptions& options, OpId next_op) {
  const Scope& outer = current();
  for (const OpId op : options.after)
    if (op >= next_op)
      throw InternalError("a scope comes after op " + std::to_string(op) +
                          ", which is not emitted yet");
  Scope inner;
  inner.participants = inner_participants(options.ranks);
  inner.data = options.data.value_or(outer.data);
  inner.collective = options.collective ? *options.collective : inner_collective(inner);
  const bool same_parts = !options.data && inner.participants == outer.participants;
  inner.parts = same_parts && options.parts.empty() ? outer.parts : options.parts;
  require_fitting(inner);
  require_whole(inner);
  inner.element = inner.collective.element_size();
  inner.channel_base = shifted(options.channel_base);
  inner.phase_prefix = outer.phase_prefix + options.phase_prefix;
  inner.phase = outer.phase;
  inner.after = options.after;
  inner.first_op = next_op;
  if (!inner.after.empty()) ++scopes_with_after_;
  current_ = &scopes_.emplace_back(std::move(inner));
}

int Scopes::leave() {
  if (!current_->after.empty()) --scopes_with_after_;
  const std::uint32_t end = current_->channels_end;
  const int used = end == 0 ? 0 : static_cast<int>(end) - current_->channel_base;
  scopes_.pop_back();
  current_ = &scopes_.back();
  current_->channels_end = std::max(current_->channels_end, end);
  return used;
}

ParticipantId Scopes::helper(ParticipantId local) const {
  if (local < scopes_.front().participants.size())
    throw InternalError("participant " + std::to_string(local) + " is neither one of the scope's " +
                        std::to_string(current().participants.size()) + " ranks nor a helper");
  return local;
}

void Scopes::refuse_channel(std::uint32_t channel) {
  throw InternalError("channel " + std::to_string(channel) + " is above the last, " +
                      std::to_string(kLastChannel));
}

void Scopes::wait_for_after(ParticipantId source, ParticipantId destination, const Groups& groups,
                            OpLog& log, std::vector<OpId>& waits) {
  const ParticipantId told = is_group(source) ? destination : source;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (scope->after.empty() || any_inside(*scope, log, waits)) continue;
    for (const OpId before : scope->after) {
      const bool shared =
          touches(groups, log[before], source) || touches(groups, log[before], destination);
      waits.push_back(shared ? before : relay(*scope, before, told, log));
    }
  }
}

std::vector<ParticipantId> Scopes::inner_participants(std::span<const ParticipantId> ranks) const {
  if (ranks.empty()) return current().participants;
  // More ranks than the outermost scope has would take the helpers' numbers.
  require(ranks.size() <= scopes_.front().participants.size(),
          "a scope has more ranks than the whole schedule");
  std::vector<ParticipantId> result;
  for (const ParticipantId rank : ranks) result.push_back(global(rank));
  require(std::set(result.begin(), result.end()).size() == result.size(),
          "a scope lists one participant twice");
  return result;
}

// The outer kind and root with the scope's sizes.
Collective Scopes::inner_collective(const Scope& inner) const {
  const Scope& outer = current();
  Collective result = outer.collective;
  result.ranks = static_cast<int>(inner.participants.size());
  // Of pairwise collectives only the whole can be taken over; require_fitting says so.
  if (!is_pairwise(result.kind)) result.bytes = {inner.data.size()};
  const ParticipantId root = outer.participants[static_cast<std::size_t>(outer.collective.root)];
  const auto found = std::find(inner.participants.begin(), inner.participants.end(), root);
  if (found == inner.participants.end()) {
    require(!needs_root(result.kind), "a scope without the root needs a collective of its own");
    result.root = 0;
  } else {
    result.root = static_cast<int>(found - inner.participants.begin());
  }
  return result;
}

}  // namespace syncsim
