#include "sim/schedule/check_columns.h"

#include <algorithm>
#include <numeric>

#include "sim/schedule/op_ends.h"

namespace syncsim::checking {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t root(std::uint32_t item) {
    for (; parent_[item] != item; item = parent_[item]) parent_[item] = parent_[parent_[item]];
    return item;
  }
  // The root is the lowest item.
  void unite(std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    parent_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Where the chunks of an op begin. Those that a compute op accesses are both.
struct Ends {
  ChunkId source;
  ChunkId destination;
};

Ends ends_of(const ChunkIds& ids, const Op& op) {
  const ChunkId destination = ids.id(op.destination_buffer, op.destination_chunk);
  if (op.kind == OpKind::compute) return {destination, destination};
  return {ids.id(op.source_buffer, op.source_chunk), destination};
}

// What a pass over all ops finds: the chunks that they link, and how many transfers leave each.
struct Links {
  DisjointSets sets;
  std::vector<std::size_t> transfers;
};

Links link_chunks(const ChunkIds& ids) {
  Links links{DisjointSets(ids.count()), std::vector<std::size_t>(ids.count())};
  for (const Op& op : ids.schedule().ops) {
    if (!ids.schedule().accesses_data(op)) continue;
    const auto [source, destination] = ends_of(ids, op);
    for (std::uint32_t i = 0; i < op.chunk_count; ++i) ++links.transfers[source + i];
    if (source == destination) continue;
    for (std::uint32_t i = 0; i < op.chunk_count; ++i)
      links.sets.unite(source + i, destination + i);
  }
  return links;
}

}  // namespace

Columns::Columns(const ChunkIds& ids, const Order& order, Pace& pace) : column_of_(ids.count()) {
  Links links = link_chunks(ids);
  std::vector<std::size_t> chunks;
  std::vector<std::size_t> transfers;
  for (ChunkId chunk = 0; chunk < ids.count(); ++chunk) {
    const ChunkId root = links.sets.root(chunk);
    if (root == chunk) {
      chunks.push_back(0);
      transfers.push_back(0);
    }
    column_of_[chunk] = root == chunk ? count_++ : column_of_[root];
    ++chunks[column_of_[chunk]];
    if (ids.has_bytes(chunk)) transfers[column_of_[chunk]] += links.transfers[chunk];
  }
  chunks_ = Grouped<ChunkId>(chunks);
  for (ChunkId chunk = 0; chunk < ids.count(); ++chunk) chunks_.put(column_of_[chunk], chunk);
  transfers_ = Grouped<Transfer>(transfers);
  sort_transfers(ids, order, pace);
}

void Columns::sort_transfers(const ChunkIds& ids, const Order& order, Pace& pace) {
  for (ChunkId chunk = 0; chunk < ids.count(); ++chunk)
    if (!ids.has_bytes(chunk)) column_of_[chunk] = kNone;
  const Schedule& schedule = ids.schedule();
  for (std::uint32_t position = 0; position < schedule.ops.size(); ++position) {
    pace.at_thing(position, 2);
    const OpId id = order.at(position);
    const Op& op = schedule.ops[id];
    if (!schedule.accesses_data(op)) continue;
    const ChunkId first = ends_of(ids, op).source;
    for (std::uint32_t i = 0; i < op.chunk_count; ++i)
      if (column_of_[first + i] != kNone) transfers_.put(column_of_[first + i], {id, i});
  }
}

Column::Column(const ChunkIds& ids, const Roles& roles)
    : ids_(ids), roles_(roles), first_cells_(ids.count(), kNone) {}

void Column::load(const Columns& columns, std::uint32_t column) {
  cells_.clear();
  steps_.clear();
  goals_.clear();
  other_cells_.clear();
  relaxed_chunks_ = false;
  for (const ChunkId chunk : columns.chunks(column)) {
    relaxed_chunks_ = relaxed_chunks_ || ids_.relaxed(chunk);
    if (roles_.has(chunk)) add_goal(chunk);
  }
  add_steps(columns.transfers(column));
}

// The ops of a column and their edges lie far apart: they are fetched some steps ahead.
void Column::add_steps(std::span<const Transfer> transfers) {
  constexpr std::size_t kAhead = 16;
  const Schedule& schedule = ids_.schedule();
  const Op* const ops = schedule.ops.data();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (i + 2 * kAhead < transfers.size()) {
      __builtin_prefetch(ops + transfers[i + 2 * kAhead].op);
      __builtin_prefetch(ops + transfers[i + 2 * kAhead].op + 1);
    }
    if (i + kAhead < transfers.size())
      __builtin_prefetch(schedule.edges.data() + ops[transfers[i + kAhead].op].successors);
    const Op& op = ops[transfers[i].op];
    if (!has_group(op))
      add_step(transfers[i], op.source, op.destination);
    else
      each_way(schedule.groups, op, [&](ParticipantId source, ParticipantId destination) {
        add_step(transfers[i], source, destination);
      });
  }
}

inline void Column::add_step(const Transfer& transfer, ParticipantId source,
                             ParticipantId destination) {
  const auto [id, offset] = transfer;
  const Op& op = ids_.schedule().ops[id];
  const Ends ends = ends_of(ids_, op);
  const std::uint32_t from = cell(source, ends.source + offset);
  const std::uint32_t to = cell(destination, ends.destination + offset);
  const auto edges = ids_.schedule().successors(id);
  const auto next = [&](std::size_t edge) { return edge < edges.size() ? edges[edge] : kNone; };
  steps_.push_back({id, from, to, op.kind, {next(0), next(1), next(2)}});
}

void Column::add_goal(ChunkId chunk) {
  const auto first = static_cast<std::uint32_t>(cells_.size());
  first_cells_[chunk] = first;
  goals_.push_back({chunk, first, roles_.of(chunk)});
  for (ParticipantId rank = 0; rank < ids_.schedule().ranks; ++rank)
    cells_.push_back({rank, chunk});
}

std::uint32_t Column::other_cell(ParticipantId participant, ChunkId chunk) {
  const std::uint64_t key = std::uint64_t{chunk} << 32 | participant;
  const auto [entry, added] =
      other_cells_.try_emplace(key, static_cast<std::uint32_t>(cells_.size()));
  if (added) cells_.push_back({participant, chunk});
  return entry->second;
}

}  // namespace syncsim::checking
