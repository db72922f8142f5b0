#include "sim/topology/import/hwloc_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

using XmlNode = pugi::xml_node;

std::string_view type_of(XmlNode object) { return object.attribute("type").value(); }
bool is_package(XmlNode object) {
  return type_of(object) == "Package" || type_of(object) == "Socket";
}

std::string info_of(XmlNode object, std::string_view name) {
  for (const XmlNode info : object.children("info"))
    if (info.attribute("name").value() == name) return info.attribute("value").value();
  return "";
}

// 0 for what is none.
std::int64_t decimal_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

// "0302 [10de:20b0] [10de:1463] a1"
struct PciType {
  std::string_view device_class;  // four digits
  std::string_view vendor;
};

PciType pci_type(XmlNode device) {
  const std::string_view text = device.attribute("pci_type").value();
  if (text.size() < 10 || text.substr(4, 2) != " [") return {text.substr(0, 4), ""};
  return {text.substr(0, 4), text.substr(6, 4)};
}

// Displays that compute nothing: ASPEED and Matrox (baseboard controllers),
// Bochs, QXL, Cirrus, VMware, Virtio and Hyper-V (virtual machines). PCI ID
// repository, pci.ids.
constexpr std::array<std::string_view, 8> kDisplayVendors = {"1a03", "102b", "1234", "1b36",
                                                             "1013", "15ad", "1af4", "1414"};

// What the operating system calls a GPU ("1") or a coprocessor ("5"):
// hwloc_obj_osdev_type_e.
bool has_coprocessor(XmlNode device) {
  for (const XmlNode child : device.children("object")) {
    const std::string_view kind = child.attribute("osdev_type").value();
    if (type_of(child) == "OSDev" && (kind == "1" || kind == "5")) return true;
  }
  return false;
}

void add_index(XmlNode object, HwlocDevice& device) {
  const std::int64_t index = object.attribute("gp_index").as_llong(-1);
  if (index >= 0) device.objects.push_back(index);
}

constexpr std::size_t kMostBelow = 1024;

class TreeReader {
 public:
  TreeReader(const XmlText& xml, XmlWarnings& warnings) : xml_(xml), warnings_(warnings) {}

  std::vector<HwlocCpu> read() {
    const XmlNode root = xml_.top().child("topology");
    if (!root || !root.child("object"))
      throw xml_.error(xml_.top().first_child(), "there is no hwloc topology",
                       "write one with: lstopo --of xml FILE.xml");
    find_cpus(root);
    if (cpu_objects_.size() > kMostCpus)
      throw xml_.error(root, fmt::format("there are {} cpus", cpu_objects_.size()),
                       fmt::format("import a machine of at most {}", kMostCpus));
    for (const XmlNode object : cpu_objects_) cpus_.push_back(cpu_of(object));
    visit(root, std::nullopt);
    return std::move(cpus_);
  }

 private:
  // Packages, or what holds a NUMA node each, whichever are more; the whole
  // when there are neither.
  void find_cpus(XmlNode root) {
    std::vector<XmlNode> packages;
    std::vector<XmlNode> numa;
    collect(root, packages, numa);
    cpu_objects_ = numa.size() > packages.size() ? numa : packages;
    if (cpu_objects_.empty()) cpu_objects_.push_back(root.child("object"));
  }

  void collect(XmlNode parent, std::vector<XmlNode>& packages, std::vector<XmlNode>& numa) {
    bool holds_memory = false;
    for (const XmlNode object : parent.children("object")) {
      if (is_package(object)) packages.push_back(object);
      if (type_of(object) == "NUMANode") {
        if (object.child("object"))  // hwloc 1: it holds its cores
          numa.push_back(object);
        else if (!std::exchange(holds_memory, true))
          numa.push_back(parent);
      }
      collect(object, packages, numa);
    }
  }

  HwlocCpu cpu_of(XmlNode object) const {
    HwlocCpu cpu;
    cpu.offset = offset_of(object);
    for (XmlNode at = object; at; at = at.parent()) {
      if (cpu.arch.empty()) cpu.arch = info_of(at, "Architecture");
      if (!cpu.model.empty()) continue;
      cpu.vendor = info_of(at, "CPUVendor");
      cpu.model = info_of(at, "CPUModel");
      cpu.family = decimal_of(info_of(at, "CPUFamilyNumber"));
      cpu.model_number = decimal_of(info_of(at, "CPUModelNumber"));
    }
    return cpu;
  }

  std::optional<std::size_t> cpu_at(XmlNode object) const {
    const auto found = std::find(cpu_objects_.begin(), cpu_objects_.end(), object);
    if (found == cpu_objects_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - cpu_objects_.begin());
  }

  std::optional<std::size_t> first_cpu_below(XmlNode parent) const {
    for (const XmlNode object : parent.children("object")) {
      if (const auto cpu = cpu_at(object)) return cpu;
      if (const auto cpu = first_cpu_below(object)) return cpu;
    }
    return std::nullopt;
  }

