#include "bench/fabric.h"

namespace syncsim::bench {

Fabric Fabric::star(std::uint32_t hosts) { return {hosts, 1, 0}; }
Fabric Fabric::fat_tree() { return {128, 16, 8}; }

std::uint32_t Fabric::links() const { return 2 * hosts_ + 2 * leaves_ * spines_; }

std::vector<std::uint32_t> Fabric::path(std::uint32_t from, std::uint32_t to) const {
  if (leaf(from) == leaf(to)) return {2 * from, 2 * to + 1};
  const std::uint32_t spine = to % spines_;
  return {2 * from, trunk(leaf(from), spine), trunk(leaf(to), spine) + 1, 2 * to + 1};
}

}  // namespace syncsim::bench
