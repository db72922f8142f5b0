#pragma once
// What a machine takes in memory, known from its size before it is built. Measured: ids and names
// of usual lengths, with allocator overhead.

#include <cstdint>

#include "sim/base/memory.h"
#include "sim/topology/id_range.h"

namespace syncsim {

inline constexpr std::int64_t kMostCables = kMostNodes / 2;

struct MachineSize {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;  // two a cable
};

// While it is read and checked.
constexpr std::uint64_t building_bytes(const MachineSize& size) {
  constexpr std::uint64_t kNode = 310;
  constexpr std::uint64_t kLink = 230;
  return capped_product(size.nodes, kNode) + capped_product(size.links, kLink);
}

// While something runs on it: with its resources, their totals and a report of them.
constexpr std::uint64_t in_use_bytes(const MachineSize& size) {
  constexpr std::uint64_t kNode = 160;
  constexpr std::uint64_t kLink = 470;
  return capped_product(size.nodes, kNode) + capped_product(size.links, kLink);
}

// Both throw InputError without a place. Beyond kMostNodes or kMostCables:
void require_size_allowed(const MachineSize& size);
// Beyond what there is memory for:
void require_room_to_build(const MemoryLimit& limit, const MachineSize& size);

}  // namespace syncsim
