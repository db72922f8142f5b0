#pragma once
// NCCL, loaded when it is asked for: builds do not need it. Its few functions are declared here as
// nccl.h has them; their handles and numbers have been the same since NCCL 2.10.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "sim/exec/cuda/shared_library.h"

namespace syncsim::cuda {

using NcclResult = int;  // ncclResult_t
using NcclComm = void*;  // ncclComm_t
inline constexpr int kNcclSum = 0;

class NcclLibrary {
 public:
  // Throws InputError where it is not there.
  NcclLibrary();

  std::string version() const;  // "NCCL 2.27.3"
  // Throws InputError for what NCCL refuses.
  void check(NcclResult result, const char* what) const;

  NcclResult (*init_all)(NcclComm*, int, const int*) = nullptr;
  NcclResult (*destroy)(NcclComm) = nullptr;
  NcclResult (*group_start)() = nullptr;
  NcclResult (*group_end)() = nullptr;
  NcclResult (*all_reduce)(const void*, void*, std::size_t, int, int, NcclComm,
                           cudaStream_t) = nullptr;
  NcclResult (*reduce)(const void*, void*, std::size_t, int, int, int, NcclComm,
                       cudaStream_t) = nullptr;
  NcclResult (*broadcast)(const void*, void*, std::size_t, int, int, NcclComm,
                          cudaStream_t) = nullptr;
  NcclResult (*reduce_scatter)(const void*, void*, std::size_t, int, int, NcclComm,
                               cudaStream_t) = nullptr;
  NcclResult (*all_gather)(const void*, void*, std::size_t, int, NcclComm, cudaStream_t) = nullptr;

 private:
  template <class Function>
  void load(Function*& function, const char* name);

  SharedLibrary library_;
  NcclResult (*get_version_)(int*) = nullptr;
  const char* (*error_text_)(NcclResult) = nullptr;
};

}  // namespace syncsim::cuda
