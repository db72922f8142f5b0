#include "sim/topology/import/nvidia_smi.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/topology/import/nvidia_smi_matrix.h"
#include "sim/topology/import/nvidia_smi_nvlink.h"
#include "sim/topology/import/nvidia_smi_tree.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

constexpr std::size_t kRecognised = 1 << 20;  // bytes at the start of a text that are looked at
constexpr int kLanes = 16;                    // of every PCIe link

class Builder {
 public:
  Builder(const SmiMatrix& matrix, const LinkRates& rates, const RateProfile& profile)
      : matrix_(matrix), rates_(rates), profile_(profile) {}

  Topology::Parts build(const PcieTree& tree, const std::vector<NvlinkIsland>& islands) {
    add_devices();
    for (const NvlinkIsland& island : islands) add_island(island);
    const std::size_t first_cpu = add_cpus(tree);
    add_switches(tree, first_cpu);
    add_network();
    describe();
    return std::move(parts_);
  }

 private:
  NodeId add_node(std::string id, Node node) {
    node.id = std::move(id);
    node.forwards = node.kind != NodeKind::gpu;
    parts_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(parts_.nodes.size() - 1);
  }
  NodeId add_node(std::string id, NodeKind kind) {
    Node node;
    node.kind = kind;
    return add_node(std::move(id), node);
  }

  void join(std::size_t a, std::size_t b, const std::string& kind, int count) {
    add_cable(parts_, static_cast<NodeId>(a), static_cast<NodeId>(b),
              rates_.link(profile_, kind, count));
  }

  // Devices are the first nodes, with their numbers in the matrix.
  void add_devices() {
    for (const SmiDevice& device : matrix_.devices) {
      const NodeId node = add_node(device.id, device.is_gpu ? NodeKind::gpu : NodeKind::nic);
      if (device.is_gpu) parts_.ranks.push_back(node);
    }
  }

  void add_island(const NvlinkIsland& island) {
    if (!has_switch(island, profile_)) {
      for (std::size_t i = 0; i < island.gpus.size(); ++i)
        for (std::size_t j = i + 1; j < island.gpus.size(); ++j)
          if (const int links = matrix_.between(island.gpus[i], island.gpus[j]).nvlinks; links > 0)
            add_nvlinks(island.gpus[i], island.gpus[j], links);
      return;
    }
    const NodeId nvs = add_node(fmt::format("nvs{}", nvswitches_++), profile_.nvswitch);
    for (std::size_t i = 0; i < island.gpus.size(); ++i)
      add_nvlinks(island.gpus[i], nvs, island.widest[i]);
  }

  void add_nvlinks(std::size_t a, std::size_t b, int count) {
    join(a, b, "nvlink", count);
    parts_.links[parts_.links.size() - 2].count = count;
    parts_.links[parts_.links.size() - 1].count = count;
  }

  // The node of cpu0; the others follow it.
  std::size_t add_cpus(const PcieTree& tree) {
    const std::size_t first = parts_.nodes.size();
    const std::size_t count = 1 + *std::max_element(tree.cpu.begin(), tree.cpu.end());
    for (std::size_t cpu = 0; cpu < count; ++cpu) {
      add_node(fmt::format("cpu{}", cpu), profile_.cpu);
      for (std::size_t other = 0; other < cpu; ++other)
        join(first + other, first + cpu, "socket", 1);
    }
    return first;
  }

  // Members of each group, by number.
  static std::vector<std::vector<std::size_t>> members(const std::vector<std::size_t>& group) {
    std::vector<std::vector<std::size_t>> result;
    for (std::size_t device = 0; device < group.size(); ++device) {
      if (group[device] >= result.size()) result.resize(group[device] + 1);
      result[group[device]].push_back(device);
    }
    return result;
  }

  NodeId add_plx() { return add_node(fmt::format("plx{}", switches_++), NodeKind::switch_); }

  // A lone device needs no switch below its cpu. All lower switches come before the upper ones.
  void add_switches(const PcieTree& tree, std::size_t first_cpu) {
    const auto lower = members(tree.pix);
    const auto upper = members(tree.pxb);
    std::vector<std::vector<std::size_t>> tops(
        upper.size());  // what hangs on a cpu, or on an upper
    for (const std::vector<std::size_t>& devices : lower) {
      const std::size_t above = tree.pxb[devices.front()];
      std::size_t top = devices.front();
      if (upper[above].size() > 1) {
        top = add_plx();
        for (const std::size_t device : devices) join(device, top, "pcie", kLanes);
      }
      tops[above].push_back(top);
    }
    for (std::size_t group = 0; group < upper.size(); ++group) {
      std::size_t top = tops[group].front();
      if (tops[group].size() > 1) {
        top = add_plx();
        for (const std::size_t below : tops[group]) join(below, top, "pcie", kLanes);
      }
      join(top, first_cpu + tree.cpu[upper[group].front()], "pcie", kLanes);
    }
  }

  void add_network() {
    if (parts_.ranks.size() == matrix_.devices.size()) return;
    const NodeId network = add_node("net0", NodeKind::switch_);
    parts_.nodes[network].forwards = false;
    for (std::size_t device = 0; device < matrix_.devices.size(); ++device)
      if (!matrix_.devices[device].is_gpu) join(device, network, "network", 1);
  }

  void describe() {
    std::string names;
    for (const SmiDevice& device : matrix_.devices) {
      if (device.is_gpu || (device.alias.empty() && device.name.starts_with("NIC"))) continue;
      names += fmt::format("{} {} is {}", names.empty() ? ";" : ",", device.id,
                           device.alias.empty() ? device.name : device.alias);
    }
    parts_.description = fmt::format("{} gpus, {} nics{}", parts_.ranks.size(),
                                     matrix_.devices.size() - parts_.ranks.size(), names);
    parts_.source = fmt::format("nvidia-smi topo -m; rates: profile {}, {}", profile_.name,
                                profile_.description);
  }

  const SmiMatrix& matrix_;
  const LinkRates& rates_;
  const RateProfile& profile_;
  Topology::Parts parts_;
  int nvswitches_ = 0;
  int switches_ = 0;
};

const RateProfile& choose_profile(const SmiMatrix& matrix, const ImportOptions& options,
                                  const std::vector<NvlinkIsland>& islands,
                                  std::vector<std::string>& warnings) {
  if (!options.profile.empty())
    return placed([] { return "--profile"; },
                  [&]() -> const RateProfile& { return options.rates.profile(options.profile); });
  const RateProfile& profile = fitting_profile(islands, options.rates);
  warnings.push_back(fmt::format("{}: took profile {} ({}); choose with --profile", matrix.file,
                                 profile.name, profile.description));
  return profile;
}

}  // namespace

bool looks_like_nvidia_smi(std::string_view text) {
  return holds_smi_line(text.substr(0, kRecognised));
}

Imported read_nvidia_smi(std::string_view text, const std::string& file,
                         const ImportOptions& options) {
  Imported imported;
  const SmiMatrix matrix = read_smi_matrix(text, file, imported.warnings);
  const std::vector<NvlinkIsland> islands = nvlink_islands(matrix);
  const RateProfile& profile = choose_profile(matrix, options, islands, imported.warnings);
  warn_of_excess(matrix, islands, profile, imported.warnings);
  const PcieTree tree = pcie_tree(matrix, imported.warnings);
  imported.parts = Builder(matrix, options.rates, profile).build(tree, islands);
  return imported;
}

}  // namespace syncsim
