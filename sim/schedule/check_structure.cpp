#include "sim/schedule/check_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/text.h"
#include "sim/schedule/check_chunks.h"
#include "sim/schedule/check_groups.h"
#include "sim/schedule/check_roles.h"
#include "sim/schedule/op_ends.h"

namespace syncsim::checking {
namespace {

using Result = std::optional<Violation>;

Result check_buffer(const Buffer& buffer) {
  const auto& boundaries = buffer.boundaries;
  if (boundaries.empty() || boundaries.front() != 0)
    return malformed(fmt::format("buffer {}: its boundaries do not begin at 0", buffer.name));
  const auto drop = std::is_sorted_until(boundaries.begin(), boundaries.end());
  if (drop == boundaries.end()) return {};
  return malformed(fmt::format("buffer {}: boundary {} comes after {}; boundaries must ascend",
                               buffer.name, *drop, *(drop - 1)));
}

Result check_tables(const Schedule& schedule) {
  if (schedule.ranks == 0) return malformed("the schedule has no ranks; it needs at least 1");
  if (schedule.participants.size() < schedule.ranks || schedule.participants.size() >= kGroupBit)
    return malformed(fmt::format("{} among {}; every rank is a participant",
                                 counted(schedule.ranks, "rank"),
                                 counted(schedule.participants.size(), "participant")));
  if (schedule.buffers.size() > 256)
    return malformed(fmt::format("{} buffers; at most 256", schedule.buffers.size()));
  if (schedule.ops.size() >= kNone || schedule.edges.size() >= kNone)
    return malformed("too many ops or edges; at most 4294967294 of each");
  std::uint64_t chunks = 0;
  for (const Buffer& buffer : schedule.buffers) {
    if (Result violation = check_buffer(buffer)) return violation;
    chunks += buffer.boundaries.size() - 1;
  }
  if (chunks >= kNone) return malformed(fmt::format("{} chunks; at most 4294967294", chunks));
  for (const Time& duration : schedule.durations)
    if (duration.ps < 0)
      return malformed(fmt::format("a duration of {} ps is negative", duration.ps));
  return check_groups(schedule);
}

class OpChecks {
 public:
  explicit OpChecks(const Schedule& schedule) : schedule_(schedule) {}

  Result run(OpId id) const {
    const Op& op = schedule_.ops[id];
    if (Result violation = check_common(id, op)) return violation;
    if (op.kind == OpKind::compute || op.kind == OpKind::join) return check_local(id, op);
    return op.chunk_count == 0 ? Result{} : check_transfer(id, op);
  }

 private:
  Violation fault(OpId id, const std::string& message) const {
    return malformed(fmt::format("{}: {}", describe(schedule_, id), message), id);
  }

  Result exists(OpId id, std::string_view what, std::uint64_t index, std::size_t count) const {
    if (index < count) return {};
    return fault(id, fmt::format("{} {} does not exist; {}", what, index, there_are(count)));
  }

  // Groups, or participants that do not exist.
  Result check_unusual_ends(OpId id, const Op& op) const {
    const auto participant = [&](std::string_view what, ParticipantId end) {
      return is_group(end) ? Result{} : exists(id, what, end, schedule_.participants.size());
    };
    if (Result v = participant("source participant", op.source)) return v;
    if (Result v = participant("destination participant", op.destination)) return v;
    return check_group_op(schedule_, id);
  }

  Result check_common(OpId id, const Op& op) const {
    if (op.kind > OpKind::join)
      return fault(id, fmt::format("this kind is unknown; kinds are 0 to {}",
                                   static_cast<int>(OpKind::join)));
    const auto access = static_cast<int>(op.access);
    if (op.access > Access::produces)
      return fault(id, fmt::format("access {} is unknown; write 0 to {}", access,
                                   static_cast<int>(Access::produces)));
    if (op.access != Access::none && op.kind != OpKind::compute)
      return fault(id, fmt::format("access {} is of compute ops alone; write 0", access));
    const std::size_t participants = schedule_.participants.size();
    if (op.source >= participants || op.destination >= participants)
      if (Result v = check_unusual_ends(id, op)) return v;
    if (Result v = exists(id, "phase", op.phase, schedule_.phases.size())) return v;
    if (op.kind == OpKind::join) return {};
    return exists(id, "channel", op.channel, schedule_.channels.size());
  }

  Result check_local(OpId id, const Op& op) const {
    if (op.source != op.destination)
      return fault(id,
                   fmt::format("it leads from {} to {}; its source and destination must be the "
                               "same",
                               name_of(schedule_, op.source), name_of(schedule_, op.destination)));
    if (op.kind == OpKind::join) return {};
    if (Result v = exists(id, "duration", op.source_chunk, schedule_.durations.size())) return v;
    if (!schedule_.accesses_data(op)) return {};
    return check_range(id, "accessed", op.destination_buffer, op.destination_chunk, op.chunk_count);
  }

