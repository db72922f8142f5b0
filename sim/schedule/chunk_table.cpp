#include "sim/schedule/chunk_table.h"

#include <algorithm>
#include <iterator>

#include "sim/base/error.h"

namespace syncsim {

ChunkTable::ChunkTable(std::int64_t size) : boundaries_{0}, size_(size) {
  if (size > 0) boundaries_.push_back(size);
}

bool ChunkTable::grow(std::int64_t size) {
  size_ = size;
  return request(size);
}

bool ChunkTable::request(std::int64_t offset) {
  if (find(offset) != kAbsent) return true;
  requested_.push_back(offset);
  // The same boundary may be asked for again and again: settling in time keeps the list short.
  constexpr std::size_t kFew = 1024;
  if (in_use_) {
    if (requested_.size() > 2 * sorted_ + kFew) sort_requested();
  } else if (requested_.size() > boundaries_.size() + kFew) {
    settle();
  }
  return !in_use_;
}

std::size_t ChunkTable::chunks() {
  if (in_use_)
    sort_requested();
  else
    settle();
  return boundaries() - 1;
}

std::uint32_t ChunkTable::use() {
  settle();
  require(boundaries_.size() < kAbsent, "a buffer is split into more than 4294967293 chunks");
  in_use_ = true;
  return static_cast<std::uint32_t>(boundaries_.size() - 1);
}

std::vector<std::int64_t> ChunkTable::take_boundaries() {
  settle();
  return std::move(boundaries_);
}

std::uint32_t ChunkTable::search(std::int64_t offset) {
  const auto found = std::lower_bound(boundaries_.begin(), boundaries_.end(), offset);
  if (found == boundaries_.end() || *found != offset) return kAbsent;
  return last_found_ = static_cast<std::uint32_t>(found - boundaries_.begin());
}

void ChunkTable::settle() {
  if (requested_.empty()) return;
  sort_requested();
  const auto old_end = static_cast<std::ptrdiff_t>(boundaries_.size());
  boundaries_.insert(boundaries_.end(), requested_.begin(), requested_.end());
  std::inplace_merge(boundaries_.begin(), boundaries_.begin() + old_end, boundaries_.end());
  boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
  requested_.clear();
  sorted_ = 0;
  last_found_ = 0;
}

// Each once.
void ChunkTable::sort_requested() {
  const auto added = requested_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(added, requested_.end());
  std::inplace_merge(requested_.begin(), added, requested_.end());
  requested_.erase(std::unique(requested_.begin(), requested_.end()), requested_.end());
  sorted_ = requested_.size();
}

}  // namespace syncsim
