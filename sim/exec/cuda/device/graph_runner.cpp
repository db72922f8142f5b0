#include "sim/exec/cuda/graph_runner.h"

#include "sim/exec/cuda/device/device_clocks.h"
#include "sim/exec/cuda/device/graph_builder.h"
#include "sim/exec/cuda/device/timed.h"

namespace syncsim {
namespace {

// Each device that reads another's memory in the plan is allowed to. That may be so from before.
void allow_peers(const GraphPlan& plan, const DeviceMap& map) {
  for (const auto& [by, of] : plan.mapped) {
    cuda::select(map.device(by));
    const cudaError_t error = cudaDeviceEnablePeerAccess(map.device(of), 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled)
      static_cast<void>(cudaGetLastError());
    else
      cuda::check(error, "letting a device reach another's memory");
  }
}

class CudaGraphRunner : public GraphRunner {
 public:
  explicit CudaGraphRunner(const GraphTask& task)
      : task_(task), memory_(task.map, task.plan.bytes), timed_(task.map.devices.front()) {
    allow_peers(task.plan, task.map);
    graph_ = std::make_unique<cuda::BuiltGraph>(task.plan, task.map, task.type, memory_, nullptr,
                                                timed_.stream());
  }

  void set(const GraphPlace& at, const std::byte* from, std::uint64_t bytes) override {
    memory_.set(at, from, bytes);
  }
  void get(const GraphPlace& at, std::byte* to, std::uint64_t bytes) override {
    memory_.get(at, to, bytes);
  }

  Time run() override {
    return timed_.run([&] { graph_->launch(timed_.stream()); });
  }

  std::vector<Time> run_stamped() override {
    const std::size_t count = 2 * task_.stamped.ops.size();
    const cuda::PinnedMemory stamps = cuda::pinned_memory(count * sizeof(std::uint64_t));
    auto* const written = static_cast<std::uint64_t*>(stamps.get());
    const cuda::BuiltGraph graph(task_.stamped, task_.map, task_.type, memory_, written,
                                 timed_.stream());
    const cuda::DeviceClocks clocks(task_.map.devices);
    timed_.run([&] { graph.launch(timed_.stream()); });
    std::vector<Time> times(count);
    for (const GraphNode& node : task_.stamped.nodes)
      if (node.action == NodeAction::stamp)
        times[node.stamp] = clocks.time(node.runs_at - std::size_t{1}, written[node.stamp]);
    return times;
  }

 private:
  const GraphTask task_;
  cuda::PlaceMemory memory_;
  cuda::Timed timed_;
  std::unique_ptr<cuda::BuiltGraph> graph_;
};

}  // namespace

std::unique_ptr<GraphRunner> make_cuda_runner(const GraphTask& task) {
  return std::make_unique<CudaGraphRunner>(task);
}

}  // namespace syncsim
