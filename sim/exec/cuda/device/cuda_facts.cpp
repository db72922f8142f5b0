#include <cctype>
#include <fstream>
#include <string>

#include "sim/exec/cuda/cuda_facts.h"
#include "sim/exec/cuda/device/resources.h"
#include "sim/exec/cuda/nvml.h"

namespace syncsim {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  const cudaError_t error = cudaDeviceGetAttribute(&value, which, device);
  if (error == cudaErrorInvalidValue) {  // this driver does not know it
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  cuda::check(error, "asking for a device's attribute");
  return value;
}

// As Linux has it; -1 where it does not say.
int numa_of(std::string pci) {
  for (char& c : pci) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  int numa = -1;
  std::ifstream file("/sys/bus/pci/devices/" + pci + "/numa_node");
  if (!(file >> numa)) return -1;
  return numa;
}

bool reaches(int own, int other) {
  if (own == other) return true;
  int can = 0;
  cuda::check(cudaDeviceCanAccessPeer(&can, own, other), "asking for peer access");
  return can != 0;
}

CudaDevice facts_of(int ordinal, int count) {
  cuda::select(ordinal);
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, ordinal), "asking for a device's properties");
  CudaDevice device;
  device.name = properties.name;
  device.capability = properties.major * 10 + properties.minor;
  char pci[32] = "";
  cuda::check(cudaDeviceGetPCIBusId(pci, sizeof pci, ordinal), "asking for a device's address");
  device.pci = pci;
  std::size_t free = 0;
  std::size_t total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "asking for a device's memory");
  device.free = free;
  device.memory = total;
  device.bandwidth = memory_bandwidth(attribute(cudaDevAttrMemoryClockRate, ordinal) * 1e3,
                                      attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal));
  device.numa = numa_of(device.pci);
  for (int other = 0; other < count; ++other) device.reaches.push_back(reaches(ordinal, other));
  return device;
}

}  // namespace

CudaFacts cuda_facts() {
  int count = 0;
  cuda::check(cudaGetDeviceCount(&count), "looking for devices");
  if (count == 0) cuda::fail(cudaErrorNoDevice, "looking for devices");
  CudaFacts facts;
  for (int ordinal = 0; ordinal < count; ++ordinal)
    facts.devices.push_back(facts_of(ordinal, count));
  add_nvml_facts(facts);
  return facts;
}

}  // namespace syncsim
