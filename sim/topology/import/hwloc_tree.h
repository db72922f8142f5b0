#pragma once
// What hwloc's XML says of a host that matters here: its cpus, and below each
// the PCI devices that are gpus or nics, with the bridges that several of them
// share. See hwloc.h for the rules.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/import/xml_text.h"
#include "sim/topology/topology.h"

namespace syncsim {

inline constexpr std::size_t kMostCpus = 256;

struct HwlocDevice {
  NodeKind kind = NodeKind::gpu;      // or nic, or switch_, which has the others below it
  std::string slot;                   // "0000:3b:00", of all functions of a device
  std::string vendor;                 // "10de"
  double gigabytes = 0;               // of the link up, per second; 0: unknown
  std::size_t offset = 0;             // in the text
  std::vector<std::int64_t> objects;  // gp_index of it and of what the system calls it
  std::vector<HwlocDevice> below;
};

struct HwlocCpu {
  std::string vendor;  // "GenuineIntel"; may be empty
  std::string model;
  std::string arch;         // "x86_64"; may be empty
  std::int64_t family = 0;  // of CPUID, as the next; 0: not said
  std::int64_t model_number = 0;
  std::size_t offset = 0;
  std::vector<HwlocDevice> devices;
};

// At least one cpu.
std::vector<HwlocCpu> read_hwloc_tree(const XmlText& xml, XmlWarnings& warnings);

}  // namespace syncsim
