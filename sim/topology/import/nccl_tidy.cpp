// What NCCL makes of a PCI tree, and what is made of one that says too little.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/topology/import/nccl_names.h"
#include "sim/topology/import/nccl_system.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kVgaClass = 0x0300;  // first four digits: also what boards show text with

// The generation of a Broadcom switch that shows itself as two levels of bridges, 0 for others.
// `level` is 0 for the upper one. Source: NCCL, topo.cc.
int split_switch(std::uint64_t model, int level) {
  const std::uint64_t series = model >> 12;
  if (series == 0x1000c0101000a) return 4;
  if (series == (level == 0 ? 0x1000c03010000 : 0x1000c03010001)) return 5;
  return 0;
}

class Tidy {
 public:
  Tidy(const NcclReading& reading, NcclSystem& system)
      : reading_(reading), system_(system), devices_(system.devices) {}

  void run() {
    settle_kinds();
    drop_dead_ends();
    join_split_switches();
    join_chains();
    wake_gpus();
    wake_bridges();
    warn_of_slow_bridges();
    warn_of_flat_tree();
  }

 private:
  void warn(const NcclDevice& at, std::string text) {
    reading_.warnings.add(at.offset, std::move(text));
  }

  void drop(NcclDevice& device, std::string_view why) {
    device.gone = true;
    warn(device, fmt::format("{}; left it out", why));
  }

  template <class Holds>
  bool any(const Holds& holds) const {
    return std::any_of(devices_.begin(), devices_.end(),
                       [&](const NcclDevice& device) { return !device.gone && holds(device); });
  }

  void settle_kinds() {
    const auto is_gpu = [](const NcclDevice& device) { return device.kind == NcclKind::gpu; };
    const auto is_unclassed = [](const NcclDevice& device) {
      return device.kind == NcclKind::unclassed;
    };
    if (any([&](const NcclDevice& device) { return is_gpu(device) && !device.hinted; })) {
      for (NcclDevice& device : devices_)
        if (device.hinted) drop(device, "a GPU without <gpu> takes no part in the job");
    } else if (any(is_gpu)) {
      settle_hinted_gpus();
    } else if (any(is_unclassed)) {
      settle_unclassed();
    } else {
      throw InputError("there are no GPUs", "a machine has at least one <gpu>",
                       reading_.xml.file());
    }
    for (NcclDevice& device : devices_)
      if (is_unclassed(device)) drop(device, "nothing says what this device is");
  }

  void settle_hinted_gpus() {
    const auto is_vga = [](const NcclDevice& device) { return device.pci_class >> 8 == kVgaClass; };
    if (any([&](const NcclDevice& device) { return device.hinted && !is_vga(device); }))
      for (NcclDevice& device : devices_)
        if (device.hinted && is_vga(device)) drop(device, "a display stands beside GPUs");
    for (const NcclDevice& device : devices_)
      if (device.hinted && !device.gone)
        warn(device,
             "no <gpu> tells of this GPU (NCCL writes it to NCCL_TOPO_DUMP_FILE); took it for one by "
             "its class, in file order, and no NVLink");
  }

  // As many below each cpu are GPUs as the cpu with the fewest has; what stands behind them, nics.
  void settle_unclassed() {
    std::map<std::size_t, std::vector<NcclDevice*>> by_cpu;
    for (NcclDevice& device : devices_)
      if (device.kind == NcclKind::unclassed) by_cpu[device.cpu].push_back(&device);
    std::size_t fewest = devices_.size();
    for (const auto& [cpu, found] : by_cpu) fewest = std::min(fewest, found.size());
    for (const auto& [cpu, found] : by_cpu)
      for (std::size_t i = 0; i < found.size(); ++i) {
        found[i]->kind = i < fewest ? NcclKind::gpu : NcclKind::nic;
        warn(*found[i], i < fewest
                            ? "no class says what this is; took it for a GPU without NVLinks"
                            : "no class says what this is; took it for a nic, as its cpu has more "
                              "devices than another");
      }
  }

  std::vector<std::vector<std::size_t>> children() const {
    std::vector<std::vector<std::size_t>> below(devices_.size());
    for (std::size_t i = 0; i < devices_.size(); ++i)
      if (!devices_[i].gone && devices_[i].parent) below[*devices_[i].parent].push_back(i);
    return below;
  }

  void drop_dead_ends() {
    std::vector<bool> alive(devices_.size());
    for (std::size_t i = devices_.size(); i-- > 0;) {
      NcclDevice& device = devices_[i];
      if (!device.gone && device.kind != NcclKind::bridge) alive[i] = true;
      if (alive[i] && device.parent) alive[*device.parent] = true;
    }
    for (std::size_t i = 0; i < devices_.size(); ++i)
      if (!alive[i] && !devices_[i].gone) drop(devices_[i], "a bridge has no GPU or nic below it");
  }

