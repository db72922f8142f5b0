#pragma once
// Turns a strategy's calls into ops: numbers of the scope become the schedule's, slices become
// chunks, accesses become edges. In a stale pass every call is a cheap no-op that returns 0.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/buffers.h"
#include "sim/schedule/dependency_tracker.h"
#include "sim/schedule/op_log.h"
#include "sim/schedule/overseer.h"
#include "sim/schedule/scopes.h"
#include "sim/schedule/staging.h"

namespace syncsim {

class OpEmitter {
 public:
  // The owner may still add participants and groups. With `staging`, reduces are staged.
  OpEmitter(const std::vector<std::string>& participants, const Groups& groups, Scopes& scopes,
            Buffers& buffers, Oversight oversight, Staging* staging = nullptr);
  OpEmitter(const OpEmitter&) = delete;
  OpEmitter& operator=(const OpEmitter&) = delete;

  OpId next_op() const { return log_.size(); }
  // With those that a stale pass drops.
  std::uint64_t ops() const { return log_.size() + overseer_.dropped(); }
  void expect(const Expected& following);
  void step(std::uint64_t steps) { overseer_.step(steps); }

  // The scope or its phase is another one than at the last op.
  void phase_changed() { phase_changed_ = true; }
  // A copy or a reduce; of no bytes, a signal. Of a staged reduce, the sum.
  OpId transfer(OpKind kind, ParticipantId from, const Slice& source, ParticipantId to,
                const Slice& destination, std::uint16_t channel);
  OpId signal(ParticipantId from, ParticipantId to, std::uint16_t channel);
  OpId compute(ParticipantId participant, Time duration, std::uint16_t channel);
  OpId compute_on(ParticipantId participant, Time duration, Access access, const Slice& slice,
                  std::uint16_t channel);
  OpId join(ParticipantId participant, const std::vector<OpId>& ops);
  void edge(OpId before, OpId after);
  void set_channel(std::uint16_t channel, const Channel& properties);
  void set_nics(std::uint16_t channel, ParticipantId participant, const NicNames& nics);

  // Moves ops, edges, channels, durations and phases into the schedule.
  void finish(Schedule& schedule);

 private:
  OpId transfer_at_once(OpKind kind, ParticipantId from, const Slice& source, ParticipantId to,
                        const Slice& destination, std::uint16_t channel);
  OpId staged(ParticipantId from, const Slice& source, ParticipantId to, const Slice& destination,
              std::uint16_t channel);
  OpId last_op() const { return log_.size() - 1; }
  ParticipantId resolve(ParticipantId local) const {
    const ParticipantId global = scopes_.global(local);
    if (global >= participants_.size()) require_group(local);
    return global;
  }
  void require_group(ParticipantId id) const;
  std::string describe(ParticipantId participant) const;
  using Lane = Staging::Lane;  // where an op runs, in the schedule's numbers
  Lane begin_op(ParticipantId from, ParticipantId to, std::uint16_t local_channel) {
    waits_.clear();
    if (phase_changed_) enter_phase();
    const Lane lane{resolve(from), resolve(to), scopes_.channel(local_channel)};
    if (lane.channel >= channels_.size()) need_channel(lane.channel);
    return lane;
  }
  Op& append_compute(const Lane& lane, Time duration);
  void enter_phase();
  // Chunks of a buffer.
  struct Part {
    std::uint8_t buffer;
    ChunkRange chunks;
  };
  // A transfer from a group, or to one.
  OpId group_transfer(OpKind kind, const Lane& lane, const Part& source, const Part& destination);
  std::vector<DependencyTracker::Access> accesses(ParticipantId end, ParticipantId other,
                                                  const Part& part);
  static void fill(Op& op, OpKind kind, const Part& source, const Part& destination) {
    op.kind = kind;
    op.source_buffer = source.buffer;
    op.destination_buffer = destination.buffer;
    op.source_chunk = source.chunks.first;
    op.destination_chunk = destination.chunks.first;
    op.chunk_count = source.chunks.count;
  }
  void require_sound(const Lane& lane, const Slice& source, const Slice& destination) const;
  [[noreturn]] void refuse_transfer(const Slice& source, const Slice& destination,
                                    const std::string& why) const;
  void need_channel(std::uint16_t channel);
  std::uint16_t current_phase();
  std::uint32_t duration_id(Time duration);
  void use(std::uint8_t buffer) {
    if (!buffers_.in_use(buffer)) tracker_.set_chunks(buffer, buffers_.use(buffer));
  }
  void drop_op(std::uint16_t local_channel);
  bool drops(std::uint16_t local_channel) {
    if (buffers_.stale()) drop_op(local_channel);
    return buffers_.stale();
  }
  // An op of no chunks. The rest is written in place: copying a whole op would cost more.
  Op& append(const Lane& lane) {
    if (scopes_.any_after())
      scopes_.wait_for_after(lane.source, lane.destination, groups_, log_, waits_);
    const bool distinct = waits_.size() < 2 || (waits_.size() == 2 && waits_[0] != waits_[1]);
    if (!distinct) remove_repeated_waits();
    Op& op = log_.append(lane.source, lane.destination, waits_);
    op.channel = lane.channel;
    return op;
  }
  void remove_repeated_waits();

  const std::vector<std::string>& participants_;
  const Groups& groups_;
  Scopes& scopes_;
  Buffers& buffers_;
  Staging* const staging_;
  Overseer overseer_;
  OpLog log_;
  DependencyTracker tracker_{log_};
  std::vector<OpId> waits_;  // of the op being emitted, reused
  std::vector<Channel> channels_;
  std::map<std::pair<std::uint16_t, ParticipantId>, NicNames> nics_;
  std::vector<std::string> phases_;
  std::map<std::string, std::uint16_t> phase_ids_;
  bool phase_changed_ = true;
  std::vector<Time> durations_;
  std::map<Time, std::uint32_t> duration_ids_;
};

}  // namespace syncsim
