#include "sim/schedule/op_emitter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/error.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostPhases = 65'535;

bool overlap(const Slice& a, const Slice& b) {
  if (a.buffer != b.buffer) return false;
  const bool same = a.begin == b.begin && a.end == b.end;
  return same || (a.begin < b.end && b.begin < a.end);
}

}  // namespace

OpId OpEmitter::transfer(OpKind kind, ParticipantId from, const Slice& source, ParticipantId to,
                         const Slice& destination, std::uint16_t channel) {
  if (buffers_.stale()) return 0;
  Op op = begin_op(from, to, channel);
  require_sound(op, source, destination);
  if (source.size() == 0) return append(op);
  const auto chunks = buffers_.locate(source, destination);
  if (!chunks) return 0;
  use(source.buffer);
  use(destination.buffer);
  op.kind = kind;
  op.source_buffer = source.buffer;
  op.destination_buffer = destination.buffer;
  op.source_chunk = chunks->source.first;
  op.destination_chunk = chunks->destination.first;
  op.chunk_count = chunks->source.count;
  return append_transfer(op);
}

OpId OpEmitter::signal(ParticipantId from, ParticipantId to, std::uint16_t channel) {
  if (buffers_.stale()) return 0;
  const Op op = begin_op(from, to, channel);
  if (op.source == op.destination)
    throw InternalError("a signal from " + describe(op.source) + " to itself");
  return append(op);
}

OpId OpEmitter::compute(ParticipantId participant, Time duration, std::uint16_t channel) {
  if (buffers_.stale()) return 0;
  require(duration.ps >= 0, "a compute op of negative duration");
  Op op = begin_op(participant, participant, channel);
  op.kind = OpKind::compute;
  op.source_chunk = duration_id(duration);
  return append(op);
}

void OpEmitter::edge(OpId before, OpId after) {
  if (buffers_.stale()) return;
  const std::string names =
      "an edge from op " + std::to_string(before) + " to op " + std::to_string(after);
  if (after >= log_.size()) throw InternalError(names + ", which is not emitted yet");
  if (before >= after) throw InternalError(names + " leads backward");
  if (!share_participant(log_[before], log_[after]))
    throw InternalError(names + " joins no participant with itself");
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

void OpEmitter::finish(Schedule& schedule) {
  log_.finish(schedule);
  schedule.channels = std::move(channels_);
  schedule.durations = std::move(durations_);
  schedule.phases = std::move(phases_);
}

ParticipantId OpEmitter::resolve(ParticipantId local) const {
  const ParticipantId global = scopes_.global(local);
  if (global >= participants_.size())
    throw InternalError("participant " + std::to_string(local) + " does not exist");
  return global;
}

std::string OpEmitter::describe(ParticipantId participant) const {
  return "participant " + std::to_string(participant) + " (" + participants_[participant] + ")";
}

Op OpEmitter::begin_op(ParticipantId from, ParticipantId to, std::uint16_t channel) {
  waits_.clear();
  if (phase_changed_) log_.set_phase(current_phase());
  phase_changed_ = false;
  Op op;
  op.source = resolve(from);
  op.destination = resolve(to);
  op.channel = scopes_.channel(channel);
  need_channel(op.channel);
  return op;
}

void OpEmitter::require_sound(const Op& op, const Slice& source, const Slice& destination) const {
  buffers_.require_inside(source);
  buffers_.require_inside(destination);
  if (source.size() != destination.size())
    throw InternalError("a transfer from " + buffers_.describe(source) + " to " +
                        buffers_.describe(destination) + ", which differ in size");
  if (op.source == op.destination && overlap(source, destination))
    throw InternalError("a transfer from " + buffers_.describe(source) + " to " +
                        buffers_.describe(destination) + " at " + describe(op.source) +
                        " reads what it writes");
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

void OpEmitter::use(std::uint8_t buffer) {
  if (!buffers_.in_use(buffer)) tracker_.set_chunks(buffer, buffers_.use(buffer));
}

OpId OpEmitter::append(const Op& op) {
  scopes_.wait_for_after(op, log_, waits_);
  std::sort(waits_.begin(), waits_.end());
  waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
  return log_.append(op, waits_);
}

OpId OpEmitter::append_transfer(const Op& op) {
  const DependencyTracker::Access read{
      op.source, op.source_buffer, {op.source_chunk, op.chunk_count}};
  const DependencyTracker::Access write{
      op.destination, op.destination_buffer, {op.destination_chunk, op.chunk_count}};
  tracker_.before_read(read, waits_);
  if (op.kind == OpKind::copy)
    tracker_.before_copy(write, waits_);
  else
    tracker_.before_reduce(write, waits_);
  const OpId id = append(op);
  tracker_.after_read(read, id);
  if (op.kind == OpKind::copy)
    tracker_.after_copy(write, id);
  else
    tracker_.after_reduce(write, id);
  return id;
}

}  // namespace syncsim
