#include "sim/exec/cuda/device/resources.h"

#include <string>

#include "sim/base/error.h"

namespace syncsim::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

[[noreturn]] void fail_for_driver() {
  int driver = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  if (driver == 0)
    throw InputError("there is no NVIDIA driver here",
                     "run this on a machine with a GPU and its driver");
  throw InputError("the NVIDIA driver is for CUDA " + version_text(driver) +
                       ", this syncsim for CUDA " + version_text(CUDART_VERSION),
                   "update the driver, or build with a toolkit as old as it");
}

}  // namespace

void fail(cudaError_t error, std::string_view what) {
  static_cast<void>(cudaGetLastError());  // or the next call would return it again
  const std::string told = std::string(what) + ": " + cudaGetErrorString(error);
  switch (error) {
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
      fail_for_driver();
    case cudaErrorNoDevice:
      throw InputError("there is no CUDA device here",
                       "run this on a machine with a GPU; CUDA_VISIBLE_DEVICES may hide it");
    case cudaErrorMemoryAllocation:
      throw InputError(told, "use less data, or fewer ranks a device");
    case cudaErrorPeerAccessUnsupported:
    case cudaErrorTooManyPeers:
      throw InputError(told, "choose fewer --devices, or such as reach each other");
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      throw InputError(told, "build with -DCMAKE_CUDA_ARCHITECTURES=native on that machine");
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorLaunchTimeout:
      throw InputError(told, "see what nvidia-smi says of the device");
    default:
      throw InternalError(told + " (" + cudaGetErrorName(error) + ")");
  }
}

DeviceMemory device_memory(std::uint64_t bytes) {
  void* memory = nullptr;
  if (bytes > 0)
    check(cudaMalloc(&memory, bytes),
          "allocating " + std::to_string(bytes) + " bytes of device memory");
  return DeviceMemory(memory);
}

PinnedMemory pinned_memory(std::uint64_t bytes) {
  void* memory = nullptr;
  if (bytes > 0)
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped),
          "allocating " + std::to_string(bytes) + " bytes of pinned host memory");
  return PinnedMemory(memory);
}

Stream new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  return Stream(stream);
}

Event new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "making an event");
  return Event(event);
}

}  // namespace syncsim::cuda
