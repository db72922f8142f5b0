#include "sim/exec/cuda/device/kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>

#include "sim/base/error.h"
#include "sim/exec/cuda/device/add_elements.h"

namespace syncsim::cuda {
namespace {

struct Sum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
  __host__ __device__ __half operator()(__half a, __half b) const {
    return __float2half_rn(__half2float(a) + __half2float(b));
  }
  __host__ __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b) const {
    return __float2bfloat16_rn(__bfloat162float(a) + __bfloat162float(b));
  }
};

template <class T>
__global__ void add(T* to, const T* from, std::uint64_t count) {
  add_elements(to, from, count, std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x,
               std::uint64_t{gridDim.x} * blockDim.x, Sum());
}

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin(std::uint64_t duration) {
  const std::uint64_t begin = nanoseconds();
  while (nanoseconds() - begin < duration) __nanosleep(100);
}

__global__ void stamp(std::uint64_t* at) {
  *at = nanoseconds();
  __threadfence_system();
}

template <class T>
const void* address_of(void (*kernel)(T*, const T*, std::uint64_t)) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

const void* add_kernel(std::string_view datatype) {
  if (datatype == "int8") return address_of(add<std::uint8_t>);  // unsigned numbers wrap
  if (datatype == "int32") return address_of(add<std::uint32_t>);
  if (datatype == "int64") return address_of(add<std::uint64_t>);
  if (datatype == "float16") return address_of(add<__half>);
  if (datatype == "bfloat16") return address_of(add<__nv_bfloat16>);
  if (datatype == "float32") return address_of(add<float>);
  if (datatype == "float64") return address_of(add<double>);
  throw InternalError("no kernel adds " + std::string(datatype));
}

const void* spin_kernel() { return reinterpret_cast<const void*>(spin); }
const void* stamp_kernel() { return reinterpret_cast<const void*>(stamp); }

}  // namespace syncsim::cuda
