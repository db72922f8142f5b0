#pragma once
// The importer of hwloc's XML, which `lstopo --of xml` writes, and of this host through hwloc. What
// becomes of what (hwloc_tree.h finds it, hwloc.cpp makes the machine):
// 1. A package is a cpu, or each NUMA node is, where a package has several. All cpus are joined in
//    pairs by the socket link of their model, as for NCCL's XML, or by the profile's where one is
//    given or the model is not known: hwloc says nothing of sockets or of memory bandwidth.
// 2. A PCI bridge with several devices below it is a switch plx0...; one above a single device or
//    bridge is part of the way to it.
// 3. PCI classes 0x03 and 0x12, and what the system calls a GPU or a coprocessor, are gpus, but for
//    the displays of baseboard controllers and virtual machines. Class 0x02 are nics.
// 4. A link has what hwloc read of its speed; hwloc_speeds.h says what else.
// 5. NVLink and xGMI are read where hwloc saw them (hwloc_cables.h); all NVSwitches are one, nvs0.
//    What kernels get of them is the profile's share of the line rate.
// 6. Without gpus the cpus are the ranks, with a warning.
// Hostile text never reaches libhwloc: hwloc only writes the XML of this host, and both are read
// here. Without --profile figures are those of `ampere`.

#include <string>
#include <string_view>

#include "sim/topology/import/importer.h"

namespace syncsim {

bool looks_like_hwloc_xml(std::string_view text);
Imported read_hwloc_xml(std::string_view text, const std::string& file,
                        const ImportOptions& options);

// What hwloc sees here, PCI devices and bridges included. Throws InputError when it sees nothing.
std::string host_hwloc_xml();

}  // namespace syncsim
