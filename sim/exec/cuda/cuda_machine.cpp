#include "sim/exec/cuda/cuda_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/topology/link_type.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr int kUsualLanes = 16;

std::string_view profile_of(int capability) {
  constexpr std::pair<int, std::string_view> kFirst[] = {
      {100, "blackwell"}, {90, "hopper"}, {86, "ampere_workstation"},
      {80, "ampere"},     {75, "turing"}, {70, "volta"},
      {60, "pascal"}};
  for (const auto& [least, profile] : kFirst)
    if (capability >= least) return profile;
  return kDefaultProfile;
}

class Builder {
 public:
  Builder(const CudaFacts& facts, const LinkRates& rates, const std::string& profile, int ranks)
      : facts_(facts),
        rates_(rates),
        profile_(rates.profile(profile.empty() ? profile_of(facts.devices.front().capability)
                                               : profile)),
        devices_(std::min(facts.devices.size(), static_cast<std::size_t>(ranks))),
        ranks_(static_cast<std::size_t>(ranks)) {}

  CudaMachine build() {
    for (std::size_t rank = 0; rank < ranks_; ++rank) add_rank(rank);
    for (std::size_t device = 0; device < devices_; ++device) add_memory(device);
    add_nvlinks();
    add_cpus();
    for (std::size_t device = 0; device < devices_; ++device) add_pcie(device);
    choose_peers();
    describe();
    return std::move(machine_);
  }

 private:
  const CudaDevice& device_of(std::size_t rank) const { return facts_.devices[rank % devices_]; }
  bool is_shared(std::size_t device) const { return device + devices_ < ranks_; }

  NodeId add_node(std::string id, Node node) {
    node.id = std::move(id);
    machine_.parts.nodes.push_back(std::move(node));
    return static_cast<NodeId>(machine_.parts.nodes.size() - 1);
  }

  void add_rank(std::size_t rank) {
    Node node;
    node.kind = NodeKind::gpu;
    node.forwards = false;
    if (const double bytes = device_of(rank).bandwidth.bytes_per_second; bytes > 0)
      node.reduce_bandwidth = Bandwidth{bytes / 3};
    machine_.parts.ranks.push_back(add_node(fmt::format("gpu{}", rank), node));
  }

  // Where a device's links end: its only rank, or the memory that its ranks share.
  void add_memory(std::size_t device) {
    if (!is_shared(device)) return ports_.push_back(static_cast<NodeId>(device));
    const double bytes = facts_.devices[device].bandwidth.bytes_per_second;
    if (bytes <= 0)
      throw InputError(fmt::format("the memory bandwidth of device {} is not known", device),
                       "import a rank a device, without --ranks");
    Node memory;
    memory.kind = NodeKind::switch_;
    memory.transit_bandwidth = Bandwidth{bytes / 2};
    ports_.push_back(add_node(fmt::format("hbm{}", device), memory));
    Link link;
    link.kind = LinkKind::c2c;  // of the class of NVLink: peers are not staged over it
    link.bandwidth = link.usable = Bandwidth{bytes};
    for (std::size_t rank = device; rank < ranks_; rank += devices_)
      add_cable(machine_.parts, static_cast<NodeId>(rank), ports_.back(), link);
  }

  int nvlinks_between(std::size_t a, std::size_t b) const {
    const auto to = [&](std::size_t from, std::size_t other) {
      const std::vector<int>& links = facts_.devices[from].nvlinks;
      return links.empty() ? 0 : links[other];
    };
    return std::max(to(a, b), to(b, a));
  }

  void add_nvlinks(NodeId a, NodeId b, int count) {
    Link link = rates_.link(profile_, "nvlink", count);
    add_cable(machine_.parts, a, b, link);
    machine_.parts.links[machine_.parts.links.size() - 2].count = count;
    machine_.parts.links[machine_.parts.links.size() - 1].count = count;
  }

  void add_nvlinks() {
    for (std::size_t a = 0; a < devices_; ++a)
      for (std::size_t b = a + 1; b < devices_; ++b)
        if (const int count = nvlinks_between(a, b); count > 0)
          add_nvlinks(ports_[a], ports_[b], count);
    std::vector<std::size_t> switched;
    for (std::size_t device = 0; device < devices_; ++device)
      if (facts_.devices[device].switch_nvlinks > 0) switched.push_back(device);
    if (switched.size() < 2) return;
    const NodeId nvs = add_node("nvs0", profile_.nvswitch);
    for (const std::size_t device : switched)
      add_nvlinks(ports_[device], nvs, facts_.devices[device].switch_nvlinks);
  }

