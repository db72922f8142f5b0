#include "sim/topology/import/hwloc.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/import/hwloc_tree.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/link_type.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr std::size_t kLookedAt = 4096;

// hwloc's own declaration, which names a file of its package and declares
// nothing, as blanks: places stay.
std::string without_declaration(std::string_view text) {
  std::string result(text);
  const std::size_t begin = result.substr(0, kLookedAt).find("<!DOCTYPE topology SYSTEM \"hwloc");
  if (begin == result.npos) return result;
  const std::size_t end = result.find('>', begin);
  if (end == result.npos || end - begin > 60 ||
      result.substr(begin, end - begin).find('[') != result.npos)
    return result;
  result.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
  return result;
}

// A PCIe link by its lanes, which are of a link rate.
struct Lanes {
  std::string lane;
  int count = 16;
};

std::string lane_of(int generation) { return fmt::format("pcie{}_x1", generation); }

// 0 when the rate is none of a generation.
int generation_of(std::string_view lane) {
  for (int generation = 1; generation <= kLastPcieGeneration; ++generation)
    if (lane == lane_of(generation)) return generation;
  return 0;
}

class MachineMaker {
 public:
  MachineMaker(const ImportOptions& options, XmlWarnings& warnings)
      : rates_(options.rates),
        profile_(rates_.profile(options.profile.empty() ? kDefaultProfile : options.profile)),
        warnings_(warnings) {}

