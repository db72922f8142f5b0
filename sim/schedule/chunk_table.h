#pragma once
// Where one buffer is cut into chunks, while a schedule is being built.
// 1. Boundaries ascend from 0 to the buffer's size; chunk c lies between boundaries c and c + 1.
// 2. Until the first op uses the buffer, boundaries are added freely. From then on chunk indices
// are
//    out in the ops: a new boundary is only noted, for the next pass.

#include <cstdint>
#include <utility>
#include <vector>

namespace syncsim {

struct ChunkRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool empty() const { return count == 0; }
};

class ChunkTable {
 public:
  explicit ChunkTable(std::int64_t size);
  // Begins with the boundaries of an earlier pass.
  explicit ChunkTable(std::vector<std::int64_t> boundaries)
      : boundaries_(std::move(boundaries)), size_(boundaries_.back()) {}

  std::int64_t size() const { return size_; }
  // To a size not below the one it has. False when it comes too late, like a boundary (2).
  bool grow(std::int64_t size);

  // Asks for a boundary. False when it comes too late (2).
  bool request(std::int64_t offset);
  // The chunks of [begin, end), which is not empty; none when one of them is no boundary yet.
  ChunkRange range(std::int64_t begin, std::int64_t end) {
    if (!in_use_ && !requested_.empty()) settle();
    const std::uint32_t first = find(begin);
    const std::uint32_t last = find(end);
    if (first == kAbsent || last == kAbsent) return {};
    last_found_ = first;
    return {first, last - first};
  }
  // The offset of a boundary that range() gave out.
  std::int64_t offset(std::uint32_t boundary) const { return boundaries_[boundary]; }

  // As it is cut so far, also by boundaries that came too late.
  std::size_t chunks();
  // Noted ones, some twice.
  std::size_t boundaries() const { return boundaries_.size() + requested_.size(); }

  bool in_use() const { return in_use_; }
  // The first op uses the buffer; returns the number of chunks.
  std::uint32_t use();

  // Every boundary asked for, also those that came too late.
  std::vector<std::int64_t> take_boundaries();

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  std::uint32_t find(std::int64_t offset) {
    if (boundaries_[last_found_] == offset) return last_found_;
    const std::uint32_t next = last_found_ + 1;
    if (next < boundaries_.size() && boundaries_[next] == offset) return last_found_ = next;
    return search(offset);
  }
  std::uint32_t search(std::int64_t offset);
  void settle();
  void sort_requested();

  std::vector<std::int64_t> boundaries_;
  std::int64_t size_;
  std::vector<std::int64_t> requested_;  // not yet among the boundaries, in any order
  std::size_t sorted_ = 0;               // of those, how many there were when last sorted
  std::uint32_t last_found_ = 0;         // strategies walk over chunks: the next one is near
  bool in_use_ = false;
};

}  // namespace syncsim
