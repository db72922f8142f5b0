// In place of device/ where there is no CUDA at build.

#include "sim/exec/cuda/graph_runner.h"
#include "sim/exec/cuda/nccl_call.h"

namespace syncsim {
namespace {

[[noreturn]] void refuse() {
  throw InputError("this syncsim is built without CUDA",
                   "build it with -DSYNCSIM_CUDA=ON, where nvcc is");
}

}  // namespace

CudaFacts cuda_facts() { refuse(); }
std::unique_ptr<GraphRunner> make_cuda_runner(const GraphTask&) { refuse(); }
std::unique_ptr<PlaceRunner> make_nccl_runner(const NcclTask&) { refuse(); }
std::string nccl_version() { refuse(); }

}  // namespace syncsim
