// The runtime's functions on devices, memory, streams and events.

#include "tests/cuda/fake_memory.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace syncsim::testing {

FakeCuda& fake_cuda() {
  static FakeCuda machine;
  return machine;
}

FakeMemory& fake_memory() {
  static FakeMemory memory;
  return memory;
}

void set_up(const FakeCuda& machine) {
  fake_cuda() = machine;
  fake_memory() = {};
}

void reach(int device, const void* at, std::size_t bytes) {
  const FakeMemory& memory = fake_memory();
  auto* const begin = static_cast<std::byte*>(const_cast<void*>(at));
  auto piece = memory.pieces.upper_bound(begin);
  const bool none = piece == memory.pieces.begin();
  if (!none) --piece;
  std::string& fault = fake_cuda().fault;
  if (none || begin + bytes > piece->first + piece->second.bytes)
    fault = "memory that nobody allocated";
  else if (const int of = piece->second.device;
           of != kPinned && of != device && !memory.peers.contains({device, of}))
    fault = "device " + std::to_string(device) + " does not reach device " + std::to_string(of);
}

bool fails() { return ++fake_cuda().calls == fake_cuda().failing_call; }

namespace {

cudaError_t allocate(void** at, std::size_t bytes, int device) {
  constexpr std::size_t kAlignment = 256;
  if (fails()) return failure();
  *at = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  std::memset(*at, 0x77, bytes);
  fake_memory().pieces[static_cast<std::byte*>(*at)] = {bytes, device};
  ++fake_cuda().held;
  return cudaSuccess;
}

// Handles are numbers of a device, or a time on it.
struct Handle {
  int device = 0;
  double milliseconds = 0;
};

template <class Out>
cudaError_t hand_out(Out* out) {
  if (fails()) return failure();
  *out = reinterpret_cast<Out>(new Handle{fake_memory().selected});
  ++fake_cuda().held;
  return cudaSuccess;
}

template <class In>
cudaError_t take_back(In handle) {
  delete reinterpret_cast<Handle*>(handle);
  --fake_cuda().held;
  return cudaSuccess;
}

double milliseconds() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace
}  // namespace syncsim::testing

using namespace syncsim::testing;

extern "C" {
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "it failed"; }
const char* cudaGetErrorName(cudaError_t) { return "fake"; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  if (!fake_cuda().has_driver) return cudaErrorInsufficientDriver;
  *count = fake_cuda().devices;
  return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= fake_cuda().devices) return cudaErrorInvalidDevice;
  fake_memory().selected = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = which == cudaDevAttrMemoryClockRate        ? 2'619'000
           : which == cudaDevAttrGlobalMemoryBusWidth ? 5'120
                                                      : 4;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "Fake");
  properties->major = 9;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int room, int device) {
  std::snprintf(text, static_cast<std::size_t>(room), "FFFF:%02X:00.0", device);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = fake_cuda().free;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = fake_cuda().peers ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned) {
  if (fails()) return failure();
  const bool is_new = fake_memory().peers.insert({fake_memory().selected, other}).second;
  return is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}
cudaError_t cudaMalloc(void** at, std::size_t bytes) {
  return allocate(at, bytes, fake_memory().selected);
}
cudaError_t cudaHostAlloc(void** at, std::size_t bytes, unsigned) {
  return allocate(at, bytes, kPinned);
}
cudaError_t cudaFree(void* at) {
  if (fake_memory().pieces.erase(static_cast<std::byte*>(at)) == 0)
    fake_cuda().fault = "memory freed that nobody allocated";
  std::free(at);
  --fake_cuda().held;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* at) { return cudaFree(at); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (fails()) return failure();
  reach(fake_memory().selected, kind == cudaMemcpyHostToDevice ? to : from, bytes);
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return hand_out(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return take_back(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return fails() ? failure() : cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return hand_out(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return take_back(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  auto* const own = reinterpret_cast<Handle*>(event);
  if (own->device != reinterpret_cast<Handle*>(stream)->device)
    fake_cuda().fault = "an event on a stream of another device";
  own->milliseconds = milliseconds();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* time, cudaEvent_t begin, cudaEvent_t end) {
  *time = static_cast<float>(reinterpret_cast<Handle*>(end)->milliseconds -
                             reinterpret_cast<Handle*>(begin)->milliseconds);
  return cudaSuccess;
}
}
