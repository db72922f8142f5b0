#include "sim/engine/level_queue.h"

#include "sim/engine/quaternary_heap.h"

namespace syncsim::engine {

void LevelQueue::push(ResourceIndex resource, double level) {
  const Entry entry{level, resource};
  std::size_t position = heap_.size();
  heap_.push_back(entry);
  while (position > 0 && before(entry, heap_[heap_parent(position)])) {
    heap_[position] = heap_[heap_parent(position)];
    position = heap_parent(position);
  }
  heap_[position] = entry;
}

ResourceIndex LevelQueue::pop() {
  const ResourceIndex first = heap_.front().resource;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (heap_.empty()) return first;
  std::size_t position = 0;
  for (;;) {
    const std::size_t least = least_child(heap_, position, before);
    if (least == heap_.size() || !before(heap_[least], last)) break;
    heap_[position] = heap_[least];
    position = least;
  }
  heap_[position] = last;
  return first;
}

}  // namespace syncsim::engine
