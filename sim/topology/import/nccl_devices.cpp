#include "sim/topology/import/nccl_devices.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/import/nccl_attributes.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr int kUsualWidth = 16;
constexpr std::string_view kUnknownSocket = "socket_amd";

// First two digits of a PCI class.
constexpr std::uint64_t kNetworkClass = 0x02;
constexpr std::uint64_t kDisplayClass = 0x03;
constexpr std::uint64_t kAcceleratorClass = 0x12;
constexpr std::uint64_t kBridgeClass = 0x0604;      // first four
constexpr std::uint64_t kDataDirectClass = 0x0801;  // ConnectX-8's own bridge
constexpr std::uint64_t kNvSwitchClass = 0x0680;

int read_generation(const NcclReading& reading, pugi::xml_node at) {
  const std::string_view text = attribute(at, "link_speed");
  if (const int generation = pcie_generation(text); generation != 0) return generation;
  const int taken = unknown_pcie_generation(reading.options);
  const std::string found =
      text.empty() ? "missing" : fmt::format("{}, no speed of PCIe 1 to 6", in_quotes(text));
  const std::string reason = reading.options.profile.empty()
                                 ? "as NCCL does"
                                 : fmt::format("as of profile {}", reading.options.profile);
  reading.warnings.add(offset_of(at), fmt::format("link_speed is {}; took {}, {}", found,
                                                  link_speed(taken), reason));
  return taken;
}

int read_width(const NcclReading& reading, pugi::xml_node at) {
  const std::string_view text = attribute(at, "link_width");
  int width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error == std::errc() && end == text.data() + text.size() && width >= 1 &&
      width <= kPcieWidths.back()) {
    if (!is_pcie_width(width))
      reading.warnings.add(
          offset_of(at),
          fmt::format("link_width is {}, which no PCIe link has; took it as it stands", width));
    return width;
  }
  reading.warnings.add(
      offset_of(at),
      fmt::format("link_width is {}; took x{}",
                  text.empty() ? "missing" : one_line(text.substr(0, 20)), kUsualWidth));
  return kUsualWidth;
}

std::uint64_t read_model(pugi::xml_node at) {
  std::uint64_t model = 0;
  for (const char* name : {"vendor", "device", "subsystem_vendor", "subsystem_device"})
    model = (model << 16) | (hexadecimal_of(at, name).value_or(0) & 0xffff);
  return model;
}

// What a device without <gpu>, <nic> or <pci> in it is, by its class; none for what is no part of
// the machine's traffic.
std::optional<NcclKind> kind_by_class(const NcclReading& reading, pugi::xml_node at,
                                      std::uint64_t pci_class) {
  if (attribute(at, "class").empty()) return NcclKind::unclassed;
  const std::uint64_t group = pci_class >> 16;
  if (group == kDisplayClass || group == kAcceleratorClass) return NcclKind::gpu;
  if (group == kNetworkClass) return NcclKind::nic;
  if (pci_class >> 8 == kBridgeClass || pci_class >> 8 == kDataDirectClass) return NcclKind::bridge;
  if (pci_class >> 8 == kNvSwitchClass)
    leave_out(reading, at, "this is an NVSwitch's own PCI device");
  else
    leave_out(reading, at,
              fmt::format("class {} is no GPU, nic or bridge", in_quotes(attribute(at, "class"))));
  return std::nullopt;
}

std::optional<NcclKind> kind_of(const NcclReading& reading, pugi::xml_node at,
                                std::uint64_t pci_class) {
  if (at.child("gpu")) return NcclKind::gpu;
  if (at.child("nic")) return NcclKind::nic;
  if (at.child("pci")) return NcclKind::bridge;
  return kind_by_class(reading, at, pci_class);
}

// "0x03" is short for 0x030000.
std::uint64_t read_class(pugi::xml_node at) {
  std::uint64_t pci_class = hexadecimal_of(at, "class").value_or(0);
  return pci_class < 0x100 ? pci_class << 16 : pci_class;
}

void read_children(const NcclReading& reading, pugi::xml_node at, NcclDevice& device) {
  bool seen = false;
  for (const pugi::xml_node child : at.children()) {
    const std::string_view name = child.name();
    if (device.kind == NcclKind::nic && name == "nic") {
      read_nccl_ports(reading, child, device);
    } else if (device.kind == NcclKind::gpu && name == "gpu" && !seen) {
      read_nccl_gpu(reading, child, device);
      seen = true;
    } else if (name == "gpu") {
      leave_out(reading, child, "a PCI device holds several <gpu>; took the first");
    } else {
      leave_out_stray(reading, child);
    }
  }
}

}  // namespace

int unknown_pcie_generation(const ImportOptions& options) {
  if (options.profile.empty()) return kNcclPcieGeneration;
  return options.rates.pcie_generation(options.rates.profile(options.profile));
}

NcclCpu read_nccl_cpu(const NcclReading& reading, pugi::xml_node at) {
  NcclCpu cpu;
  cpu.offset = offset_of(at);
  cpu.numa = number_of(reading, at, "numaid", {-1, 1'000'000}).value_or(-1);
  const std::string_view vendor = attribute(at, "vendor");
  const CpuModel model{attribute(at, "arch"), vendor,
                       number_of(reading, at, "familyid", {0, 1'000'000}).value_or(0),
                       number_of(reading, at, "modelid", {0, 1'000'000}).value_or(0)};
  const bool intel = model.arch == "x86_64" && vendor == kIntelVendor;
  if (intel) cpu.peer_cost = reading.options.rates.peer_cost(vendor);
  const auto row = socket_row(model);
  cpu.socket = row.value_or(kUnknownSocket);
  if (!row)
    reading.warnings.add(cpu.offset,
                         fmt::format("no socket link is known for arch {} and vendor {}; took {}",
                                     in_quotes(model.arch), in_quotes(vendor), cpu.socket));
  else if (intel && model.family == 0)
    reading.warnings.add(cpu.offset, fmt::format("familyid is missing; took {}", cpu.socket));
  if (reading.options.profile.empty()) return cpu;
  cpu.socket = reading.options.rates.profile(reading.options.profile).links.at("socket");
  return cpu;
}

std::optional<NcclDevice> read_nccl_device(const NcclReading& reading, pugi::xml_node at) {
  NcclDevice device;
  device.offset = offset_of(at);
  device.pci_class = read_class(at);
  const auto kind = kind_of(reading, at, device.pci_class);
  if (!kind) return std::nullopt;
  device.kind = *kind;
  device.bus_id = canonical_bus_id(attribute(at, "busid"));
  device.generation = read_generation(reading, at);
  device.width = read_width(reading, at);
  device.model = read_model(at);
  device.hinted = *kind == NcclKind::gpu && !at.child("gpu");
  if (*kind == NcclKind::gpu || *kind == NcclKind::nic) read_children(reading, at, device);
  return device;
}

}  // namespace syncsim
