#include "sim/schedule/op_emitter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/error.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostPhases = 65'535;

bool same(const Slice& a, const Slice& b) {
  return a.buffer == b.buffer && a.begin == b.begin && a.end == b.end;
}

bool overlap(const Slice& a, const Slice& b) {
  return same(a, b) || (a.buffer == b.buffer && a.begin < b.end && b.begin < a.end);
}

}  // namespace

OpEmitter::OpEmitter(const std::vector<std::string>& participants, const Groups& groups,
                     Scopes& scopes, Buffers& buffers, Oversight oversight, Staging* staging)
    : participants_(participants),
      groups_(groups),
      scopes_(scopes),
      buffers_(buffers),
      staging_(staging),
      overseer_(std::move(oversight), buffers, participants.size()) {
  log_.on_pause([this](std::size_t ops) { overseer_.at(ops); });
}

void OpEmitter::expect(const Expected& following) {
  const bool counts = staging_ && !buffers_.stale();
  const std::uint64_t sums = counts ? staging_->take_expected() : 0;
  Expected all = following;
  all.ops += sums;
  overseer_.announce(ops(), all);
  if (!buffers_.stale()) log_.expect(all.ops + participants_.size());  // and joins, one a rank
}

OpId OpEmitter::transfer(OpKind kind, ParticipantId from, const Slice& source, ParticipantId to,
                         const Slice& destination, std::uint16_t channel) {
  if (buffers_.stale()) buffers_.carry_later(source, destination);
  const bool over_wire =
      kind == OpKind::reduce && from != to && !is_group(from) && source.size() > 0;
  if (staging_ && over_wire) return staged(from, source, to, destination, channel);
  return transfer_at_once(kind, from, source, to, destination, channel);
}

OpId OpEmitter::staged(ParticipantId from, const Slice& source, ParticipantId to,
                       const Slice& destination, std::uint16_t channel) {
  buffers_.require_inside(destination);
  const std::size_t buffers = buffers_.count();
  const Slice place = staging_->place(
      buffers_, {resolve(from), resolve(to), scopes_.channel(channel)}, destination);
  if (buffers_.count() > buffers && !buffers_.stale()) overseer_.buffer_added();
  if (buffers_.stale() && !staging_->measuring()) buffers_.carry_later(place, destination);
  const OpId arrival = transfer_at_once(OpKind::copy, from, source, to, place, channel);
  const OpId sum = transfer_at_once(OpKind::reduce, to, place, to, destination, channel);
  if (!buffers_.stale()) staging_->staged(arrival, sum);
  return sum;
}

OpId OpEmitter::transfer_at_once(OpKind kind, ParticipantId from, const Slice& source,
                                 ParticipantId to, const Slice& destination,
                                 std::uint16_t channel) {
  if (drops(channel)) return 0;
  const Lane lane = begin_op(from, to, channel);
  require_sound(lane, source, destination);
  if (source.size() == 0) {
    append(lane);
    return last_op();
  }
  const auto [read, written] = buffers_.locate(source, destination);
  if (read.empty()) return 0;
  use(source.buffer);
  use(destination.buffer);
  const Part sent{source.buffer, read};
  const Part received{destination.buffer, written};
  if (is_group(lane.source | lane.destination)) return group_transfer(kind, lane, sent, received);
  const auto reads = tracker_.cells(lane.source, source.buffer, read);
  const auto writes = tracker_.cells(lane.destination, destination.buffer, written);
  const bool read_ordered = !buffers_.relaxed(source.buffer);
  const bool write_ordered = !buffers_.relaxed(destination.buffer);
  if (read_ordered) tracker_.before_read(reads, waits_);
  if (write_ordered) tracker_.before_write(kind, writes, waits_);
  fill(append(lane), kind, sent, received);
  if (read_ordered) tracker_.after_read(reads, last_op());
  if (write_ordered) tracker_.after_write(kind, writes, last_op());
  return last_op();
}

