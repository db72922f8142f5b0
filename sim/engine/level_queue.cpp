#include "sim/engine/level_queue.h"

#include <algorithm>

namespace syncsim::engine {
namespace {
constexpr std::size_t kArity = 4;
}  // namespace

void LevelQueue::set(ResourceIndex resource, double level) {
  std::size_t position = positions_[resource];
  if (position == kAbsent) {
    position = heap_.size();
    heap_.emplace_back();
  }
  sift(position, {level, resource});
}

// The heap's last entry takes its place.
void LevelQueue::remove(ResourceIndex resource) {
  const std::size_t position = positions_[resource];
  if (position == kAbsent) return;
  positions_[resource] = kAbsent;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position < heap_.size()) sift(position, last);
}

void LevelQueue::clear() {
  for (const Entry& entry : heap_) positions_[entry.resource] = kAbsent;
  heap_.clear();
}

void LevelQueue::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  positions_[entry.resource] = static_cast<std::uint32_t>(position);
}

// Puts `entry` where it belongs, at `position`, above it or below it.
void LevelQueue::sift(std::size_t position, const Entry& entry) {
  while (position > 0 && before(entry, heap_[(position - 1) / kArity])) {
    place(position, heap_[(position - 1) / kArity]);
    position = (position - 1) / kArity;
  }
  for (;;) {
    const std::size_t first = position * kArity + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + kArity, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(heap_[child], heap_[least])) least = child;
    if (!before(heap_[least], entry)) break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, entry);
}

}  // namespace syncsim::engine
