#include "sim/engine/level_queue.h"

#include "sim/engine/quaternary_heap.h"

namespace syncsim::engine {

void LevelQueue::push(ResourceIndex resource, double level) {
  heap_.push_back({level, resource});
  const Entry entry = heap_.back();
  sift_up(heap_, heap_.size() - 1, entry, Before(), placer());
}

ResourceIndex LevelQueue::pop() {
  const ResourceIndex first = heap_.front().resource;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down(heap_, 0, last, Before(), placer());
  return first;
}

}  // namespace syncsim::engine