OpId OpEmitter::group_transfer(OpKind kind, const Lane& lane, const Part& source,
                               const Part& destination) {
  require(!buffers_.relaxed(source.buffer) && !buffers_.relaxed(destination.buffer),
          "a group's transfer from or to a relaxed buffer");
  const bool right = kind == OpKind::reduce ? !is_group(lane.destination) : !is_group(lane.source);
  require(right, "groups are what reduces come from and copies go to");
  const auto read = accesses(lane.source, lane.destination, source);
  const auto written = accesses(lane.destination, lane.source, destination);
  require(!read.empty() && !written.empty(), "a group without a member beside the other end");
  for (const auto& access : read) tracker_.before_read(access, waits_);
  for (const auto& access : written) tracker_.before_write(kind, access, waits_);
  fill(append(lane), kind, source, destination);
  for (const auto& access : read) tracker_.after_read(access, last_op());
  for (const auto& access : written) tracker_.after_write(kind, access, last_op());
  return last_op();
}

// At the participants that one end of a transfer stands for, but not at its other end.
std::vector<DependencyTracker::Access> OpEmitter::accesses(ParticipantId end, ParticipantId other,
                                                           const Part& part) {
  std::vector<DependencyTracker::Access> result;
  for (const ParticipantId member : members(groups_, end))
    if (member != other) result.push_back(tracker_.cells(member, part.buffer, part.chunks));
  return result;
}

OpId OpEmitter::signal(ParticipantId from, ParticipantId to, std::uint16_t channel) {
  if (drops(channel)) return 0;
  const Lane lane = begin_op(from, to, channel);
  if (lane.source == lane.destination)
    throw InternalError("a signal from " + describe(lane.source) + " to itself");
  append(lane);
  return last_op();
}

OpId OpEmitter::compute(ParticipantId participant, Time duration, std::uint16_t channel) {
  if (drops(channel)) return 0;
  append_compute(begin_op(participant, participant, channel), duration);
  return last_op();
}

OpId OpEmitter::compute_on(ParticipantId participant, Time duration, Access access,
                           const Slice& slice, std::uint16_t channel) {
  if (slice.size() == 0 || access == Access::none) return compute(participant, duration, channel);
  if (drops(channel)) return 0;
  buffers_.require_inside(slice);
  const Lane lane = begin_op(participant, participant, channel);
  const ChunkRange chunks = buffers_.locate(slice, slice).source;
  if (chunks.empty()) return 0;
  use(slice.buffer);
  const auto cells = tracker_.cells(lane.source, slice.buffer, chunks);
  if (access == Access::reads)
    tracker_.before_read(cells, waits_);
  else
    tracker_.before_write(OpKind::copy, cells, waits_);
  Op& op = append_compute(lane, duration);
  op.access = access;
  op.destination_buffer = slice.buffer;
  op.destination_chunk = chunks.first;
  op.chunk_count = chunks.count;
  if (access == Access::reads)
    tracker_.after_read(cells, last_op());
  else
    tracker_.after_write(OpKind::copy, cells, last_op());
  return last_op();
}

Op& OpEmitter::append_compute(const Lane& lane, Time duration) {
  require(duration.ps >= 0, "a compute op of negative duration");
  Op& op = append(lane);
  op.kind = OpKind::compute;
  op.source_chunk = duration_id(duration);
  return op;
}

OpId OpEmitter::join(ParticipantId participant, const std::vector<OpId>& ops) {
  if (buffers_.stale()) return 0;
  waits_ = ops;
  remove_repeated_waits();
  const ParticipantId holder = resolve(participant);
  for (const OpId op : waits_)
    require(op < log_.size() && touches(groups_, log_[op], holder), "a join of ops elsewhere");
  return log_.append_join(holder, waits_);
}

void OpEmitter::edge(OpId before, OpId after) {
  if (buffers_.stale()) return;
  const auto refuse = [&](const char* why) {
    throw InternalError("an edge from op " + std::to_string(before) + " to op " +
                        std::to_string(after) + why);
  };
  if (after >= log_.size()) refuse(", which is not emitted yet");
  if (before >= after) refuse(" leads backward");
  if (staging_) {
    after = staging_->arrival_of(after);
    if (!share_participant(groups_, log_[before], log_[after]))
      before = staging_->arrival_of(before);
  }
  if (!share_participant(groups_, log_[before], log_[after]))
    refuse(" joins no participant with itself");
  log_.add_edge(before, after);
}

