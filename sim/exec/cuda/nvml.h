#pragma once
// What NVML says of devices beyond the CUDA runtime: PCIe, NVLinks, clocks. Its library comes with
// the driver and is loaded when it is asked for; its few functions are declared here, as toolkits
// carry no header of it.

#include "sim/exec/cuda/cuda_facts.h"

namespace syncsim {

// Fills in what is known of devices whose `pci` is set; a note where the library is missing.
void add_nvml_facts(CudaFacts& facts, const char* library = "libnvidia-ml.so.1");

}  // namespace syncsim
