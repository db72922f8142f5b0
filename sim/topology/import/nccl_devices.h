#pragma once
// One cpu or one PCI device out of its element in a NCCL topology file.

#include <optional>
#include <pugixml.hpp>

#include "sim/topology/import/nccl_system.h"

namespace syncsim {

// Arch, vendor, family and model as the link to other sockets. Not its host.
NcclCpu read_nccl_cpu(const NcclReading& reading, pugi::xml_node at);

// Without what is below a bridge. None for what is left out.
std::optional<NcclDevice> read_nccl_device(const NcclReading& reading, pugi::xml_node at);

// What a <gpu> says; `at` is that element.
void read_nccl_gpu(const NcclReading& reading, pugi::xml_node at, NcclDevice& gpu);
// The ports of a <nic>.
void read_nccl_ports(const NcclReading& reading, pugi::xml_node at, NcclDevice& nic);
// Gives a nic without a PCI device the slowest PCIe x16, from the unknown speed on, that carries
// its ports.
void place_bare_nic(const NcclReading& reading, NcclDevice& nic);

}  // namespace syncsim