  Topology::Parts make(const std::vector<HwlocCpu>& cpus) {
    add_nodes(cpus);
    NodeId plx = first_plx_;
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu)
      for (const HwlocDevice& device : cpus[cpu].devices)
        join(device, first_cpu_ + static_cast<NodeId>(cpu), plx);
    join_cpus(cpus);
    choose_ranks(cpus);
    if (!cpus.front().model.empty()) parts_.description = one_line(cpus.front().model);
    return std::move(parts_);
  }

 private:
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
      if (cpus[cpu].vendor == "GenuineIntel")
        parts_.nodes[first_cpu_ + cpu].peer_cost = kIntelPeerCost;
  }

  // Nodes are numbered in the order of the text.
  void join(const HwlocDevice& device, NodeId above, NodeId& plx) {
    NodeId own = 0;
    if (device.kind == NodeKind::switch_)
      own = plx++;
    else
      own = device.kind == NodeKind::gpu ? next_gpu_++ : next_nic_++;
    add_cable(parts_, own, above, link_of(device));
    for (const HwlocDevice& below : device.below) join(below, own, plx);
  }

  Link pcie(const Lanes& lanes) const {
    Link link = bundle_of(rates_.link(lanes.lane), lanes.count);
    link.count = 1;
    link.lanes = static_cast<std::uint8_t>(lanes.count);
    link.generation = static_cast<std::uint8_t>(generation_of(lanes.lane));
    return link;
  }

  const std::string& usual(const std::string& kind) const { return profile_.links.at(kind); }

  Link link_of(const HwlocDevice& device) {
    const double idle_lanes =
        device.gigabytes * 1e9 / rates_.link(lane_of(1)).bandwidth.bytes_per_second;
    if (device.kind == NodeKind::gpu && (idle_lanes == 16 || idle_lanes == 8)) {
      const Lanes lanes{usual("pcie"), static_cast<int>(idle_lanes)};
      warn(device,
           fmt::format("the link of a gpu is at Gen1, as when it idles; took {}", text_of(lanes)));
      return pcie(lanes);
    }
    if (device.gigabytes == 0) {
      const Lanes lanes{usual("pcie"), 16};
      warn(device, fmt::format("the link's speed is unknown; took {}", text_of(lanes)));
      return pcie(lanes);
    }
    if (const auto lanes = lanes_of(device.gigabytes)) return pcie(*lanes);
    Link link = rates_.link(usual("pcie"));
    const double usable = link.usable.bytes_per_second / link.bandwidth.bytes_per_second;
    link.bandwidth = {device.gigabytes * 1e9};
    link.usable = {device.gigabytes * 1e9 * usable};
    link.lanes = link.generation = 0;
    warn(device,
         fmt::format("a link of {} GB/s is of no PCIe generation; kept it", device.gigabytes));
    return link;
  }

  // As many lanes as can be, up to 16: 15.75 GB/s is x16 of generation 3 rather
  // than x8 of 4. hwloc rounds, and counts coded bits a little otherwise.
  std::optional<Lanes> lanes_of(double gigabytes) const {
    constexpr double kTolerance = 0.01;
    for (const int count : {16, 8, 4, 2, 1})
      for (int generation = 1; generation <= kLastPcieGeneration; ++generation) {
        const std::string lane = lane_of(generation);
        const double rate = rates_.link(lane).bandwidth.bytes_per_second * count * 1e-9;
        if (std::abs(gigabytes / rate - 1) < kTolerance) return Lanes{lane, count};
      }
    return std::nullopt;
  }

  std::string text_of(const Lanes& lanes) const {
    return fmt::format("{} lanes of {}, {}{}", lanes.count, lanes.lane,
                       to_string(pcie(lanes).bandwidth), of_profile());
  }

  std::string of_profile() const { return fmt::format(" (profile {})", profile_.name); }

  void join_cpus(const std::vector<HwlocCpu>& cpus) {
    if (cpus.size() < 2) return;
    const Link& socket = rates_.link(usual("socket"));
    warnings_.add(cpus.front().offset,
                  fmt::format("hwloc does not say how cpus are joined; took "
                              "{}, {}, for each pair{}",
                              usual("socket"), to_string(socket.bandwidth), of_profile()));
    const auto count = static_cast<NodeId>(cpus.size());
    for (NodeId a = 0; a < count; ++a)
      for (NodeId b = a + 1; b < count; ++b)
        add_cable(parts_, first_cpu_ + a, first_cpu_ + b, socket);
  }

  void choose_ranks(const std::vector<HwlocCpu>& cpus) {
    const std::size_t place = cpus.front().offset;
    warnings_.add(place,
                  "hwloc does not say how fast memory is; cpus pass on "
                  "and add up without "
                  "limit");
    if (gpus_ > 1)
      warnings_.add(place,
                    "hwloc does not say which gpus are joined by NVLink "
                    "or xGMI; took PCIe "
                    "alone");
    if (gpus_ == 0) warnings_.add(place, "there are no gpus; the ranks are the cpus");
    const NodeId first = gpus_ == 0 ? first_cpu_ : 0;
    const NodeId count = gpus_ == 0 ? static_cast<NodeId>(cpus.size()) : gpus_;
    for (NodeId rank = 0; rank < count; ++rank) parts_.ranks.push_back(first + rank);
  }

  void warn(const HwlocDevice& device, std::string text) {
    warnings_.add(device.offset, std::move(text));
  }

  const LinkRates& rates_;
  const RateProfile& profile_;
  XmlWarnings& warnings_;
  Topology::Parts parts_;
  NodeId gpus_ = 0;
  NodeId first_plx_ = 0;
  NodeId first_cpu_ = 0;
  NodeId next_gpu_ = 0;
  NodeId next_nic_ = 0;
};

}  // namespace

bool looks_like_hwloc_xml(std::string_view text) {
  const std::string_view begin = text.substr(0, kLookedAt);
  return begin.find("<topology") != begin.npos && begin.find("<object") != begin.npos;
}

Imported read_hwloc_xml(std::string_view text, const std::string& file,
                        const ImportOptions& options) {
  const std::string clean = without_declaration(text);
  const XmlText xml(clean, file);
  XmlWarnings warnings;
  Imported imported;
  imported.parts = MachineMaker(options, warnings).make(read_hwloc_tree(xml, warnings));
  imported.warnings = warnings.lines(xml);
  return imported;
}

}  // namespace syncsim
