#include "sim/exec/mpi/part.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/memory.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/lane_index.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

Role role_of(const Op& op, ParticipantId self) {
  if (op.source == op.destination) return Role::local;
  return op.source == self ? Role::sends : Role::receives;
}

void require_single_ends(const Schedule& schedule) {
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    if (has_group(schedule.ops[op]))
      throw InputError(describe(schedule, op) + " is one op at many participants",
                       "processes send each other messages; choose a strategy without groups");
  for (const Buffer& buffer : schedule.buffers)
    if (buffer.relaxed)
      throw InputError(buffer.name + " may be read at any time while it is written",
                       "processes send each other messages in order; use the host executor");
}

void require_edges_at_participants(const Schedule& schedule) {
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    for (const OpId next : schedule.successors(op))
      if (!share_participant(schedule.groups, schedule.ops[op], schedule.ops[next]))
        throw InputError(fmt::format("{} waits for {}, of which none of its participants knows",
                                     describe(schedule, next), describe(schedule, op)),
                         "let a signal tell it");
}

}  // namespace

void require_messages_will_do(const Schedule& schedule) {
  require_single_ends(schedule);
  require_edges_at_participants(schedule);
  const checking::Order order(schedule);
  if (!order.complete()) throw InternalError(order.cycle().message);
}

std::uint64_t OwnPart::needed_bytes(const Schedule& schedule, ParticipantId self) {
  std::uint64_t own = 0;
  std::uint64_t edges = 0;
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    if (!takes_part(schedule.ops[op], self)) continue;
    ++own;
    edges += schedule.successors(op).size() + 1;
  }
  return capped_product(own, sizeof(OwnOp)) + capped_product(edges, sizeof(std::uint32_t)) +
         capped_product(schedule.ops.size(), sizeof(std::uint32_t));
}

OwnPart::OwnPart(const Schedule& schedule, ParticipantId self) {
  add(schedule, self);
  link(schedule);
}

void OwnPart::add(const Schedule& schedule, ParticipantId self) {
  LaneIndex index;
  std::vector<std::uint32_t> last;  // of each lane, an index into ops
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const Op& op = schedule.ops[id];
    if (!takes_part(op, self)) continue;
    const auto own = static_cast<std::uint32_t>(ops.size());
    ops.push_back({.op = id, .role = role_of(op, self)});
    const std::uint32_t lane = index.number(op);
    if (lane == kNone) continue;
    ops.back().lane = lane;
    const Role role = ops.back().role;
    if (lane == last.size()) {
      last.push_back(own);
      lanes.push_back({.peer = role == Role::sends ? op.destination : op.source,
                       .channel = op.channel,
                       .sends = role == Role::sends,
                       .first = own});
    } else {
      ops[last[lane]].next_in_lane = own;
      last[lane] = own;
    }
    lanes[lane].adds |= role == Role::receives && op.kind == OpKind::reduce;
    lanes[lane].most_bytes = std::max(lanes[lane].most_bytes, schedule.bytes(op).count);
  }
}

void OwnPart::link(const Schedule& schedule) {
  LargeVector<std::uint32_t> index(schedule.ops.size(), kNone);
  for (std::uint32_t own = 0; own < ops.size(); ++own) index[ops[own].op] = own;
  const auto edge = [&](std::uint32_t to) {
    successors.push_back(to);
    ++ops[to].waits;
  };
  for (OwnOp& own : ops) {
    own.successors = static_cast<std::uint32_t>(successors.size());
    for (const OpId next : schedule.successors(own.op))
      if (index[next] != kNone) edge(index[next]);
    if (own.role == Role::local && own.next_in_lane != kNone) edge(own.next_in_lane);
  }
}

}  // namespace syncsim
