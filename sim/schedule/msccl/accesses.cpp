#include "sim/schedule/msccl/accesses.h"

#include <algorithm>

namespace syncsim::msccl {

void Accesses::wait(std::uint32_t block, std::uint32_t other, std::int32_t position) {
  std::vector<std::int32_t>& clock = clocks_[block];
  if (const auto known = past_.find({other, position}); known != past_.end())
    for (std::size_t i = 0; i < blocks_; ++i) clock[i] = std::max(clock[i], known->second[i]);
  clock[other] = std::max(clock[other], position);
}

void Accesses::done(std::uint32_t block, std::int32_t position, bool has_dependents) {
  clocks_[block][block] = position;
  if (has_dependents) past_[{block, position}] = clocks_[block];
}

bool Accesses::is_before(const Access& earlier, const Access& later) const {
  if (earlier.block == kSetup || earlier.block == later.block) return true;
  return clocks_[later.block][earlier.block] >= earlier.position;
}

void Accesses::read(const Cell& cell, const Access& access, std::vector<Node>& before) {
  Chunk& chunk = chunks_[key(cell)];
  if (chunk.written && is_before(chunk.writer, access)) before.push_back(chunk.writer.node);
  chunk.readers.push_back(access);
}

bool Accesses::write(const Cell& cell, const Access& access, std::vector<Node>& before) {
  Chunk& chunk = chunks_[key(cell)];
  for (const Access& reader : chunk.readers)
    if (is_before(reader, access)) before.push_back(reader.node);
  bool ordered = true;
  if (chunk.written && is_before(chunk.writer, access)) {
    before.push_back(chunk.writer.node);
  } else if (chunk.written) {
    ordered = !access.adds || !chunk.writer.adds;
  }
  chunk.written = true;
  chunk.writer = access;
  chunk.readers.clear();
  return ordered;
}

bool Accesses::holds(const Cell& cell, bool given) const {
  const auto found = chunks_.find(key(cell));
  return found == chunks_.end() || found->second.holds < 0 ? given : found->second.holds == 1;
}

}  // namespace syncsim::msccl
