#include "sim/exec/cuda/device/nccl_library.h"

#include "sim/base/error.h"

namespace syncsim::cuda {
namespace {

constexpr const char* kName = "libnccl.so.2";

}  // namespace

NcclLibrary::NcclLibrary() : library_(kName) {
  if (!library_.is_loaded())
    throw InputError("NCCL cannot be loaded: " + library_.fault(),
                     "install it (Debian's and NVIDIA's package: libnccl2), or set "
                     "LD_LIBRARY_PATH to where libnccl.so.2 is",
                     "--executor");
  load(init_all, "ncclCommInitAll");
  load(destroy, "ncclCommDestroy");
  load(group_start, "ncclGroupStart");
  load(group_end, "ncclGroupEnd");
  load(all_reduce, "ncclAllReduce");
  load(reduce, "ncclReduce");
  load(broadcast, "ncclBroadcast");
  load(reduce_scatter, "ncclReduceScatter");
  load(all_gather, "ncclAllGather");
  load(get_version_, "ncclGetVersion");
  load(error_text_, "ncclGetErrorString");
}

template <class Function>
void NcclLibrary::load(Function*& function, const char* name) {
  function = library_.function<Function>(name);
  if (function == nullptr)
    throw InputError(std::string(kName) + " has no " + name, "install NCCL 2.10 or later",
                     "--executor");
}

std::string NcclLibrary::version() const {
  int code = 0;
  check(get_version_(&code), "asking for NCCL's version");
  return "NCCL " + std::to_string(code / 10'000) + "." + std::to_string(code / 100 % 100) + "." +
         std::to_string(code % 100);
}

void NcclLibrary::check(NcclResult result, const char* what) const {
  if (result != 0)
    throw InputError(std::string(what) + ": " + error_text_(result),
                     "see what it says with NCCL_DEBUG=WARN", "--executor");
}

}  // namespace syncsim::cuda
