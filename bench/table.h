#pragma once
// Tables on stdout.

#include <cstdint>
#include <string>
#include <vector>

namespace syncsim::bench {

using Cells = std::vector<std::string>;

// Rows of equally many cells: the first column to the left, the others to the right.
void print(const std::vector<Cells>& rows);

std::string thousands(std::uint64_t count);  // "12,345"

}  // namespace syncsim::bench