  Result check_range(OpId id, std::string_view end, std::uint8_t buffer, std::uint64_t first,
                     std::uint32_t count) const {
    if (buffer >= schedule_.buffers.size())
      return fault(id, fmt::format("{} buffer {} does not exist; {}", end, buffer,
                                   there_are(schedule_.buffers.size())));
    const std::uint32_t chunks = schedule_.buffers[buffer].chunks();
    if (first + count <= chunks) return {};
    return fault(id, fmt::format("{} chunk {} does not exist; buffer {} has {}", end,
                                 std::max<std::uint64_t>(first, chunks),
                                 schedule_.buffers[buffer].name, chunks));
  }

  Result check_transfer(OpId id, const Op& op) const {
    if (Result v = check_range(id, "source", op.source_buffer, op.source_chunk, op.chunk_count))
      return v;
    const bool same_chunks =
        op.source_buffer == op.destination_buffer && op.source_chunk == op.destination_chunk;
    if (same_chunks) return check_overlap(id, op);
    if (Result v = check_range(id, "destination", op.destination_buffer, op.destination_chunk,
                               op.chunk_count))
      return v;
    if (Result v = check_overlap(id, op)) return v;
    return check_sizes(id, op);
  }

  Result check_overlap(OpId id, const Op& op) const {
    if (op.source != op.destination || op.source_buffer != op.destination_buffer) return {};
    const auto [low, high] = std::minmax(op.source_chunk, op.destination_chunk);
    if (high - low >= op.chunk_count) return {};
    return fault(id, fmt::format("it writes {} chunk {}, which it reads; source and destination "
                                 "must not overlap",
                                 schedule_.buffers[op.source_buffer].name, high));
  }

  Result check_sizes(OpId id, const Op& op) const {
    const Buffer& from = schedule_.buffers[op.source_buffer];
    const Buffer& to = schedule_.buffers[op.destination_buffer];
    for (std::uint32_t i = 0; i < op.chunk_count; ++i) {
      const std::uint32_t source = op.source_chunk + i;
      const std::uint32_t destination = op.destination_chunk + i;
      const std::int64_t sent = from.boundaries[source + 1] - from.boundaries[source];
      const std::int64_t held = to.boundaries[destination + 1] - to.boundaries[destination];
      if (sent != held)
        return fault(id, fmt::format("{} chunk {} has {} B and {} chunk {} has {} B; chunks must "
                                     "match in size one by one",
                                     from.name, source, sent, to.name, destination, held));
    }
    return {};
  }

  const Schedule& schedule_;
};

// Where an op's edges begin: never before the previous op's, never behind the last edge.
Result check_offset(const Schedule& schedule, OpId id) {
  const std::uint32_t offset = schedule.ops[id].successors;
  const std::uint32_t before = id == 0 ? 0 : schedule.ops[id - 1].successors;
  if (id == 0 && offset != 0)
    return malformed(fmt::format("op 0: its edges begin at {}; the first op's begin at 0", offset),
                     id);
  if (offset < before)
    return malformed(fmt::format("op {}: its edges begin at {}, before those of op {} at {}; "
                                 "offsets must not descend",
                                 id, offset, id - 1, before),
                     id);
  if (offset > schedule.edges.size())
    return malformed(fmt::format("op {}: its edges begin at {}; {}", id, offset,
                                 there_are(schedule.edges.size())),
                     id);
  return {};
}

// Of a participant, or of a whole group.
bool have_common_end(const Op& a, const Op& b) {
  return a.source == b.source || a.source == b.destination || a.destination == b.source ||
         a.destination == b.destination;
}

Result check_edges(const Schedule& schedule, OpId from) {
  OpId previous = 0;
  for (const OpId to : schedule.successors(from)) {
    if (to >= schedule.ops.size())
      return malformed(fmt::format("op {}: an edge leads to op {}; {}", from, to,
                                   there_are(schedule.ops.size())),
                       from);
    if (to < previous)
      return malformed(
          fmt::format("op {}: an edge to op {} comes after one to op {}; an op's edges "
                      "must ascend",
                      from, to, previous),
          from);
    if (!have_common_end(schedule.ops[from], schedule.ops[to]) &&
        !share_participant(schedule.groups, schedule.ops[from], schedule.ops[to]))
      return malformed(
          fmt::format("edge from {} to {}: they share no participant, which would be a "
                      "free barrier; send a signal from one to the other",
                      describe(schedule, from), describe(schedule, to)),
          from);
    previous = to;
  }
  return {};
}

// Every op by itself; what is wrong with one comes before wrong offsets.
Result check_ops(const Schedule& schedule, Pace& pace) {
  const OpChecks checks(schedule);
  Result wrong_offset;
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    if (Result violation = checks.run(id)) return violation;
    if (!wrong_offset) wrong_offset = check_offset(schedule, id);
    pace.at_thing(id, 0);
  }
  if (wrong_offset) return wrong_offset;
  if (schedule.ops.empty() && !schedule.edges.empty()) return malformed("edges without ops");
  return {};
}

}  // namespace

std::optional<Violation> check_structure(const Schedule& schedule, Pace& pace) {
  if (Result violation = check_tables(schedule)) return violation;
  if (Result violation = check_ops(schedule, pace)) return violation;
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    if (Result violation = check_edges(schedule, id)) return violation;
    pace.at_thing(id, 1);
  }
  return check_collectives(schedule);
}

}  // namespace syncsim::checking
