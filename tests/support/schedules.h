#pragma once
// Schedules written op by op, with edges as stated: for tests that must not depend on the builder,
// or that need schedules which it would not write.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim::testing {

// Of int8, so that any size will do.
inline Collective collective_of(CollectiveKind kind, int ranks, std::int64_t bytes, int root = 0) {
  return {kind, ranks, {bytes}, "int8", root};
}

// `pieces` chunks of `size` bytes.
inline Buffer even_buffer(std::string name, std::uint32_t pieces, std::int64_t size = 1) {
  Buffer buffer{std::move(name), {0}};
  for (std::uint32_t i = 0; i < pieces; ++i)
    buffer.boundaries.push_back(buffer.boundaries.back() + size);
  return buffer;
}

class HandMade {
 public:
  struct Edge {
    OpId from;
    OpId to;
    bool operator==(const Edge&) const = default;
    auto operator<=>(const Edge&) const = default;
  };
  struct Place {
    std::uint8_t buffer;
    std::uint32_t chunk;
  };

  // Buffer 0, "data", is cut into `chunks` equal chunks; the collective is over all of it.
  HandMade(const Collective& collective, std::uint32_t chunks) {
    schedule.ranks = static_cast<std::uint32_t>(collective.ranks);
    for (int rank = 0; rank < collective.ranks; ++rank)
      schedule.participants.push_back("gpu" + std::to_string(rank));
    schedule.buffers.push_back(even_buffer("data", chunks, collective.bytes.count / chunks));
    schedule.channels.emplace_back();
    schedule.phases.emplace_back("work");
    schedule.collectives.push_back({collective, 0, 0, chunks});
  }

  ParticipantId helper(std::string node) {
    schedule.participants.push_back(std::move(node));
    return static_cast<ParticipantId>(schedule.participants.size() - 1);
  }
  std::uint8_t buffer(Buffer buffer) {
    schedule.buffers.push_back(std::move(buffer));
    return static_cast<std::uint8_t>(schedule.buffers.size() - 1);
  }

  OpId copy(ParticipantId from, ParticipantId to, std::uint32_t chunk, std::uint32_t count = 1) {
    return add(OpKind::copy, from, {0, chunk}, to, {0, chunk}, count);
  }
  OpId reduce(ParticipantId from, ParticipantId to, std::uint32_t chunk, std::uint32_t count = 1) {
    return add(OpKind::reduce, from, {0, chunk}, to, {0, chunk}, count);
  }
  OpId signal(ParticipantId from, ParticipantId to) {
    return add(OpKind::copy, from, {0, 0}, to, {0, 0}, 0);
  }
  OpId join(ParticipantId at) { return add(OpKind::join, at, {0, 0}, at, {0, 0}, 0); }
  OpId compute(ParticipantId at) {
    if (schedule.durations.empty()) schedule.durations.push_back({1'000});
    return add(OpKind::compute, at, {0, 0}, at, {0, 0}, 0);
  }
  OpId add(OpKind kind, ParticipantId from, Place source, ParticipantId to, Place destination,
           std::uint32_t count = 1) {
    Op op;
    op.kind = kind;
    op.source = from;
    op.destination = to;
    op.source_buffer = source.buffer;
    op.source_chunk = source.chunk;
    op.destination_buffer = destination.buffer;
    op.destination_chunk = destination.chunk;
    op.chunk_count = count;
    schedule.ops.push_back(op);
    return static_cast<OpId>(schedule.ops.size() - 1);
  }
  // The last op goes to another channel.
  void on_channel(std::uint16_t channel) {
    schedule.ops.back().channel = channel;
    if (channel >= schedule.channels.size()) schedule.channels.resize(channel + std::size_t{1});
  }

  void edge(OpId from, OpId to) { edges.push_back({from, to}); }
  // An edge between every two ops of which the later one, by index, must follow the earlier one.
  void order_conflicts() {
    for (OpId later = 0; later < schedule.ops.size(); ++later)
      for (OpId earlier = 0; earlier < later; ++earlier)
        if (conflict(schedule.ops[earlier], schedule.ops[later])) edge(earlier, later);
  }

  Schedule build() const {
    Schedule result = schedule;
    std::vector<Edge> sorted = edges;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    auto next = sorted.begin();
    for (OpId id = 0; id < result.ops.size(); ++id) {
      result.ops[id].successors = static_cast<std::uint32_t>(result.edges.size());
      for (; next != sorted.end() && next->from == id; ++next) result.edges.push_back(next->to);
    }
    return result;
  }

  Schedule schedule;  // its edges and successors are set by build()
  std::vector<Edge> edges;

 private:
  static bool overlap(std::uint32_t a, std::uint32_t a_count, std::uint32_t b,
                      std::uint32_t b_count) {
    return a < b + b_count && b < a + a_count;
  }
  bool reads(const Op& op, const Op& written) const {
    return op.source == written.destination && op.source_buffer == written.destination_buffer &&
           overlap(op.source_chunk, op.chunk_count, written.destination_chunk, written.chunk_count);
  }
  bool conflict(const Op& a, const Op& b) const {
    if (!schedule.moves_data(a) || !schedule.moves_data(b)) return false;
    const bool one_target =
        a.destination == b.destination && a.destination_buffer == b.destination_buffer &&
        overlap(a.destination_chunk, a.chunk_count, b.destination_chunk, b.chunk_count);
    const bool commute = a.kind == OpKind::reduce && b.kind == OpKind::reduce;
    return (one_target && !commute) || reads(a, b) || reads(b, a);
  }
};

// The parts of a finished schedule, to be changed and built again.
inline HandMade taken_apart(const Schedule& schedule) {
  HandMade parts(schedule.collectives.front().collective, 1);
  parts.schedule = schedule;
  parts.schedule.edges.clear();
  for (OpId from = 0; from < schedule.ops.size(); ++from)
    for (const OpId to : schedule.successors(from)) parts.edge(from, to);
  return parts;
}

}  // namespace syncsim::testing