  // The same, looked for once.
  std::optional<std::size_t> nearest_below(XmlNode parent) {
    const auto known = nearest_.find(parent.hash_value());
    if (known != nearest_.end()) return known->second;
    return nearest_.emplace(parent.hash_value(), first_cpu_below(parent)).first->second;
  }

  // `cpu` is the one that the object is part of.
  void visit(XmlNode parent, std::optional<std::size_t> cpu) {
    for (const XmlNode object : parent.children("object")) {
      const auto own = cpu_at(object);
      if (type_of(object) == "Bridge" || type_of(object) == "PCIDev")
        take_bus(parent, object, cpu);
      else
        visit(object, own ? own : cpu);
    }
  }

  void take_bus(XmlNode parent, XmlNode object, std::optional<std::size_t> cpu) {
    const bool is_host = std::string_view(object.attribute("bridge_type").value()).starts_with('0');
    std::vector<HwlocDevice> devices;
    if (is_host)
      devices = devices_below(object);
    else
      add(devices, device_of(object));
    if (devices.empty()) return;
    if (!cpu) cpu = nearest_below(parent);
    if (!cpu || (parent.parent() == xml_.top().child("topology") && cpus_.size() > 1))
      warnings_.add(offset_of(object),
                    "devices are near no cpu in particular; joined them to the first");
    auto& all = cpus_[cpu.value_or(0)].devices;
    std::move(devices.begin(), devices.end(), std::back_inserter(all));
  }

  // Several functions of one slot are one device.
  void add(std::vector<HwlocDevice>& devices, std::optional<HwlocDevice> device) const {
    if (!device) return;
    if (devices.size() == kMostBelow)
      throw InputError(fmt::format("there are more than {} devices on a bus", kMostBelow),
                       "import the machine in parts", xml_.place(device->offset));
    for (const HwlocDevice& other : devices)
      if (other.kind == device->kind && !device->slot.empty() && other.slot == device->slot) return;
    devices.push_back(*std::move(device));
  }

  std::vector<HwlocDevice> devices_below(XmlNode bridge) {
    std::vector<HwlocDevice> devices;
    for (const XmlNode object : bridge.children("object"))
      if (type_of(object) == "Bridge" || type_of(object) == "PCIDev")
        add(devices, device_of(object));
    return devices;
  }

  std::optional<HwlocDevice> device_of(XmlNode object) {
    HwlocDevice device;
    const std::string_view bus = object.attribute("pci_busid").value();
    device.slot = bus.substr(0, bus.find('.'));
    device.gigabytes = speed_of(object);
    device.offset = offset_of(object);
    if (type_of(object) == "Bridge") return bridge_of(object, std::move(device));
    const auto kind = kind_of(object);
    if (!kind) return std::nullopt;
    device.kind = *kind;
    device.vendor = pci_type(object).vendor;
    add_index(object, device);
    for (const XmlNode child : object.children("object")) add_index(child, device);
    return device;
  }

  std::optional<HwlocDevice> bridge_of(XmlNode object, HwlocDevice bridge) {
    std::vector<HwlocDevice> below = devices_below(object);
    if (below.empty()) return std::nullopt;
    if (below.size() > 1) {
      bridge.kind = NodeKind::switch_;
      bridge.slot.clear();
      bridge.below = std::move(below);
      return bridge;
    }
    HwlocDevice only = std::move(below.front());
    if (bridge.gigabytes > 0 && (only.gigabytes == 0 || bridge.gigabytes < only.gigabytes))
      only.gigabytes = bridge.gigabytes;
    return only;
  }

  std::optional<NodeKind> kind_of(XmlNode device) {
    const PciType type = pci_type(device);
    if (type.device_class.starts_with("02")) return NodeKind::nic;
    const bool displays = type.device_class.starts_with("03");
    if (displays && std::find(kDisplayVendors.begin(), kDisplayVendors.end(), type.vendor) !=
                        kDisplayVendors.end()) {
      warnings_.add(offset_of(device), fmt::format("a display of vendor {} computes nothing; left "
                                                   "it out",
                                                   type.vendor));
      return std::nullopt;
    }
    if (displays || type.device_class.starts_with("12") || has_coprocessor(device))
      return NodeKind::gpu;
    return std::nullopt;
  }

  double speed_of(XmlNode device) {
    const std::string_view text = device.attribute("pci_link_speed").value();
    if (text.empty()) return 0;
    double speed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
    constexpr double kMost = 1e6;  // GB/s
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(speed) &&
        speed >= 0 && speed < kMost)
      return speed;
    throw xml_.error(device, fmt::format("pci_link_speed is {}", in_quotes(text)),
                     "write GB/s, as in \"15.753846\"");
  }

  const XmlText& xml_;
  XmlWarnings& warnings_;
  std::vector<XmlNode> cpu_objects_;
  std::vector<HwlocCpu> cpus_;
  std::unordered_map<std::size_t, std::optional<std::size_t>> nearest_;  // by the parent's hash
};

}  // namespace

std::vector<HwlocCpu> read_hwloc_tree(const XmlText& xml, XmlWarnings& warnings) {
  return TreeReader(xml, warnings).read();
}

}  // namespace syncsim
