#pragma once
// A collective as NCCL does it, for reference: one call a rank, in place, on devices of their own.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/cuda/device_map.h"
#include "sim/exec/cuda/place_runner.h"
#include "sim/exec/real/buffer_extents.h"
#include "sim/exec/real/real_executor.h"

namespace syncsim {

struct NcclCall {
  CollectiveKind kind = CollectiveKind::allreduce;
  int datatype = 0;  // as nccl.h numbers them
  int root = 0;
  std::uint64_t count = 0;  // elements, as the function takes them
  struct Rank {
    GraphPlace send;
    GraphPlace receive;
  };
  std::vector<Rank> ranks;
};

// Throws InputError for what NCCL does not do: several collectives or computes, another kind, ranks
// that share a device, blocks that are not of one size.
NcclCall nccl_call(const Schedule& schedule, const BufferExtents& extents, const DeviceMap& map);
std::string_view nccl_function(CollectiveKind kind);  // "ncclAllReduce"; "" where there is none

struct NcclTask {
  const NcclCall& call;
  const DeviceMap& map;
  const std::vector<std::uint64_t>& bytes;  // by place
};
using MakeNcclRunner = std::function<std::unique_ptr<PlaceRunner>(const NcclTask&)>;

// The collective itself; the schedule's ops play no part, and the timeline says nothing of them.
Measurement measure_collective(const Schedule& schedule, const RealOptions& options,
                               const CudaFacts& facts, const MakeNcclRunner& make);

// Throws InputError where this build has no CUDA, or NCCL's library cannot be loaded.
std::unique_ptr<PlaceRunner> make_nccl_runner(const NcclTask& task);
// "NCCL 2.27.3". Throws as make_nccl_runner does.
std::string nccl_version();

}  // namespace syncsim
