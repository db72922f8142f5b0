#pragma once
// NVLink and xGMI as hwloc's XML has them, where hwloc was built with NVML or RSMI: matrices called
// NVLinkBandwidth and XGMIBandwidth, in MB/s a direction, 0 where two objects are not joined:
//   <distances2hetero nbobjs="3" name="NVLinkBandwidth">
//     <indexes>OSDev:30 OSDev:31 PCIDev:23 </indexes> <u64values>1000000 50000 ... </u64values>
// (<distances2 type="OSDev"> and plain indexes where all are gpus). An index is an object's
// gp_index. A PCIDev is a NVSwitch, and what is neither it nor an OSDev a POWER cpu.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/topology/import/xml_text.h"
#include "sim/topology/topology.h"

namespace syncsim {

enum class HwlocEnd : std::uint8_t { gpu, nvswitch, cpu };

// All NVLinks or xGMI links from a gpu to another object.
struct HwlocCable {
  std::size_t offset = 0;  // of the matrix in the text
  LinkKind kind = LinkKind::nvlink;
  std::int64_t gpu = 0;  // gp_index
  HwlocEnd far = HwlocEnd::gpu;
  std::int64_t to = 0;  // gp_index
  double there = 0;     // MB/s
  double back = 0;
};

// Each pair once. Throws InputError for a matrix that is not whole or not of numbers.
std::vector<HwlocCable> read_hwloc_cables(const XmlText& xml, XmlWarnings& warnings);

}  // namespace syncsim
