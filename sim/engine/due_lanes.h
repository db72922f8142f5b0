#pragma once
// Lanes whose heads start at this very instant, first in first out. A lane waits here at most once,
// so a ring of one place a lane is enough. Every operation takes O(1). Memory: 4 bytes a lane.

#include <cstdint>
#include <vector>

namespace syncsim::engine {

class DueLanes {
 public:
  explicit DueLanes(std::size_t lanes) : ring_(lanes) {}

  bool empty() const { return size_ == 0; }
  void push(std::uint32_t lane) {
    std::size_t end = first_ + size_++;
    if (end >= ring_.size()) end -= ring_.size();
    ring_[end] = lane;
  }
  std::uint32_t pop() {
    const std::uint32_t lane = ring_[first_];
    if (++first_ == ring_.size()) first_ = 0;
    --size_;
    return lane;
  }

 private:
  std::vector<std::uint32_t> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace syncsim::engine
