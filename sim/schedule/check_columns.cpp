#include "sim/schedule/check_columns.h"

#include <algorithm>
#include <numeric>

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

std::vector<bool> chunks_with_bytes(const Schedule& schedule) {
  std::vector<bool> result;
  for (const Buffer& buffer : schedule.buffers)
    for (std::uint32_t chunk = 0; chunk < buffer.chunks(); ++chunk)
      result.push_back(buffer.boundaries[chunk] < buffer.boundaries[chunk + 1]);
  return result;
}

DisjointSets link_chunks(const ChunkIds& ids) {
  DisjointSets sets(ids.count());
  for (const Op& op : ids.schedule().ops) {
    if (!ids.schedule().moves_data(op)) continue;
    const ChunkId source = ids.id(op.source_buffer, op.source_chunk);
    const ChunkId destination = ids.id(op.destination_buffer, op.destination_chunk);
    if (source == destination) continue;
    for (std::uint32_t i = 0; i < op.chunk_count; ++i) sets.unite(source + i, destination + i);
  }
  return sets;
}

}  // namespace

Columns::Columns(const ChunkIds& ids, const Order& order) {
  const Schedule& schedule = ids.schedule();
  DisjointSets sets = link_chunks(ids);
  std::vector<std::uint32_t> column_of(ids.count());
  for (ChunkId chunk = 0; chunk < ids.count(); ++chunk) {
    const ChunkId root = sets.root(chunk);
    column_of[chunk] = root == chunk ? count_++ : column_of[root];
  }
  chunks_ = {count_, [&](auto&& put) {
               for (ChunkId chunk = 0; chunk < ids.count(); ++chunk) put(column_of[chunk], chunk);
             }};
  const std::vector<bool> has_bytes = chunks_with_bytes(schedule);
  transfers_ = {count_, [&](auto&& put) {
                  for (std::uint32_t position = 0; position < schedule.ops.size(); ++position) {
                    const OpId id = order.at(position);
                    const Op& op = schedule.ops[id];
                    if (!schedule.moves_data(op)) continue;
                    const ChunkId first = ids.id(op.source_buffer, op.source_chunk);
                    for (std::uint32_t i = 0; i < op.chunk_count; ++i)
                      if (has_bytes[first + i]) put(column_of[first + i], Transfer{id, i});
                  }
                }};
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
  for (const auto [id, offset] : columns.transfers(column)) {
    const Op& op = ids_.schedule().ops[id];
    const ChunkId source = ids_.id(op.source_buffer, op.source_chunk + offset);
    const ChunkId destination = ids_.id(op.destination_buffer, op.destination_chunk + offset);
    const std::uint32_t from = cell(op.source, source);
    steps_.push_back({id, from, cell(op.destination, destination)});
  }
}

void Column::add_goal(ChunkId chunk) {
  const auto first = static_cast<std::uint32_t>(cells_.size());
  first_cells_[chunk] = first;
  goals_.push_back({chunk, first, roles_.of(chunk)});
  for (ParticipantId rank = 0; rank < ids_.schedule().ranks; ++rank)
    cells_.push_back({rank, chunk});
}

std::uint32_t Column::cell(ParticipantId participant, ChunkId chunk) {
  if (first_cells_[chunk] != kNone && participant < ids_.schedule().ranks)
    return first_cells_[chunk] + participant;
  const std::uint64_t key = std::uint64_t{chunk} << 32 | participant;
  const auto [entry, added] =
      other_cells_.try_emplace(key, static_cast<std::uint32_t>(cells_.size()));
  if (added) cells_.push_back({participant, chunk});
  return entry->second;
}

}  // namespace syncsim::checking
