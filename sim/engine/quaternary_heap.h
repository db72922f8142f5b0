#pragma once
// What the engine's 4-ary heaps share: how an entry finds its place. place(position, entry) puts it
// there, and notes where it is where the heap is indexed. Both
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

// Puts `entry` at `position` or above it.
template <class Entries, class Entry, class Before, class Place>
void sift_up(const Entries& heap, std::size_t position, const Entry& entry, Before before,
             Place place) {
  while (position > 0) {
    const std::size_t parent = heap_parent(position);
    if (!before(entry, heap[parent])) break;
    place(position, heap[parent]);
    position = parent;
  }
  place(position, entry);
}

// At `position` or below it.
template <class Entries, class Entry, class Before, class Place>
void sift_down(const Entries& heap, std::size_t position, const Entry& entry, Before before,
               Place place) {
  for (;;) {
    const std::size_t least = least_child(heap, position, before);
    if (least == heap.size() || !before(heap[least], entry)) break;
    place(position, heap[least]);
    position = least;
  }
  place(position, entry);
}

// Where it belongs.
template <class Entries, class Entry, class Before, class Place>
void sift(const Entries& heap, std::size_t position, const Entry& entry, Before before,
          Place place) {
  if (position > 0 && before(entry, heap[heap_parent(position)])) {
    sift_up(heap, position, entry, before, place);
  } else {
    sift_down(heap, position, entry, before, place);
  }
}

}  // namespace syncsim::engine
