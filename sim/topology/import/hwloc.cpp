#include "sim/topology/import/hwloc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/import/hwloc_cables.h"
#include "sim/topology/import/hwloc_speeds.h"
#include "sim/topology/import/hwloc_tree.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

constexpr std::size_t kRootWithin = 4096;
constexpr std::string_view kXgmi = "xgmi_mi300";
constexpr double kMostBridges = 1000;
constexpr std::string_view kUsualArch = "x86_64";

// hwloc's own declaration, which names a file of its package and declares
// nothing, as blanks: places stay.
std::string without_declaration(std::string_view text) {
  std::string result(text);
  const std::size_t begin = result.substr(0, kRootWithin).find("<!DOCTYPE topology SYSTEM \"hwloc");
  if (begin == result.npos) return result;
  const std::size_t end = result.find('>', begin);
  if (end == result.npos || end - begin > 60 ||
      result.substr(begin, end - begin).find('[') != result.npos)
    return result;
  result.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
  return result;
}

class MachineMaker {
 public:
  MachineMaker(const ImportOptions& options, XmlWarnings& warnings)
      : rates_(options.rates),
        profile_(rates_.profile(options.profile.empty() ? kDefaultProfile : options.profile)),
        takes_profile_(!options.profile.empty()),
        warnings_(warnings),
        speeds_(rates_, profile_, warnings) {}

