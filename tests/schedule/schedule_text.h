#pragma once
// Schedules as short lines, so that a test can state a whole one.

#include <algorithm>
#include <string>
#include <vector>

#include "sim/schedule/builder.h"

namespace syncsim {

inline std::string short_slice(const Schedule& schedule, std::uint8_t buffer, std::uint32_t first,
                               std::uint32_t count) {
  std::string result = schedule.buffers[buffer].name + " " + std::to_string(first);
  if (count > 1) result += "-" + std::to_string(first + count - 1);
  return result;
}

inline std::string short_op(const Schedule& schedule, const Op& op) {
  const std::string lane = std::to_string(op.source) + ">" + std::to_string(op.destination) +
                           (op.channel == 0 ? "" : " ch" + std::to_string(op.channel));
  if (op.kind == OpKind::join) return "join " + lane;
  if (op.kind == OpKind::compute) return "compute " + lane;
  if (op.chunk_count == 0) return "signal " + lane;
  const std::string source =
      short_slice(schedule, op.source_buffer, op.source_chunk, op.chunk_count);
  const std::string destination =
      short_slice(schedule, op.destination_buffer, op.destination_chunk, op.chunk_count);
  return (op.kind == OpKind::copy ? "copy " : "reduce ") + lane + " " + source +
         (destination == source ? "" : " into " + destination);
}

// "reduce 0>1 data 2 -> 3 5": lane, channel unless 0, chunks, then the successors.
inline std::vector<std::string> lines(const Schedule& schedule) {
  std::vector<std::string> result;
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    std::string line = short_op(schedule, schedule.ops[id]);
    const auto successors = schedule.successors(id);
    if (!successors.empty()) line += " ->";
    for (const OpId successor : successors) line += " " + std::to_string(successor);
    result.push_back(line);
  }
  return result;
}

inline std::size_t joins(const Schedule& schedule) {
  return static_cast<std::size_t>(
      std::count_if(schedule.ops.begin(), schedule.ops.end(),
                    [](const Op& op) { return op.kind == OpKind::join; }));
}

inline std::vector<std::string> gpus(int ranks) {
  std::vector<std::string> result;
  for (int rank = 0; rank < ranks; ++rank) result.push_back("gpu" + std::to_string(rank));
  return result;
}

// An allreduce of int8, so that a byte is an element.
inline Collective allreduce(int ranks, std::int64_t bytes) {
  return {CollectiveKind::allreduce, ranks, {bytes}, "int8", 0};
}

inline Schedule build(const Collective& collective,
                      const std::function<void(ScheduleBuilder&)>& emit) {
  return build_schedule(collective, gpus(collective.ranks), emit);
}

using Lines = std::vector<std::string>;
using Boundaries = std::vector<std::int64_t>;

// What the call throws, whole; "" when it does not.
template <class Call>
std::string failure(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace syncsim
