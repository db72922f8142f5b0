#include "sim/schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace syncsim {
namespace {

// "group 0 (gpu0, gpu1, gpu2 and 5 more)".
std::string group_name(const Schedule& schedule, ParticipantId group) {
  const std::string name = "group " + std::to_string(group_index(group));
  if (group_index(group) >= schedule.groups.size()) return name;
  return name + " (" + nodes_of(schedule, group) + ")";
}

// Schedules read from files may hold any index, and the checker describes those too: whatever does
// not exist is named by its number.
std::string participant_name(const Schedule& schedule, ParticipantId participant) {
  if (is_group(participant)) return group_name(schedule, participant);
  if (participant >= schedule.participants.size())
    return "participant " + std::to_string(participant);
  const char* role = participant < schedule.ranks ? "rank " : "helper ";
  return role + std::to_string(participant) + " (" + schedule.participants[participant] + ")";
}

std::string buffer_name(const Schedule& schedule, std::uint8_t buffer) {
  if (buffer >= schedule.buffers.size()) return "buffer " + std::to_string(buffer);
  return schedule.buffers[buffer].name;
}

// "data chunk 3" or "data chunks 3-4".
std::string chunk_names(const Schedule& schedule, std::uint8_t buffer, std::uint64_t first,
                        std::uint64_t count) {
  const std::string name = buffer_name(schedule, buffer);
  if (count == 1) return name + " chunk " + std::to_string(first);
  return name + " chunks " + std::to_string(first) + "-" + std::to_string(first + count - 1);
}

std::string transfer(const Schedule& schedule, const Op& op) {
  const std::string from = " from " + participant_name(schedule, op.source);
  const std::string to = participant_name(schedule, op.destination);
  if (op.chunk_count == 0) return "signal" + from + " to " + to;
  const std::string verb = op.kind == OpKind::copy ? "copy of " : "reduce of ";
  const std::string source =
      chunk_names(schedule, op.source_buffer, op.source_chunk, op.chunk_count);
  const bool same_place =
      op.source_buffer == op.destination_buffer && op.source_chunk == op.destination_chunk;
  if (same_place) return verb + source + from + " to " + to;
  return verb + source + from + " into " +
         chunk_names(schedule, op.destination_buffer, op.destination_chunk, op.chunk_count) +
         " of " + to;
}

std::string compute(const Schedule& schedule, const Op& op) {
  const std::string duration = op.source_chunk < schedule.durations.size()
                                   ? to_exact_string(schedule.durations[op.source_chunk])
                                   : "duration " + std::to_string(op.source_chunk);
  const std::string text =
      "compute of " + duration + " at " + participant_name(schedule, op.source);
  if (op.access == Access::none || op.chunk_count == 0) return text;
  constexpr std::string_view kVerbs[] = {"", ", which reads ", ", which changes ",
                                         ", which makes "};
  const auto access = std::min(static_cast<std::size_t>(op.access), std::size(kVerbs) - 1);
  return text + std::string(kVerbs[access]) +
         chunk_names(schedule, op.destination_buffer, op.destination_chunk, op.chunk_count);
}

std::string action(const Schedule& schedule, const Op& op) {
  switch (op.kind) {
    case OpKind::copy:
    case OpKind::reduce:
      return transfer(schedule, op);
    case OpKind::compute:
      return compute(schedule, op);
    case OpKind::join:
      return "join at " + participant_name(schedule, op.source);
  }
  return "op of kind " + std::to_string(static_cast<int>(op.kind));
}

// Empty for the ops that come before a strategy names its first phase.
std::string phase_part(const Schedule& schedule, std::uint16_t phase) {
  if (phase >= schedule.phases.size()) return ", phase " + std::to_string(phase);
  return schedule.phases[phase].empty() ? "" : ", phase " + schedule.phases[phase];
}

}  // namespace

std::string nodes_of(const Schedule& schedule, ParticipantId id) {
  constexpr std::size_t kNamed = 3;
  const auto nodes = members(schedule.groups, id);
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < kNamed; ++i) {
    text += i == 0 ? "" : ", ";
    text += nodes[i] < schedule.participants.size() ? schedule.participants[nodes[i]]
                                                    : std::to_string(nodes[i]);
  }
  if (nodes.size() <= kNamed) return text;
  return text + " and " + std::to_string(nodes.size() - kNamed) + " more";
}

std::string describe(const Schedule& schedule, OpId id) {
  const std::string name = "op " + std::to_string(id);
  if (id >= schedule.ops.size()) return name;
  const Op& op = schedule.ops[id];
  const std::string lane = op.kind == OpKind::join ? "" : ", channel " + std::to_string(op.channel);
  return name + ": " + action(schedule, op) + lane + phase_part(schedule, op.phase);
}

}  // namespace syncsim
