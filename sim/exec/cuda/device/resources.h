#pragma once
// What the CUDA runtime hands out, owned: freed in any case, on the device that it belongs to. All
// else here throws: InputError for what a machine lacks or refuses, InternalError for the rest.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace syncsim::cuda {

[[noreturn]] void fail(cudaError_t error, std::string_view what);
inline void check(cudaError_t error, std::string_view what) {
  if (error != cudaSuccess) fail(error, what);
}

// The calling thread's device from now on.
inline void select(int device) { check(cudaSetDevice(device), "choosing a device"); }

// One handle of the runtime and how it is given back.
template <class Handle, auto kRelease>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) static_cast<void>(kRelease(handle_));
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using DeviceMemory = Owned<void*, cudaFree>;
using PinnedMemory = Owned<void*, cudaFreeHost>;
using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using Graph = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

// Of the selected device; none of 0 bytes.
DeviceMemory device_memory(std::uint64_t bytes);
// That every device can reach; none of 0 bytes.
PinnedMemory pinned_memory(std::uint64_t bytes);
Stream new_stream();
Event new_event();

}  // namespace syncsim::cuda
