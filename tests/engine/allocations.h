#pragma once
// What the whole test program allocates: the only way to see what a library does.

#include <cstddef>

namespace syncsim::engine {

// Of this thread.
extern thread_local std::size_t allocations;      // so far
extern thread_local std::size_t allocated_bytes;  // so far, whatever was given back

}  // namespace syncsim::engine
