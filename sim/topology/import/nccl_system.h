#pragma once
// A NCCL topology file between its text and the machine: cpus, and the PCI tree below them with
// every oddity settled. read_nccl_system reads it as it is written, tidy_nccl_system makes of it
// what NCCL does (see nccl_xml.h), nccl_machine turns it into nodes and links.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/topology/import/importer.h"
#include "sim/topology/import/xml_text.h"

namespace syncsim {

struct NcclReading {
  const XmlText& xml;
  const ImportOptions& options;
  XmlWarnings& warnings;
};

struct NcclCpu {
  std::size_t offset = 0;  // of its element in the text, as below
  std::int64_t numa = 0;   // below 0: not said
  std::size_t host = 0;    // cpus of one host are joined
  std::string socket;      // a row of links.json
  double peer_cost = 1;
};

enum class NcclFar : std::uint8_t { gpu, nvswitch, cpu };

// A bundle of nvlink or xgmi cables as one of its ends tells it.
struct NcclCable {
  std::size_t offset = 0;
  bool xgmi = false;
  NcclFar far = NcclFar::gpu;
  bool classed = true;  // the text says what is there; otherwise `far` is a guess
  std::string target;   // a canonical bus id
  int count = 1;
};

// A <net>.
struct NcclPort {
  Bandwidth rate;
  Time latency;
  std::optional<std::int64_t> dev;
  std::optional<bool> direct;  // "gdr"
};

enum class NcclKind : std::uint8_t { gpu, nic, bridge, unclassed };

struct NcclDevice {
  std::size_t offset = 0;
  NcclKind kind = NcclKind::bridge;
  std::size_t cpu = 0;
  std::optional<std::size_t> parent;  // a bridge; none: the cpu itself
  bool gone = false;                  // left out or merged into another
  std::string bus_id;                 // canonical; empty: not said
  int generation = 0;                 // of PCIe
  int width = 0;
  std::uint64_t model = 0;  // vendor, device, subsystem vendor, subsystem device; 16 bits each
  std::uint64_t pci_class = 0;
  bool hinted = false;  // a gpu by its class only
  // Of gpus.
  std::optional<std::int64_t> rank, dev, sm;
  std::string gcn;
  std::optional<bool> direct;
  std::vector<NcclCable> cables;
  std::optional<Bandwidth> c2c;
  int c2c_count = 0;
  // Of nics.
  std::vector<NcclPort> ports;
};

struct NcclSystem {
  std::vector<NcclCpu> cpus;
  std::vector<NcclDevice> devices;  // a bridge stands before what is below it
};

NcclSystem read_nccl_system(const NcclReading& reading);
void tidy_nccl_system(const NcclReading& reading, NcclSystem& system);
// The nodes of a system's devices.
struct NcclNodes {
  const std::vector<std::size_t>& gpus;  // numbers of devices, by rank
  const std::vector<NodeId>& node_of;    // by number of device
  const std::vector<NodeId>& cpus;       // by number of cpu
};
// Joins gpus by nvlink and xgmi, to each other, to an NVSwitch and to cpus.
void join_nccl_gpus(const NcclReading& reading, const NcclSystem& system, const NcclNodes& nodes,
                    Topology::Parts& parts);
Topology::Parts nccl_machine(const NcclReading& reading, const NcclSystem& system);

// What is taken for a PCIe speed that is not known: the profile's, or NCCL's.
int unknown_pcie_generation(const ImportOptions& options);

}  // namespace syncsim
