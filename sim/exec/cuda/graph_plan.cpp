#include "sim/exec/cuda/graph_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/exec/cuda/op_order.h"
#include "sim/schedule/lane_index.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kPieceAlignment = 64;

// Appends the nodes of one op after the other.
class Planner {
 public:
  Planner(const Schedule& schedule, const BufferExtents& extents, const DeviceMap& map,
          const CudaFacts& facts)
      : schedule_(schedule), extents_(extents), map_(map), facts_(facts) {
    plan_.ops.resize(schedule.ops.size());
    for (std::uint32_t place = 0; place < map.places(); ++place)
      plan_.bytes.push_back(extents.bytes_of(place));
  }

  GraphPlan plan() {
    if (schedule_.ops.size() > kMostGraphNodes) refuse();
    OpOrder order(schedule_);
    for (std::uint32_t position = 0; position < schedule_.ops.size(); ++position) {
      op_ = order.at(position);
      const GraphNodeId first = next();
      add_op(order.before(position));
      plan_.ops[op_] = {first, next() - 1};
      if (plan_.nodes.size() > kMostGraphNodes) refuse();
    }
    sort_out(plan_.mapped);
    sort_out(plan_.staged);
    return std::move(plan_);
  }

 private:
  using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  GraphNodeId next() const { return static_cast<GraphNodeId>(plan_.nodes.size()); }

  [[noreturn]] void refuse() const {
    throw InputError(fmt::format("the schedule of {} ops makes more than the {} nodes that a graph "
                                 "takes",
                                 schedule_.ops.size(), kMostGraphNodes),
                     "choose fewer chunks or ranks");
  }

  void append(GraphNode node, std::span<const GraphNodeId> waits) {
    node.op = op_;
    node.waits = static_cast<std::uint32_t>(plan_.waits.size());
    plan_.waits.insert(plan_.waits.end(), waits.begin(), waits.end());
    plan_.nodes.push_back(node);
  }
  // After the last one.
  void append(const GraphNode& node) {
    const GraphNodeId last = next() - 1;
    append(node, {&last, 1});
  }

  void add_op(std::span<const OpId> before) {
    std::vector<GraphNodeId> waits;
    for (const OpId op : before) waits.push_back(plan_.ops[op].last);
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    const Op& op = schedule_.ops[op_];
    const std::uint32_t lane = lanes_.number(op);
    if (op.kind == OpKind::compute) return add_compute(op, waits);
    if (schedule_.bytes(op).count == 0) return add_empty(op, waits);
    if (!has_group(op)) return add_way(op, {lane, 0}, op.source, op.destination, waits);
    add_group(op, lane, waits);
  }

  void add_empty(const Op& op, std::span<const GraphNodeId> waits) {
    GraphNode node;
    node.runs_at = device_place(single_end(op));
    append(node, waits);
  }

  // Copies side by side; additions into one place one after the other.
  void add_group(const Op& op, std::uint32_t lane, std::span<const GraphNodeId> waits) {
    add_empty(op, waits);
    const GraphNodeId begin = next() - 1;
    std::vector<GraphNodeId> ends;
    std::uint32_t member = 0;
    each_way(schedule_.groups, op, [&](ParticipantId from, ParticipantId to) {
      const GraphNodeId before = op.kind == OpKind::reduce && !ends.empty() ? ends.back() : begin;
      add_way(op, {lane, member++}, from, to, {&before, 1});
      ends.push_back(next() - 1);
    });
    if (ends.empty()) return;
    add_empty(op, ends);
  }

  // Where a kernel for the participant runs: on the first device for those in host memory.
  std::uint32_t device_place(ParticipantId id) const {
    return std::max(map_.place_of[id], std::uint32_t{1});
  }

  GraphPlace place_of(ParticipantId id, std::uint8_t buffer, std::uint32_t chunk) const {
    const BufferExtents::Extent& extent = extents_.of(id, buffer);
    const std::uint32_t place = map_.place_of[id];
    const std::int64_t offset = schedule_.buffers[buffer].boundaries[chunk] - extent.begin;
    return {place, extent.at - extents_.begin_of(place) + static_cast<std::uint64_t>(offset)};
  }

