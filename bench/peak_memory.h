#pragma once
// The most memory that the process has held since the last reset (Linux).

#include <cstdint>

namespace syncsim::bench {

void reset_peak_memory();
std::int64_t peak_memory();  // bytes

}  // namespace syncsim::bench
