#include "sim/engine/level_queue.h"

#include "sim/engine/quaternary_heap.h"

namespace syncsim::engine {

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
  while (position > 0 && before(entry, heap_[heap_parent(position)])) {
    place(position, heap_[heap_parent(position)]);
    position = heap_parent(position);
  }
  for (;;) {
    const std::size_t least = least_child(heap_, position, before);
    if (least == heap_.size() || !before(heap_[least], entry)) break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, entry);
}

}  // namespace syncsim::engine