  void add_compute(const Op& op, std::span<const GraphNodeId> waits) {
    GraphNode node;
    node.runs_at = device_place(op.destination);
    node.duration = schedule_.durations[op.source_chunk];
    node.action = node.duration.ps > 0 ? NodeAction::spin : NodeAction::none;
    append(node, waits);
    const auto& boundaries = schedule_.buffers[op.destination_buffer].boundaries;
    if (op.access != Access::produces) return;
    GraphNode copy;
    copy.bytes = static_cast<std::uint64_t>(boundaries[op.destination_chunk + op.chunk_count] -
                                            boundaries[op.destination_chunk]);
    if (copy.bytes == 0) return;
    copy.runs_at = node.runs_at;
    copy.to = place_of(op.destination, op.destination_buffer, op.destination_chunk);
    copy.from = added(copy.to.place, copy.bytes);
    copy.action = copy.to.place == kHostPlace ? NodeAction::host_copy : NodeAction::copy;
    note_ready(op, copy.from);
    append(copy);
  }

  void note_ready(const Op& op, GraphPlace at) {
    const auto& boundaries = schedule_.buffers[op.destination_buffer].boundaries;
    for (std::uint32_t chunk = op.destination_chunk; chunk < op.destination_chunk + op.chunk_count;
         ++chunk) {
      const auto offset =
          static_cast<std::uint64_t>(boundaries[chunk] - boundaries[op.destination_chunk]);
      plan_.ready.push_back(
          {{op.destination, op.destination_buffer, chunk}, {at.place, at.offset + offset}});
    }
  }

  GraphPlace added(std::uint32_t place, std::uint64_t bytes) {
    const std::uint64_t at = plan_.bytes[place];
    plan_.bytes[place] = (at + bytes + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
    return {place, at};
  }

  // In pinned host memory; every op of a lane has the same, which is as large as the largest needs.
  using Lane = std::pair<std::uint32_t, std::uint32_t>;  // its number, the member of a group
  GraphPlace scratch(const Lane& lane, std::uint64_t bytes) {
    auto& [at, size] = scratch_[lane];
    if (size < bytes) {
      at = added(kHostPlace, bytes);
      size = bytes;
    }
    return at;
  }

  bool reaches(std::uint32_t by, std::uint32_t of) const {
    return facts_.devices[static_cast<std::size_t>(map_.device(by))]
        .reaches[static_cast<std::size_t>(map_.device(of))];
  }

  // Whether what is at `from` has to go through host memory to be taken in at `to`.
  bool goes_over_host(const Op& op, std::uint32_t from, std::uint32_t to) {
    if (from == to || from == kHostPlace) return false;
    if (to == kHostPlace) return op.kind == OpKind::reduce;  // the CPU adds
    const bool direct = reaches(to, from);
    (direct ? plan_.mapped : plan_.staged)
        .push_back(direct ? std::pair(to, from) : std::pair(from, to));
    return !direct;
  }

  void add_way(const Op& op, const Lane& lane, ParticipantId source, ParticipantId destination,
               std::span<const GraphNodeId> waits) {
    GraphNode node;
    node.bytes = static_cast<std::uint64_t>(schedule_.bytes(op).count);
    node.from = place_of(source, op.source_buffer, op.source_chunk);
    node.to = place_of(destination, op.destination_buffer, op.destination_chunk);
    node.runs_at =
        std::max(node.to.place == kHostPlace ? node.from.place : node.to.place, std::uint32_t{1});
    if (node.from == node.to && op.kind == OpKind::copy) return add_empty(op, waits);
    std::vector<GraphNodeId> before(waits.begin(), waits.end());
    if (goes_over_host(op, node.from.place, node.to.place)) {
      GraphNode up = node;
      up.action = NodeAction::copy;
      up.runs_at = node.from.place;
      up.to = scratch(lane, node.bytes);
      append(up, before);
      node.from = up.to;
      before = {next() - 1};
    }
    const bool on_host = node.from.place == kHostPlace && node.to.place == kHostPlace;
    if (op.kind == OpKind::reduce)
      node.action = on_host ? NodeAction::host_add : NodeAction::add;
    else
      node.action = on_host ? NodeAction::host_copy : NodeAction::copy;
    append(node, before);
  }

  static void sort_out(Places& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  const Schedule& schedule_;
  const BufferExtents& extents_;
  const DeviceMap& map_;
  const CudaFacts& facts_;
  GraphPlan plan_;
  OpId op_ = kNone;
  LaneIndex lanes_;
  std::map<Lane, std::pair<GraphPlace, std::uint64_t>> scratch_;
};

}  // namespace

std::string_view to_string(NodeAction action) {
  constexpr std::string_view kNames[] = {"none",     "copy", "add",  "host copy",
                                         "host add", "spin", "stamp"};
  return kNames[static_cast<std::size_t>(action)];
}

GraphPlan plan_graph(const Schedule& schedule, const BufferExtents& extents, const DeviceMap& map,
                     const CudaFacts& facts) {
  return Planner(schedule, extents, map, facts).plan();
}

}  // namespace syncsim