void OpEmitter::set_channel(std::uint16_t local, const Channel& properties) {
  require(std::isfinite(properties.weight) && properties.weight > 0,
          "a channel's weight is finite and above 0");
  require(std::isfinite(properties.maximum_rate) && properties.maximum_rate >= 0,
          "a channel's maximum rate is finite and not negative");
  const std::uint16_t channel = scopes_.channel(local);
  need_channel(channel);
  channels_[channel] = properties;
}

void OpEmitter::set_nics(std::uint16_t local, ParticipantId participant, const NicNames& nics) {
  const std::uint16_t channel = scopes_.channel(local);
  need_channel(channel);
  nics_[{channel, resolve(participant)}] = nics;
}

void OpEmitter::finish(Schedule& schedule) {
  log_.finish(schedule);
  for (auto& [lane, nics] : nics_) schedule.nics.push_back({lane.first, lane.second, nics});
  schedule.channels = std::move(channels_);
  schedule.durations = std::move(durations_);
  schedule.phases = std::move(phases_);
}

void OpEmitter::require_group(ParticipantId id) const {
  if (is_group(id) && group_index(id) < groups_.size()) return;
  throw InternalError((is_group(id) ? "group " : "participant ") + std::to_string(group_index(id)) +
                      " does not exist");
}

std::string OpEmitter::describe(ParticipantId participant) const {
  return "participant " + std::to_string(participant) + " (" + participants_[participant] + ")";
}

// It takes its channel all the same: a scope says how many it took, in every pass.
void OpEmitter::drop_op(std::uint16_t local_channel) {
  overseer_.drop_op();
  scopes_.channel(local_channel);
}

void OpEmitter::enter_phase() {
  log_.set_phase(current_phase());
  phase_changed_ = false;
}

inline void OpEmitter::require_sound(const Lane& lane, const Slice& source,
                                     const Slice& destination) const {
  buffers_.require_inside(source);
  if (!same(source, destination)) {
    buffers_.require_inside(destination);
    if (source.size() != destination.size())
      refuse_transfer(source, destination, ", which differ in size");
  }
  if (lane.source == lane.destination && overlap(source, destination))
    refuse_transfer(source, destination, " at " + describe(lane.source) + " reads what it writes");
}

void OpEmitter::refuse_transfer(const Slice& source, const Slice& destination,
                                const std::string& why) const {
  throw InternalError("a transfer from " + buffers_.describe(source) + " to " +
                      buffers_.describe(destination) + why);
}

void OpEmitter::need_channel(std::uint16_t channel) {
  if (channel >= channels_.size()) channels_.resize(channel + std::size_t{1});
}

// A phase is entered into the table with its first op, so that none is empty.
std::uint16_t OpEmitter::current_phase() {
  const std::string name = scopes_.current().phase_prefix + scopes_.current().phase;
  const auto next = static_cast<std::uint16_t>(phases_.size());
  const auto [known, added] = phase_ids_.try_emplace(name, next);
  if (!added) return known->second;
  require(phases_.size() < kMostPhases, "a schedule of more than 65535 phases");
  phases_.push_back(name);
  return next;
}

std::uint32_t OpEmitter::duration_id(Time duration) {
  const auto next = static_cast<std::uint32_t>(durations_.size());
  const auto [known, added] = duration_ids_.try_emplace(duration, next);
  if (added) durations_.push_back(duration);
  return known->second;
}

// Sets come in order; what is waited for beside them is mostly one op more.
void OpEmitter::remove_repeated_waits() {
  const auto others = std::is_sorted_until(waits_.begin(), waits_.end());
  std::sort(others, waits_.end());
  std::inplace_merge(waits_.begin(), others, waits_.end());
  waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
}

}  // namespace syncsim
