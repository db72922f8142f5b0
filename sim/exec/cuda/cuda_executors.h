#pragma once
// The executors of GPUs, as rows of real_executors() name them. Both throw InputError that says
// what is missing: CUDA in this build, a driver, a device, NCCL.

#include "sim/exec/real/real_executor.h"

namespace syncsim {

// The schedule as one CUDA graph, timed by events on the stream that launches it. Beside it the
// same by NCCL, where it can be loaded and every rank has a device of its own.
Measurement measure_on_cuda(const Schedule& schedule, const Topology& topology,
                            const RealOptions& options);
// NCCL's own collective, for reference. Its timeline says nothing of ops.
Measurement measure_with_nccl(const Schedule& schedule, const Topology& topology,
                              const RealOptions& options);

}  // namespace syncsim
