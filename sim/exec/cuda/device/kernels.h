#pragma once
// The kernels of a graph, as functions that cudaGraphAddKernelNode takes, with their arguments.

#include <cstdint>
#include <string_view>

namespace syncsim::cuda {

inline constexpr unsigned kThreads = 256;  // of a block of an add kernel

// (void* to, const void* from, uint64_t count): to[i] += from[i], of any alignment that the
// elements have. float16 and bfloat16 are added as float and rounded to nearest, ties to even.
const void* add_kernel(std::string_view datatype);
// (uint64_t nanoseconds), one thread: takes that long.
const void* spin_kernel();
// (uint64_t* at), one thread: the device's clock, in nanoseconds.
const void* stamp_kernel();

}  // namespace syncsim::cuda
