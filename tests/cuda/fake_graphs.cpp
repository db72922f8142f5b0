// The runtime's functions on graphs, and kernels that the host runs.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "sim/exec/cuda/device/kernels.h"
#include "sim/exec/real/elements.h"
#include "tests/cuda/fake_memory.h"

namespace syncsim::cuda {

namespace {
constexpr char kSpin = 's';
constexpr char kStamp = 't';
}  // namespace

const void* add_kernel(std::string_view datatype) { return &element_types().at(datatype); }
const void* spin_kernel() { return &kSpin; }
const void* stamp_kernel() { return &kStamp; }

}  // namespace syncsim::cuda

namespace syncsim::testing {
namespace {

using Arguments = std::array<std::uint64_t, 3>;

struct Node {
  int device = 0;
  std::vector<Node*> after;
  std::size_t waits = 0;
  std::size_t left = 0;
  const void* kernel = nullptr;
  Arguments arguments = {};
  cudaHostNodeParams host = {};
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};

std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

// Each device's clock is an hour off the next one's.
std::uint64_t clock_of(int device) {
  return nanoseconds() + static_cast<std::uint64_t>(device + 1) * 3'600'000'000'000;
}

bool is_add(const void* kernel) {
  return kernel != cuda::spin_kernel() && kernel != cuda::stamp_kernel();
}

Arguments arguments_of(const void* kernel, void** given) {
  Arguments arguments = {};
  for (std::size_t i = 0; i < (is_add(kernel) ? arguments.size() : 1); ++i)
    std::memcpy(&arguments[i], given[i], sizeof arguments[i]);
  return arguments;
}

void run_kernel(int device, const void* kernel, const Arguments& arguments) {
  if (kernel == cuda::spin_kernel()) {
    const std::uint64_t begin = nanoseconds();
    while (nanoseconds() - begin < arguments[0]) {
    }
  } else if (kernel == cuda::stamp_kernel()) {
    auto* const at = reinterpret_cast<std::uint64_t*>(arguments[0]);
    reach(device, at, sizeof *at);
    *at = clock_of(device);
  } else {
    const auto& type = *static_cast<const ElementType*>(kernel);
    auto* const to = reinterpret_cast<std::byte*>(arguments[0]);
    const auto* const from = reinterpret_cast<const std::byte*>(arguments[1]);
    reach(device, to, arguments[2] * type.size);
    reach(device, from, arguments[2] * type.size);
    type.add(to, from, arguments[2] * type.size);
  }
}

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* waits,
                std::size_t count, Node own) {
  if (fails()) return failure();
  auto& nodes = reinterpret_cast<Graph*>(graph)->nodes;
  own.device = fake_memory().selected;
  own.waits = count;
  nodes.push_back(std::make_unique<Node>(std::move(own)));
  for (std::size_t i = 0; i < count; ++i) {
    if (std::find(waits, waits + i, waits[i]) != waits + i)
      fake_cuda().fault = "a node waits for another twice";
    reinterpret_cast<Node*>(waits[i])->after.push_back(nodes.back().get());
  }
  *out = reinterpret_cast<cudaGraphNode_t>(nodes.back().get());
  return cudaSuccess;
}

void run(const Node& node) {
  if (node.kernel != nullptr) run_kernel(node.device, node.kernel, node.arguments);
  if (node.host.fn != nullptr) node.host.fn(node.host.userData);
  if (node.bytes == 0) return;
  reach(node.device, node.to, node.bytes);
  reach(node.device, node.from, node.bytes);
  std::memmove(node.to, node.from, node.bytes);
}

void run(Graph& graph) {
  static std::mt19937 random(5);
  std::vector<Node*> ready;
  std::size_t done = 0;
  for (const auto& node : graph.nodes)
    if ((node->left = node->waits) == 0) ready.push_back(node.get());
  for (; !ready.empty(); ++done) {
    std::swap(ready[random() % ready.size()], ready.back());
    Node* const node = ready.back();
    ready.pop_back();
    run(*node);
    for (Node* const next : node->after)
      if (--next->left == 0) ready.push_back(next);
  }
  if (done != graph.nodes.size()) fake_cuda().fault = "nodes wait for each other";
}

}  // namespace
}  // namespace syncsim::testing

using namespace syncsim::testing;

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (fails()) return failure();
  *graph = reinterpret_cast<cudaGraph_t>(new Graph);
  ++fake_cuda().held;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<Graph*>(graph);
  --fake_cuda().held;
  return cudaSuccess;
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* waits, std::size_t count) {
  return add(out, graph, waits, count, {});
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* waits, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind) {
  Node node;
  node.to = to;
  node.from = from;
  node.bytes = bytes;
  return add(out, graph, waits, count, std::move(node));
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* waits, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  if (parameters->gridDim.x == 0 || parameters->blockDim.x == 0) return cudaErrorInvalidValue;
  Node node;
  node.kernel = parameters->func;
  node.arguments = arguments_of(node.kernel, parameters->kernelParams);
  return add(out, graph, waits, count, std::move(node));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* waits, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  Node node;
  node.host = *parameters;
  return add(out, graph, waits, count, std::move(node));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (fails()) return failure();
  *exec = reinterpret_cast<cudaGraphExec_t>(graph);
  ++fake_cuda().held;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  --fake_cuda().held;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return fails() ? failure() : cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
  if (fails()) return failure();
  run(*reinterpret_cast<Graph*>(exec));
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3, void** arguments, std::size_t,
                             cudaStream_t) {
  if (fails()) return failure();
  run_kernel(fake_memory().selected, kernel, arguments_of(kernel, arguments));
  return cudaSuccess;
}
}
