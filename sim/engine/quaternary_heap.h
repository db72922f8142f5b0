#pragma once
// What the engine's indexed 4-ary heaps share: where a place's parent and least child are. Both
// take O(1); a heap of n has log4 n levels, half of a binary heap's, and keeps siblings side by
// side.

#include <algorithm>
#include <cstddef>

namespace syncsim::engine {

inline constexpr std::size_t kHeapArity = 4;

inline std::size_t heap_parent(std::size_t position) { return (position - 1) / kHeapArity; }

// heap.size() when there is no child.
template <class Entries, class Before>
std::size_t least_child(const Entries& heap, std::size_t position, Before before) {
  const std::size_t first = position * kHeapArity + 1;
  if (first >= heap.size()) return heap.size();
  const std::size_t end = std::min(first + kHeapArity, heap.size());
  std::size_t least = first;
  for (std::size_t child = first + 1; child < end; ++child)
    if (before(heap[child], heap[least])) least = child;
  return least;
}

}  // namespace syncsim::engine
