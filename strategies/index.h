#pragma once
// Numbers of ranks, nodes and trees are ints, and count from 0 in tables.

#include <cstddef>

namespace syncsim::strategy {

constexpr std::size_t index(int number) { return static_cast<std::size_t>(number); }

}  // namespace syncsim::strategy
