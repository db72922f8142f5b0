#pragma once
// Ops under construction, with their edges; a message knows the step that receives it.

#include <cstdint>
#include <vector>

#include "sim/schedule/check_order.h"
#include "sim/schedule/msccl/ops.h"

namespace syncsim::msccl {

class OpList {
 public:
  explicit OpList(PlannedOps& plan) : plan_(plan) {}

  Op& operator[](Node node) const { return plan_.ops[node]; }
  Node size() const { return static_cast<Node>(plan_.ops.size()); }

  // At one GPU or from one to another.
  Node add(OpKind kind, int from, int to, std::uint32_t channel, std::uint32_t message = kNone) {
    Op op;
    op.kind = kind;
    op.source = static_cast<ParticipantId>(from);
    op.destination = static_cast<ParticipantId>(to);
    op.channel = static_cast<std::uint16_t>(channel);
    plan_.ops.push_back(op);
    plan_.message.push_back(message);
    return size() - 1;
  }

  Node add_local(OpKind kind, int gpu, std::uint32_t channel, const CellMove& move) {
    const Node node = add(kind, gpu, gpu, channel);
    set_source(node, move.from, move.count);
    set_destination(node, move.to);
    return node;
  }

  void set_source(Node node, const Cell& cell, std::uint32_t count) {
    plan_.ops[node].source_buffer = cell.buffer;
    plan_.ops[node].source_chunk = cell.chunk;
    plan_.ops[node].chunk_count = count;
  }
  void set_destination(Node node, const Cell& cell) {
    plan_.ops[node].destination_buffer = cell.buffer;
    plan_.ops[node].destination_chunk = cell.chunk;
  }

  // kNone comes before nothing.
  void edge(Node before, Node after) {
    if (before != kNone && before != after) plan_.edges.emplace_back(before, after);
  }
  // Of two accesses to memory. The order on a lane is order enough, and does not keep the later
  // message from starting.
  void access_edges(const std::vector<Node>& before, Node after) {
    for (const Node node : before)
      if (!are_on_one_lane(node, after)) edge(node, after);
  }
  void edges(const std::vector<Node>& before, Node after) {
    for (const Node node : before) edge(node, after);
  }

 private:
  bool are_on_one_lane(Node a, Node b) const {
    return plan_.message[a] != kNone && plan_.message[b] != kNone &&
           checking::on_one_lane(plan_.ops[a], plan_.ops[b]);
  }

  PlannedOps& plan_;
};

}  // namespace syncsim::msccl
