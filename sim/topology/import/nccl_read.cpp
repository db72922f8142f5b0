// The text of a NCCL topology file as cpus and devices: every element in its place, every figure
// checked, nothing left out but what is said.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/import/nccl_attributes.h"
#include "sim/topology/import/nccl_devices.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/import/nccl_system.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostHostCpus = 1024;  // all pairs of a host are joined

class SystemReader {
 public:
  explicit SystemReader(const NcclReading& reading) : reading_(reading) {}

  NcclSystem read(pugi::xml_node root) {
    for (const pugi::xml_node child : root.children()) {
      const std::string_view name = child.name();
      if (name == "cpu")
        read_cpu(child);
      else if (name == "pci" || name == "nic")
        read_without_cpu(child);
      else if (name == "gpu")
        refuse_bare_gpu(child);
      else
        leave_out_stray(reading_, child);
    }
    return std::move(system_);
  }

 private:
  // keep="0" marks what NCCL prunes; it takes the marks out of what it dumps.
  bool pruned(pugi::xml_node at) const {
    if (attribute(at, "keep") != "0") return false;
    leave_out(reading_, at, "keep is 0");
    return true;
  }

  void read_cpu(pugi::xml_node at) {
    if (pruned(at)) return;
    if (system_.cpus.size() == kMostHostCpus)
      throw reading_.xml.error(at, fmt::format("there are more than {} cpus", kMostHostCpus),
                               "import one machine at a time");
    NcclCpu cpu = read_nccl_cpu(reading_, at);
    cpu.host = hosts_.emplace(attribute(at, "host_hash"), hosts_.size()).first->second;
    system_.cpus.push_back(std::move(cpu));
    const std::size_t number = system_.cpus.size() - 1;
    for (const pugi::xml_node child : at.children()) {
      const std::string_view name = child.name();
      if (name == "pci")
        read_pci(child, number, std::nullopt);
      else if (name == "nic")
        read_bare_nic(child, number);
      else if (name == "gpu")
        refuse_bare_gpu(child);
      else
        leave_out_stray(reading_, child);
    }
  }

  [[noreturn]] void refuse_bare_gpu(pugi::xml_node at) const {
    throw reading_.xml.error(
        at, "<gpu> stands in no <pci>",
        "write its PCI device around it: <pci busid=\"...\" link_speed=\"...\" "
        "link_width=\"...\"><gpu .../></pci>");
  }

  void read_without_cpu(pugi::xml_node at) {
    reading_.warnings.add(offset_of(at),
                          fmt::format("<{}> stands in no <cpu>; took cpu0 for it", at.name()));
    if (system_.cpus.empty()) {
      NcclCpu cpu = read_nccl_cpu(reading_, at);
      cpu.numa = 0;
      cpu.host = hosts_.emplace("", hosts_.size()).first->second;
      system_.cpus.push_back(std::move(cpu));
    }
    if (std::string_view(at.name()) == "pci")
      read_pci(at, 0, std::nullopt);
    else
      read_bare_nic(at, 0);
  }

  void read_pci(pugi::xml_node at, std::size_t cpu, std::optional<std::size_t> parent) {
    if (pruned(at)) return;
    std::optional<NcclDevice> device = read_nccl_device(reading_, at);
    if (!device) return;
    device->cpu = cpu;
    device->parent = parent;
    check_bus_id(at, *device, system_.cpus[cpu].host);
    const bool is_bridge = device->kind == NcclKind::bridge;
    system_.devices.push_back(std::move(*device));
    if (!is_bridge) return;
    const std::size_t number = system_.devices.size() - 1;
    for (const pugi::xml_node child : at.children()) {
      const std::string_view name = child.name();
      if (name == "pci")
        read_pci(child, cpu, number);
      else if (name == "pcilink")
        leave_out(reading_, child, "a <pcilink> joins two parts of one switch at no stated speed");
      else
        leave_out_stray(reading_, child);
    }
  }

  void check_bus_id(pugi::xml_node at, const NcclDevice& device, std::size_t host) {
    if (device.bus_id.empty())
      reading_.warnings.add(offset_of(at), "busid is missing; no nvlink or xgmi can lead here");
    else if (!bus_ids_.emplace(host, device.bus_id).second)
      reading_.warnings.add(offset_of(at),
                            fmt::format("busid {} stands here again; took two devices, the first "
                                        "is meant where it is a target",
                                        in_quotes(device.bus_id)));
  }

  // A nic without a PCI device, below its cpu.
  void read_bare_nic(pugi::xml_node at, std::size_t cpu) {
    if (pruned(at)) return;
    NcclDevice nic;
    nic.offset = offset_of(at);
    nic.kind = NcclKind::nic;
    nic.cpu = cpu;
    read_nccl_ports(reading_, at, nic);
    place_bare_nic(reading_, nic);
    system_.devices.push_back(std::move(nic));
  }

  const NcclReading& reading_;
  NcclSystem system_;
  std::map<std::string, std::size_t, std::less<>> hosts_;
  std::set<std::pair<std::size_t, std::string>> bus_ids_;
};

// NCCL writes 1, RCCL 2.
void check_version(const NcclReading& reading, pugi::xml_node system) {
  const std::string_view version = attribute(system, "version");
  if (version.empty() || version == "1" || version == "2") return;
  reading.warnings.add(offset_of(system), fmt::format("version is {}, and 1 and 2 are known; read "
                                                      "it as these",
                                                      in_quotes(version)));
}

// <system>, or the document itself around a fragment of one.
pugi::xml_node root_of(const NcclReading& reading) {
  const pugi::xml_node top = reading.xml.top();
  if (const pugi::xml_node system = top.child("system")) {
    reading.warnings.add_beside(system);
    check_version(reading, system);
    return system;
  }
  const pugi::xml_node first =
      top.find_child([](pugi::xml_node child) { return child.type() == pugi::node_element; });
  const std::string_view name = first.name();
  if (name == "graphs")
    throw reading.xml.error(first, "the root is <graphs>: this is a graph of rings and trees",
                            "use it with rings; a machine's root is <system>");
  if (name != "cpu" && name != "pci")
    throw reading.xml.error(first, fmt::format("the root is <{}>", one_line(name)),
                            "a NCCL topology file's root is <system>");
  reading.warnings.add(offset_of(first),
                       fmt::format("the root is <{}>, a part of a file; took it for all", name));
  return top;
}

}  // namespace

NcclSystem read_nccl_system(const NcclReading& reading) {
  return SystemReader(reading).read(root_of(reading));
}

}  // namespace syncsim