  // `lower` is `upper` from now on.
  void join(std::size_t upper, std::size_t lower, const std::vector<std::size_t>& below_lower) {
    devices_[lower].gone = true;
    for (const std::size_t child : below_lower) devices_[child].parent = upper;
  }

  void join_split_switches() {
    const auto below = children();
    for (std::size_t upper = 0; upper < devices_.size(); ++upper) {
      const int generation = split_switch(devices_[upper].model, 0);
      if (generation == 0 || devices_[upper].gone) continue;
      for (const std::size_t lower : below[upper])
        if (devices_[lower].kind == NcclKind::bridge &&
            split_switch(devices_[lower].model, 1) == generation)
          join(upper, lower, below[lower]);
    }
  }

  double rate(const NcclDevice& device) const {
    return reading_.options.rates.pcie(device.generation, device.width).bandwidth.bytes_per_second;
  }

  // A bridge above nothing but a bridge is one switch with it, joined upwards at the slower rate.
  void join_chains() {
    auto below = children();
    for (std::size_t upper = 0; upper < devices_.size(); ++upper) {
      if (devices_[upper].gone) continue;
      while (below[upper].size() == 1 && devices_[below[upper][0]].kind == NcclKind::bridge) {
        const std::size_t lower = below[upper][0];
        if (rate(devices_[lower]) < rate(devices_[upper])) {
          devices_[upper].generation = devices_[lower].generation;
          devices_[upper].width = devices_[lower].width;
        }
        join(upper, lower, below[lower]);
        below[upper] = std::move(below[lower]);
      }
    }
  }

  int fastest_gpu() const {
    int fastest = 0;
    for (const NcclDevice& device : devices_)
      if (!device.gone && device.kind == NcclKind::gpu)
        fastest = std::max(fastest, device.generation);
    return fastest;
  }

  // The speed of a GPU at rest, and where it is from.
  std::pair<int, std::string> awake(const NcclDevice& gpu, int fastest) const {
    if (fastest > 1) return {fastest, "as the fastest GPU has"};
    if (gpu.parent && devices_[*gpu.parent].generation > 1)
      return {devices_[*gpu.parent].generation, "as its bridge has"};
    const auto profile = gpu.gcn.empty() ? profile_of(gpu.sm.value_or(0)) : std::nullopt;
    if (profile && reading_.options.profile.empty()) {
      const LinkRates& rates = reading_.options.rates;
      if (const int generation = rates.pcie_generation(rates.profile(*profile)); generation > 1)
        return {generation, fmt::format("as of profile {}", *profile)};
    }
    return {unknown_pcie_generation(reading_.options), "as for unknown speeds"};
  }

  void wake_gpus() {
    const int fastest = fastest_gpu();
    for (NcclDevice& gpu : devices_) {
      if (gpu.gone || gpu.kind != NcclKind::gpu || gpu.generation != 1) continue;
      const auto [generation, reason] = awake(gpu, fastest);
      warn(gpu, fmt::format("the link of a GPU is at {}, as it is while idle; took {}, {}",
                            link_speed(1), link_speed(generation), reason));
      gpu.generation = generation;
    }
  }

  void wake_bridges() {
    for (const NcclDevice& gpu : devices_) {
      if (gpu.gone || gpu.kind != NcclKind::gpu || !gpu.parent) continue;
      NcclDevice& bridge = devices_[*gpu.parent];
      if (bridge.generation != 1) continue;
      warn(bridge,
           fmt::format("the link of a bridge is at {}, as it is while idle; took {}, as the GPU "
                       "below it has",
                       link_speed(1), link_speed(gpu.generation)));
      bridge.generation = gpu.generation;
    }
  }

  void warn_of_slow_bridges() {
    const auto below = children();
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const NcclDevice& bridge = devices_[i];
      if (bridge.gone || bridge.kind != NcclKind::bridge || bridge.generation > 2) continue;
      if (std::all_of(below[i].begin(), below[i].end(),
                      [&](std::size_t child) { return devices_[child].generation > 2; }))
        warn(bridge, fmt::format("the link of a bridge is at {}, slower than all below it; took it "
                                 "as it stands, as NCCL does",
                                 link_speed(bridge.generation)));
    }
  }

  void warn_of_flat_tree() {
    const auto is_bridge = [](const NcclDevice& device) { return device.kind == NcclKind::bridge; };
    const auto gpus = std::count_if(devices_.begin(), devices_.end(), [](const NcclDevice& device) {
      return !device.gone && device.kind == NcclKind::gpu;
    });
    if (gpus < 2 || any(is_bridge)) return;
    reading_.warnings.add(system_.cpus.front().offset,
                          "there is no PCIe switch: took a root port for every device, though a "
                          "virtual machine may hide the switches");
  }

  const NcclReading& reading_;
  NcclSystem& system_;
  std::vector<NcclDevice>& devices_;
};

}  // namespace

void tidy_nccl_system(const NcclReading& reading, NcclSystem& system) {
  Tidy(reading, system).run();
}

}  // namespace syncsim
