#pragma once
// A schedule as the nodes of a CUDA graph: what is done where to which bytes, and after which other
// nodes. Plain values; cuda_graph.cu makes each a node of a graph, one to one.
//   copy between memories      one copy, which its destination's device runs
//   reduce                     one kernel of the destination's device, which reads the source where
//                              it lies and adds
//   between devices that do    through scratch in pinned host memory: a copy to there before
//     not reach each other
//   reduce into host memory    a copy to scratch there, then the CPU adds (a host function)
//   compute                    a kernel that spins; then what it produces is copied from where it
//                              waits ready
//   signal, join, no bytes     an empty node
//   an op with a group         one such way a member, between two empty nodes
// 1. Nodes stand in an order in which every node comes after those that it waits for.
// 2. An op's nodes wait for those of its predecessors, by edges and on its lane.
// 3. Of two reduces into one chunk the later op, in that order, waits for the earlier one; so do
// all
//    ops that reach into a chunk of a relaxed buffer. Along one order this never closes a cycle.
// 4. Scratch is a lane's (and a member's): its ops follow each other.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/exec/cuda/device_map.h"
#include "sim/exec/cuda/place_runner.h"
#include "sim/exec/real/buffer_extents.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

using GraphNodeId = std::uint32_t;
inline constexpr std::size_t kMostGraphNodes = 1'000'000;

enum class NodeAction : std::uint8_t { none, copy, add, host_copy, host_add, spin, stamp };
std::string_view to_string(NodeAction action);

struct GraphNode {
  NodeAction action = NodeAction::none;
  std::uint32_t runs_at = 1;  // the place whose device runs it
  OpId op = kNone;
  GraphPlace from;
  GraphPlace to;
  std::uint64_t bytes = 0;
  Time duration;            // of a spin
  std::uint32_t stamp = 0;  // where a stamp writes its time
  std::uint32_t waits = 0;  // begin in GraphPlan::waits; ends where the next node's begin
};

// What a compute op will produce, ready from the beginning of a run.
struct ReadyData {
  CellPlace cell;
  GraphPlace at;
};

struct GraphPlan {
  std::vector<GraphNode> nodes;
  std::vector<GraphNodeId> waits;
  struct OpNodes {
    GraphNodeId first = 0;
    GraphNodeId last = 0;  // what follows the op waits for this one alone
  };
  std::vector<OpNodes> ops;          // by op; the nodes from first to last are its own
  std::vector<std::uint64_t> bytes;  // by place, of all that lies there
  std::vector<ReadyData> ready;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      mapped;  // (by, of): reads the other's memory
  std::vector<std::pair<std::uint32_t, std::uint32_t>> staged;  // (from, to), sorted as `mapped` is

  std::span<const GraphNodeId> waits_of(GraphNodeId node) const {
    const std::size_t end =
        node + std::size_t{1} < nodes.size() ? nodes[node + 1].waits : waits.size();
    return std::span(waits).subspan(nodes[node].waits, end - nodes[node].waits);
  }
};

// The same with the times taken at which each op begins and ends, by stamps 2 op and 2 op + 1; of
// an op without work by the latter alone.
GraphPlan with_stamps(const GraphPlan& plan);

// Throws InputError for more nodes than kMostGraphNodes, InternalError for ops that wait for each
// other.
GraphPlan plan_graph(const Schedule& schedule, const BufferExtents& extents, const DeviceMap& map,
                     const CudaFacts& facts);

}  // namespace syncsim
