#pragma once
// Resources that wait for a level, lowest first: an indexed 4-ary heap. Of equal levels the lower
// index comes first. Storage is reserved at construction.

#include <cstdint>
#include <vector>

#include "sim/engine/network.h"

namespace syncsim::engine {

class LevelQueue {
 public:
  explicit LevelQueue(std::size_t resources) : positions_(resources, kAbsent) {
    heap_.reserve(resources);
  }

  bool empty() const { return heap_.empty(); }
  ResourceIndex first() const { return heap_.front().resource; }
  double first_level() const { return heap_.front().level; }
  bool holds(ResourceIndex resource) const { return positions_[resource] != kAbsent; }

  void set(ResourceIndex resource, double level);  // enters or moves it
  void remove(ResourceIndex resource);             // nothing when it does not wait
  void clear();

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  struct Entry {
    double level;
    ResourceIndex resource;
  };

  static bool before(const Entry& a, const Entry& b) {
    return a.level != b.level ? a.level < b.level : a.resource < b.resource;
  }
  void place(std::size_t position, const Entry& entry);
  void sift(std::size_t position, const Entry& entry);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> positions_;  // of each resource
};

}  // namespace syncsim::engine
