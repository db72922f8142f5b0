#pragma once
// A schedule: a DAG of operations on chunks of buffers, between participants. Strategies emit it,
// the checker proves it, executors run it. A value: it knows participants and chunks, not links.
//
// Participants 0..ranks-1 are the ranks: they hold a contribution and a postcondition. From `ranks`
// on come helpers (CPUs, servers, relays): they hold scratch only. Buffer b exists at every
// participant; buffer 0 is "data", what the collectives work on. Scratch (helpers' data, every
// other buffer) starts empty: the identity of the sum.
//
// Where a participant stands in an op, a group of them may (groups.h): as the source of a reduce,
// or the destination of a copy. Such an op is one: it starts, moves and ends for all members at
// once.
//
// Lanes: the ops of one (source, destination, channel) carry bytes one at a time, in op order, and
// never overtake. Lane order counts as edges. Joins have no lane.
//
// Op order (the index) is emission order. Builders emit edges forward only (from < to); schedules
// read from files may not, and the checker says so when they cycle.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/base/units.h"
#include "sim/schedule/collective.h"
#include "sim/schedule/groups.h"
#include "sim/topology/routing_policy.h"

namespace syncsim {

using OpId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class OpKind : std::uint8_t {
  copy,     // destination chunks = source chunks
  reduce,   // destination chunks += source chunks, added on arrival
  compute,  // `source_chunk` indexes durations; source == destination
  join,     // zero time, collects edges at one participant; source == destination
};

// What a compute op does to chunks of its participant; none for other kinds.
enum class Access : std::uint8_t {
  none,
  reads,
  modifies,  // in place: what they stand for stays
  produces,  // makes the participant's own contribution; nothing else has touched them before
};

struct Op {
  ParticipantId source = 0;             // or a group's id
  ParticipantId destination = 0;        // or a group's id
  std::uint32_t source_chunk = 0;       // first chunk; for compute a duration index
  std::uint32_t destination_chunk = 0;  // first chunk; for compute of what it accesses
  std::uint32_t chunk_count = 0;        // copy of 0 chunks: a signal, overhead and latency only
  std::uint32_t successors = 0;         // begin in Schedule::edges; ends where the next op's begins
  std::uint16_t channel = 0;
  std::uint8_t source_buffer = 0;
  std::uint8_t destination_buffer = 0;
  OpKind kind = OpKind::copy;
  Access access = Access::none;
  std::uint16_t phase = 0;
};
static_assert(sizeof(Op) == 32);

struct Buffer {
  std::string name;
  std::vector<std::int64_t> boundaries;  // bytes, ascending from 0: chunk c is [b[c], b[c+1])
  bool relaxed = false;                  // exempt from ordering (asynchronous parameter servers)

  std::uint32_t chunks() const { return static_cast<std::uint32_t>(boundaries.size() - 1); }
};

struct Channel {
  double weight = 1;        // max-min is over rate / weight
  double maximum_rate = 0;  // bytes/s of a transfer to another participant; 0: none
  Plane plane = Plane::all;
};

// By which nics a participant sends and receives on a channel what has to cross the network: node
// names, empty where the route chooses.
struct NicNames {
  std::string out;
  std::string in;
  friend bool operator==(const NicNames&, const NicNames&) = default;
};
struct ChannelNics {
  std::uint16_t channel = 0;
  ParticipantId participant = 0;
  NicNames nics;
};

// A collective on chunks [first_chunk, first_chunk + chunk_count) of a buffer. Its bytes are those
// chunks' bytes; offsets in Collective count from the first chunk's boundary.
struct PlacedCollective {
  Collective collective;
  std::uint8_t buffer = 0;
  std::uint32_t first_chunk = 0;
  std::uint32_t chunk_count = 0;
};

struct Schedule {
  std::uint32_t ranks = 0;
  std::vector<std::string> participants;  // node names; ranks first, then helpers
  Groups groups;
  LargeVector<Op> ops;
  LargeVector<OpId> edges;  // successors, grouped by op, ascending within one
  std::vector<Buffer> buffers;
  std::vector<Channel> channels;
  std::vector<ChannelNics> nics;  // each (channel, participant) once, in this order
  std::vector<Time> durations;    // of compute ops
  std::vector<std::string> phases;
  std::vector<PlacedCollective> collectives;
  std::vector<std::string> notes;  // what the strategy chose, for people: "rings: 0,1,2 x2"

  std::span<const OpId> successors(OpId op) const {
    const std::size_t end = op + 1 < ops.size() ? ops[op + 1].successors : edges.size();
    return std::span(edges).subspan(ops[op].successors, end - ops[op].successors);
  }
  bool moves_data(const Op& op) const {
    return (op.kind == OpKind::copy || op.kind == OpKind::reduce) && op.chunk_count > 0;
  }
  // Whether it has an order among the accesses to chunks.
  bool accesses_data(const Op& op) const {
    return moves_data(op) || (op.access != Access::none && op.chunk_count > 0);
  }
  // Bytes that a copy or reduce carries; 0 for the others.
  Bytes bytes(const Op& op) const {
    if (!moves_data(op)) return {};
    const auto& boundaries = buffers[op.source_buffer].boundaries;
    return {boundaries[op.source_chunk + op.chunk_count] - boundaries[op.source_chunk]};
  }
};

// The node of a participant; of a group "gpu0, gpu1, gpu2 and 5 more".
std::string nodes_of(const Schedule& schedule, ParticipantId id);

// "op 12: reduce of data chunks 3-4 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase reduce".
std::string describe(const Schedule& schedule, OpId op);

}  // namespace syncsim