  Topology::Parts make(const std::vector<HwlocCpu>& cpus, const std::vector<HwlocCable>& cables) {
    add_nodes(cpus);
    NodeId plx = first_plx_;
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu)
      for (const HwlocDevice& device : cpus[cpu].devices)
        join(device, first_cpu_ + static_cast<NodeId>(cpu), plx, cpu);
    join_cpus(cpus);
    for (const HwlocCable& cable : cables) join(cable);
    join_to_switch();
    choose_ranks(cpus, cables.empty());
    if (!cpus.front().model.empty()) parts_.description = one_line(cpus.front().model);
    return std::move(parts_);
  }

 private:
  struct Gpu {
    NodeId node;
    NodeId cpu;
  };
  // Of NVLink or xGMI, in MB/s.
  struct BothWays {
    std::size_t offset = 0;
    LinkKind kind = LinkKind::nvlink;
    double there = 0;
    double back = 0;
  };
  struct Counts {
    NodeId gpus = 0;
    NodeId switches = 0;
    NodeId nics = 0;
  };

  static void count(const std::vector<HwlocDevice>& devices, Counts& counts) {
    for (const HwlocDevice& device : devices) {
      if (device.kind == NodeKind::gpu) ++counts.gpus;
      if (device.kind == NodeKind::nic) ++counts.nics;
      if (device.kind == NodeKind::switch_) ++counts.switches;
      count(device.below, counts);
    }
  }

  NodeId add(std::string_view name, NodeKind kind, NodeId count) {
    const auto first = static_cast<NodeId>(parts_.nodes.size());
    for (NodeId number = 0; number < count; ++number) {
      Node node;
      node.id = fmt::format("{}{}", name, number);
      node.kind = kind;
      node.forwards = kind != NodeKind::gpu;
      parts_.nodes.push_back(std::move(node));
    }
    return first;
  }

  void add_nodes(const std::vector<HwlocCpu>& cpus) {
    Counts counts;
    for (const HwlocCpu& cpu : cpus) count(cpu.devices, counts);
    gpus_ = counts.gpus;
    add("gpu", NodeKind::gpu, counts.gpus);
    first_plx_ = add("plx", NodeKind::switch_, counts.switches);
    first_cpu_ = add("cpu", NodeKind::cpu, static_cast<NodeId>(cpus.size()));
    next_nic_ = add("nic", NodeKind::nic, counts.nics);
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu)
      parts_.nodes[first_cpu_ + cpu].peer_cost = rates_.peer_cost(cpus[cpu].vendor);
  }

  // Nodes are numbered in the order of the text.
  void join(const HwlocDevice& device, NodeId above, NodeId& plx, std::size_t cpu) {
    NodeId own = 0;
    if (device.kind == NodeKind::switch_)
      own = plx++;
    else
      own = device.kind == NodeKind::gpu ? next_gpu_++ : next_nic_++;
    add_cable(parts_, own, above, speeds_.link_above(device));
    for (const std::int64_t object : device.objects)
      gpu_of_.try_emplace(object, Gpu{own, first_cpu_ + static_cast<NodeId>(cpu)});
    for (const HwlocDevice& below : device.below) join(below, own, plx, cpu);
  }

  void join(const HwlocCable& cable) {
    const auto gpu = gpu_of_.find(cable.gpu);
    const auto other = gpu_of_.find(cable.to);
    if (gpu == gpu_of_.end() || (cable.far == HwlocEnd::gpu && other == gpu_of_.end()))
      return warnings_.add(
          cable.offset, fmt::format("a cable of kind {} leads to no gpu of the tree; left it out",
                                    to_string(cable.kind)));
    if (cable.far == HwlocEnd::nvswitch) {
      BothWays& sum = to_switch_[gpu->second.node];
      sum = {cable.offset, cable.kind, sum.there + cable.there, sum.back + cable.back};
    } else {
      const NodeId to = cable.far == HwlocEnd::cpu ? gpu->second.cpu : other->second.node;
      join(gpu->second.node, to, {cable.offset, cable.kind, cable.there, cable.back});
    }
  }

  void join(NodeId from, NodeId to, const BothWays& rates) {
    const bool is_nvlink = rates.kind == LinkKind::nvlink;
    const std::string row = is_nvlink ? usual("nvlink") : std::string(kXgmi);
    const Link& cable = rates_.link(row);
    const double line = cable.bandwidth.bytes_per_second;
    warnings_.add(rates.offset,
                  fmt::format("hwloc does not say what kernels get of {}; took the share of {}, {} "
                              "of {}",
                              is_nvlink ? "NVLink" : "xGMI", row, to_string(cable.usable),
                              to_string(cable.bandwidth)));
    add_cable(parts_, from, to, cable);
    const double count = std::round(std::max(rates.there, rates.back) * 1e6 / line);
    const auto set = [&](Link& link, double megabytes) {
      link.bandwidth = {megabytes * 1e6};
      link.usable = {megabytes * 1e6 * (cable.usable.bytes_per_second / line)};
      link.count = static_cast<int>(std::clamp(count, 1.0, kMostBridges));
    };
    set(parts_.links.end()[-2], rates.there);
    set(parts_.links.end()[-1], rates.back);
  }

  // Several are one node, as for other importers.
  void join_to_switch() {
    if (to_switch_.empty()) return;
    Node nvswitch = profile_.nvswitch;
    nvswitch.id = "nvs0";
    const auto node = static_cast<NodeId>(parts_.nodes.size());
    parts_.nodes.push_back(std::move(nvswitch));
    for (const auto& [gpu, rates] : to_switch_) join(gpu, node, rates);
  }

  const std::string& usual(const std::string& kind) const { return profile_.links.at(kind); }

  // As for NCCL's XML; none where the text says too little.
  std::optional<std::string_view> row_of(const HwlocCpu& cpu) const {
    if (takes_profile_ || (cpu.vendor == kIntelVendor && cpu.family == 0)) return std::nullopt;
    const std::string_view arch = cpu.arch.empty() ? kUsualArch : std::string_view(cpu.arch);
    return socket_row({arch, cpu.vendor, cpu.family, cpu.model_number});
  }

  // Of the cpu with the slowest.
  std::pair<std::string, std::string> socket_of(const std::vector<HwlocCpu>& cpus) const {
    std::pair<std::string, std::string> slowest;
    for (const HwlocCpu& cpu : cpus) {
      const auto row = row_of(cpu);
      const std::string name(row.value_or(usual("socket")));
      if (!slowest.first.empty() && rates_.link(slowest.first).usable <= rates_.link(name).usable)
        continue;
      slowest = {name,
                 row ? "as cpus of this model have" : fmt::format("profile {}", profile_.name)};
    }
    return slowest;
  }

  void join_cpus(const std::vector<HwlocCpu>& cpus) {
    if (cpus.size() < 2) return;
    const auto [row, reason] = socket_of(cpus);
    const Link& socket = rates_.link(row);
    warnings_.add(cpus.front().offset, fmt::format("hwloc does not say how cpus are joined; took "
                                                   "{}, {}, for each pair ({})",
                                                   row, to_string(socket.bandwidth), reason));
    const auto count = static_cast<NodeId>(cpus.size());
    for (NodeId a = 0; a < count; ++a)
      for (NodeId b = a + 1; b < count; ++b)
        add_cable(parts_, first_cpu_ + a, first_cpu_ + b, socket);
  }

  void choose_ranks(const std::vector<HwlocCpu>& cpus, bool is_pcie_alone) {
    const std::size_t place = cpus.front().offset;
    warnings_.add(place, "hwloc does not say how fast memory is; cpus add up without limit");
    if (gpus_ > 1 && is_pcie_alone)
      warnings_.add(place,
                    "hwloc does not say which gpus are joined by NVLink or xGMI; took PCIe alone");
    if (gpus_ == 0) warnings_.add(place, "there are no gpus; the ranks are the cpus");
    const NodeId first = gpus_ == 0 ? first_cpu_ : 0;
    const NodeId count = gpus_ == 0 ? static_cast<NodeId>(cpus.size()) : gpus_;
    for (NodeId rank = 0; rank < count; ++rank) parts_.ranks.push_back(first + rank);
  }

  const LinkRates& rates_;
  const RateProfile& profile_;
  const bool takes_profile_;  // whatever the text says
  XmlWarnings& warnings_;
  HwlocSpeeds speeds_;
  Topology::Parts parts_;
  std::unordered_map<std::int64_t, Gpu> gpu_of_;  // by gp_index
  std::map<NodeId, BothWays> to_switch_;
  NodeId gpus_ = 0;
  NodeId first_plx_ = 0;
  NodeId first_cpu_ = 0;
  NodeId next_gpu_ = 0;
  NodeId next_nic_ = 0;
};

}  // namespace

bool looks_like_hwloc_xml(std::string_view text) {
  const std::string_view begin = text.substr(0, kRootWithin);
  return begin.find("<topology") != begin.npos && begin.find("<object") != begin.npos;
}

Imported read_hwloc_xml(std::string_view text, const std::string& file,
                        const ImportOptions& options) {
  const std::string clean = without_declaration(text);
  const XmlText xml(clean, file);
  XmlWarnings warnings;
  Imported imported;
  imported.parts = MachineMaker(options, warnings)
                       .make(read_hwloc_tree(xml, warnings), read_hwloc_cables(xml, warnings));
  warnings.add_beside(xml.top().child("topology"));
  imported.warnings = warnings.lines(xml);
  return imported;
}

}  // namespace syncsim
