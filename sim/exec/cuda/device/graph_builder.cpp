#include <algorithm>
#include <cstring>

#include "sim/exec/cuda/device/graph_builder.h"
#include "sim/exec/cuda/device/kernels.h"

namespace syncsim::cuda {
namespace {

constexpr std::uint64_t kBytesOfThread = 16;
constexpr unsigned kBlocksOfProcessor = 8;

void CUDART_CB do_host_work(void* work) {
  const HostWork& own = *static_cast<const HostWork*>(work);
  if (own.type != nullptr)
    own.type->add(own.to, own.from, own.bytes);
  else
    std::memmove(own.to, own.from, own.bytes);
}

class NodeBuilder {
 public:
  NodeBuilder(const GraphPlan& plan, const DeviceMap& map, const ElementType& type,
              const PlaceMemory& memory, std::uint64_t* stamps,
              std::vector<std::unique_ptr<HostWork>>& host_work)
      : plan_(plan),
        map_(map),
        type_(type),
        memory_(memory),
        stamps_(stamps),
        host_work_(host_work),
        add_(const_cast<void*>(add_kernel(type.name))) {
    for (const int device : map.devices) {
      int processors = 0;
      check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
            "asking for a device's multiprocessors");
      most_blocks_.push_back(static_cast<unsigned>(processors) * kBlocksOfProcessor);
    }
  }

  Graph build() {
    cudaGraph_t graph = nullptr;
    check(cudaGraphCreate(&graph, 0), "making a graph");
    Graph owned(graph);
    graph_ = graph;
    for (GraphNodeId node = 0; node < plan_.nodes.size(); ++node) add(node);
    return owned;
  }

 private:
  void add(GraphNodeId id) {
    const GraphNode& node = plan_.nodes[id];
    before_.clear();
    for (const GraphNodeId wait : plan_.waits_of(id)) before_.push_back(nodes_[wait]);
    if (const int device = map_.device(node.runs_at); device != selected_) {
      select(device);
      selected_ = device;
    }
    nodes_.push_back(nullptr);
    switch (node.action) {
      case NodeAction::none:
        check(cudaGraphAddEmptyNode(&nodes_.back(), graph_, before_.data(), before_.size()),
              "adding an empty node");
        break;
      case NodeAction::copy:
        check(cudaGraphAddMemcpyNode1D(&nodes_.back(), graph_, before_.data(), before_.size(),
                                       memory_.at(node.to), memory_.at(node.from), node.bytes,
                                       cudaMemcpyDefault),
              "adding a copy node");
        break;
      case NodeAction::host_copy:
      case NodeAction::host_add:
        add_host_work(node);
        break;
      case NodeAction::add:
        add_sum(node);
        break;
      case NodeAction::spin:
        add_spin(node);
        break;
      case NodeAction::stamp:
        add_stamp(node);
        break;
    }
  }

  void add_spin(const GraphNode& node) {
    auto nanoseconds = static_cast<std::uint64_t>((node.duration.ps + 999) / 1'000);
    void* arguments[] = {&nanoseconds};
    add_kernel_node(spin_kernel(), 1, 1, arguments);
  }

  void add_stamp(const GraphNode& node) {
    std::uint64_t* at = stamps_ + node.stamp;
    void* arguments[] = {&at};
    add_kernel_node(stamp_kernel(), 1, 1, arguments);
  }

  void add_sum(const GraphNode& node) {
    void* to = memory_.at(node.to);
    const void* from = memory_.at(node.from);
    std::uint64_t count = node.bytes / type_.size;
    void* arguments[] = {&to, &from, &count};
    const std::uint64_t threads = (node.bytes + kBytesOfThread - 1) / kBytesOfThread;
    const std::uint64_t blocks = std::min<std::uint64_t>(
        (threads + kThreads - 1) / kThreads, most_blocks_[node.runs_at - std::size_t{1}]);
    add_kernel_node(add_, static_cast<unsigned>(blocks), kThreads, arguments);
  }

  void add_kernel_node(const void* kernel, unsigned blocks, unsigned threads, void** arguments) {
    cudaKernelNodeParams parameters{};
    parameters.func = const_cast<void*>(kernel);
    parameters.gridDim = dim3(blocks);
    parameters.blockDim = dim3(threads);
    parameters.kernelParams = arguments;
    check(
        cudaGraphAddKernelNode(&nodes_.back(), graph_, before_.data(), before_.size(), &parameters),
        "adding a kernel node");
  }

  void add_host_work(const GraphNode& node) {
    const bool adds = node.action == NodeAction::host_add;
    host_work_.push_back(std::make_unique<HostWork>(
        HostWork{adds ? &type_ : nullptr, memory_.at(node.to), memory_.at(node.from), node.bytes}));
    const cudaHostNodeParams parameters{do_host_work, host_work_.back().get()};
    check(cudaGraphAddHostNode(&nodes_.back(), graph_, before_.data(), before_.size(), &parameters),
          "adding a host node");
  }

  const GraphPlan& plan_;
  const DeviceMap& map_;
  const ElementType& type_;
  const PlaceMemory& memory_;
  std::uint64_t* stamps_;
  std::vector<std::unique_ptr<HostWork>>& host_work_;
  void* add_;
  std::vector<unsigned> most_blocks_;  // of a kernel, by index into devices
  int selected_ = -1;
  cudaGraph_t graph_ = nullptr;
  std::vector<cudaGraphNode_t> nodes_;
  std::vector<cudaGraphNode_t> before_;
};

}  // namespace

BuiltGraph::BuiltGraph(const GraphPlan& plan, const DeviceMap& map, const ElementType& type,
                       const PlaceMemory& memory, std::uint64_t* stamps, cudaStream_t stream) {
  graph_ = NodeBuilder(plan, map, type, memory, stamps, host_work_).build();
  select(map.devices.front());
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph_.get(), 0), "making a graph ready to run");
  exec_ = GraphExec(exec);
  check(cudaGraphUpload(exec, stream), "sending a graph to its devices");
  check(cudaStreamSynchronize(stream), "sending a graph to its devices");
}

void BuiltGraph::launch(cudaStream_t stream) const {
  check(cudaGraphLaunch(exec_.get(), stream), "launching a graph");
}

}  // namespace syncsim::cuda