  // One a NUMA node of a device; what is not known of is at the first.
  void add_cpus() {
    for (std::size_t device = 0; device < devices_; ++device)
      if (const int numa = facts_.devices[device].numa; numa >= 0) numas_.push_back(numa);
    std::sort(numas_.begin(), numas_.end());
    numas_.erase(std::unique(numas_.begin(), numas_.end()), numas_.end());
    const std::size_t count = std::max<std::size_t>(numas_.size(), 1);
    first_cpu_ = static_cast<NodeId>(machine_.parts.nodes.size());
    for (NodeId cpu = 0; cpu < count; ++cpu) {
      add_node(fmt::format("cpu{}", cpu), profile_.cpu);
      for (NodeId other = 0; other < cpu; ++other)
        add_cable(machine_.parts, first_cpu_ + other, first_cpu_ + cpu,
                  rates_.link(profile_, "socket", 1));
    }
  }

  NodeId cpu_of(const CudaDevice& device) const {
    const auto found = std::find(numas_.begin(), numas_.end(), device.numa);
    return first_cpu_ + (found == numas_.end() ? 0 : static_cast<NodeId>(found - numas_.begin()));
  }

  void add_pcie(std::size_t number) {
    const CudaDevice& device = facts_.devices[number];
    const bool known = device.pcie_generation >= 1 &&
                       device.pcie_generation <= kLastPcieGeneration &&
                       is_pcie_width(device.pcie_lanes);
    if (!known)
      machine_.warnings.push_back(
          fmt::format("device {}: its PCIe link is not known; took {} lanes of profile {}", number,
                      kUsualLanes, profile_.name));
    add_cable(machine_.parts, ports_[number], cpu_of(device),
              known ? rates_.pcie(device.pcie_generation, device.pcie_lanes)
                    : rates_.link(profile_, "pcie", kUsualLanes));
  }

  bool joined_by_nvlink(std::size_t a, std::size_t b) const {
    return nvlinks_between(a, b) > 0 ||
           (facts_.devices[a].switch_nvlinks > 0 && facts_.devices[b].switch_nvlinks > 0);
  }

  // The farthest level at which all pairs that have no NVLink reach each other.
  void choose_peers() {
    bool near = true;
    bool far = true;
    for (std::size_t a = 0; a < devices_; ++a)
      for (std::size_t b = 0; b < devices_; ++b) {
        if (a == b || joined_by_nvlink(a, b) || facts_.devices[a].reaches[b]) continue;
        const bool same = cpu_of(facts_.devices[a]) == cpu_of(facts_.devices[b]);
        (same ? near : far) = false;
      }
    machine_.parts.routing.p2p = !near ? PeerLevel::nvl : far ? PeerLevel::sys : PeerLevel::phb;
  }

  void describe() {
    std::string names;
    for (std::size_t device = 0; device < devices_; ++device)
      names += fmt::format("{}device {}: {}", device == 0 ? "" : ", ", device,
                           facts_.devices[device].name);
    machine_.parts.description =
        fmt::format("{} on {}; {}", counted(ranks_, "rank"), counted(devices_, "GPU"), names);
    machine_.parts.source = fmt::format(
        "CUDA runtime and NVML; rates: profile {}, {}; memory {} (clock and width of the bus)",
        profile_.name, profile_.description,
        facts_.devices.front().bandwidth.bytes_per_second > 0
            ? to_string(facts_.devices.front().bandwidth)
            : "unknown");
  }

  const CudaFacts& facts_;
  const LinkRates& rates_;
  const RateProfile& profile_;
  std::size_t devices_;
  std::size_t ranks_;
  CudaMachine machine_;
  std::vector<NodeId> ports_;  // by device
  std::vector<int> numas_;
  NodeId first_cpu_ = 0;
};

}  // namespace

CudaMachine cuda_machine(const CudaFacts& facts, const LinkRates& rates, const std::string& profile,
                         int ranks) {
  require(!facts.devices.empty(), "a machine of GPUs without any");
  const int count = ranks == 0 ? static_cast<int>(facts.devices.size()) : ranks;
  CudaMachine machine = Builder(facts, rates, profile, count).build();
  for (const std::string& note : facts.notes) machine.warnings.push_back(note);
  return machine;
}

}  // namespace syncsim
