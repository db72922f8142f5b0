#pragma once
// Planned nodes as those of a CUDA graph, one to one.

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/exec/cuda/device/place_memory.h"
#include "sim/exec/cuda/graph_runner.h"

namespace syncsim::cuda {

// What a host function does. Stays where it is while graphs that refer to it are there.
struct HostWork {
  const ElementType* type = nullptr;  // none: a copy
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t bytes = 0;
};

class BuiltGraph {
 public:
  // `stamps`: where stamps are written to, by number. Keeps references to none of these.
  BuiltGraph(const GraphPlan& plan, const DeviceMap& map, const ElementType& type,
             const PlaceMemory& memory, std::uint64_t* stamps, cudaStream_t stream);

  // On the stream that it was built for.
  void launch(cudaStream_t stream) const;

 private:
  std::vector<std::unique_ptr<HostWork>> host_work_;
  Graph graph_;
  GraphExec exec_;
};

}  // namespace syncsim::cuda
