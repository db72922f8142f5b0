#pragma once
// Resources that wait for review, lowest level first: a 4-ary heap. Of equal levels the lower index
// comes first. The caller sees to it that no resource waits twice. Storage is reserved at
// construction: 16 bytes a resource. push and pop take O(log waiting).

#include <cstdint>
#include <vector>

#include "sim/engine/network.h"

namespace syncsim::engine {

class LevelQueue {
 public:
  explicit LevelQueue(std::size_t resources) { heap_.reserve(resources); }

  bool empty() const { return heap_.empty(); }
  void push(ResourceIndex resource, double level);
  ResourceIndex pop();  // not when empty

 private:
  struct Entry {
    double level;
    ResourceIndex resource;
  };

  struct Before {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.level != b.level ? a.level < b.level : a.resource < b.resource;
    }
  };

  auto placer() {
    return [this](std::size_t position, const Entry& entry) { heap_[position] = entry; };
  }

  std::vector<Entry> heap_;
};

}  // namespace syncsim::engine
