// The nvlink and xgmi cables of GPUs: what both ends say of them, made one.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/base/quote.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/import/nccl_system.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

constexpr std::string_view kUnknownNvlink = "nvlink3";  // as NCCL takes
constexpr std::string_view kUnknownXgmi = "xgmi_mi300";

// What the two ends of a bundle say of it.
struct Bundle {
  std::size_t offset = 0;
  int there = 0;  // as the gpu of the lower number says
  int back = 0;
  bool xgmi = false;
};

class Cables {
 public:
  Cables(const NcclReading& reading, const NcclSystem& system, const NcclNodes& nodes,
         Topology::Parts& parts)
      : reading_(reading),
        rates_(reading.options.rates),
        system_(system),
        gpus_(nodes.gpus),
        nodes_(nodes),
        parts_(parts) {}

  void join() {
    gather_cables();
    join_gpus();
  }

 private:
  const NcclDevice& device(std::size_t number) const { return system_.devices[number]; }

  void warn(std::size_t offset, std::string text) {
    reading_.warnings.add(offset, std::move(text));
  }

  // Of one cable of a gpu's.
  const Link& cable_of(const NcclDevice& gpu, bool xgmi) {
    if (xgmi) return xgmi_of(gpu);
    const std::string& profile = reading_.options.profile;
    if (!profile.empty()) {
      const auto& links = rates_.profile(profile).links;
      if (const auto nvlink = links.find("nvlink"); nvlink != links.end())
        return rates_.link(nvlink->second);
    }
    if (const auto row = nvlink_row(gpu.sm.value_or(0))) return rates_.link(*row);
    warn(gpu.offset, fmt::format("sm is {}, which no NVLink is known for; took {}, as NCCL does",
                                 gpu.sm ? std::to_string(*gpu.sm) : "missing", kUnknownNvlink));
    return rates_.link(kUnknownNvlink);
  }

  const Link& xgmi_of(const NcclDevice& gpu) {
    const bool by_sm = gpu.gcn.empty() && gpu.sm;
    const std::string name = by_sm ? std::to_string(*gpu.sm) : gpu.gcn;
    if (const auto row = xgmi_row(name)) return rates_.link(*row);
    warn(gpu.offset,
         fmt::format("{} is {}, which no xGMI link is known for; took {}", by_sm ? "sm" : "gcn",
                     name.empty() ? "missing" : in_quotes(name), kUnknownXgmi));
    return rates_.link(kUnknownXgmi);
  }

  static Link bundled(Link cable, int count) {
    cable.bandwidth.bytes_per_second *= count;
    cable.usable.bytes_per_second *= count;
    cable.count = count;
    return cable;
  }

  void gather_cables() {
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      places_.emplace(std::pair(host_of(gpus_[i]), device(gpus_[i]).bus_id), i);
      of_bus_id_[device(gpus_[i]).bus_id].push_back(i);
    }
    for (std::size_t i = 0; i < gpus_.size(); ++i)
      for (const NcclCable& cable : device(gpus_[i]).cables) gather(i, cable, target_of(i, cable));
  }

  // Of the gpu's own host, or else of another where no bus id can be mistaken: only one gpu of the
  // file has the target's, and only this one its own.
  std::optional<std::size_t> target_of(std::size_t gpu, const NcclCable& cable) {
    if (cable.target.empty()) return std::nullopt;
    const auto place = places_.find(std::pair(host_of(gpus_[gpu]), cable.target));
    if (place != places_.end()) return place->second;
    const auto others = of_bus_id_.find(cable.target);
    if (others == of_bus_id_.end() || cable.far != NcclFar::gpu) return std::nullopt;
    if (others->second.size() > 1 || of_bus_id_[device(gpus_[gpu]).bus_id].size() > 1)
      return std::nullopt;
    warn(cable.offset, "the target is a GPU of another host_hash; took the cable all the same");
    return others->second.front();
  }

  std::size_t host_of(std::size_t number) const { return system_.cpus[device(number).cpu].host; }

  void gather(std::size_t gpu, const NcclCable& cable, std::optional<std::size_t> target) {
    if (cable.far == NcclFar::cpu) {
      to_cpu_[gpu] += cable.count;
    } else if (cable.far == NcclFar::nvswitch) {
      to_switch_[gpu] += cable.count;
    } else if (target == gpu) {
      warn(cable.offset, "a GPU is joined to itself; left it out");
    } else if (target) {
      Bundle& bundle = bundles_[std::minmax(gpu, *target)];
      if (bundle.there + bundle.back == 0) bundle.offset = cable.offset;
      (gpu < *target ? bundle.there : bundle.back) += cable.count;
      bundle.xgmi |= cable.xgmi;
    } else if (!cable.classed && !cable.xgmi) {
      warn(cable.offset,
           "tclass is missing and no GPU has this busid; took an NVSwitch for it, as "
           "NCCL does");
      to_switch_[gpu] += cable.count;
    } else {
      warn(cable.offset, "the target is no GPU of this file; left the cable out");
    }
  }

  void join_gpus() {
    for (const auto& [ends, bundle] : bundles_) {
      const auto [low, high] = ends;
      if (bundle.there == 0 || bundle.back == 0)
        warn(bundle.offset, "the other end does not tell of this cable; took it both ways");
      else if (bundle.there != bundle.back)
        warn(bundle.offset, fmt::format("the ends count {} and {} cables; took the larger",
                                        bundle.there, bundle.back));
      const Link& one = cable_of(device(gpus_[low]), bundle.xgmi);
      const Link& other = cable_of(device(gpus_[high]), bundle.xgmi);
      add_cable(
          parts_, nodes_.node_of[gpus_[low]], nodes_.node_of[gpus_[high]],
          bundled(one.usable <= other.usable ? one : other, std::max(bundle.there, bundle.back)));
    }
    join_gpus_to_switch();
    for (const auto& [gpu, count] : to_cpu_)
      add_cable(parts_, nodes_.node_of[gpus_[gpu]], nodes_.cpus[device(gpus_[gpu]).cpu],
                bundled(cable_of(device(gpus_[gpu]), false), count));
    warn_of_no_cables();
  }

  void join_gpus_to_switch() {
    if (to_switch_.empty()) return;
    const auto hub = static_cast<NodeId>(parts_.nodes.size());
    Node nvswitch;
    nvswitch.id = "nvs0";
    nvswitch.kind = NodeKind::switch_;
    bool sharp = true;
    for (const auto& [gpu, count] : to_switch_) {
      const NcclDevice& end = device(gpus_[gpu]);
      add_cable(parts_, nodes_.node_of[gpus_[gpu]], hub, bundled(cable_of(end, false), count));
      sharp &= end.sm.value_or(0) >= kSharpGeneration && end.gcn.empty();
    }
    nvswitch.abilities = {sharp, sharp};
    parts_.nodes.push_back(std::move(nvswitch));
  }

  void warn_of_no_cables() {
    const bool any_c2c = std::any_of(gpus_.begin(), gpus_.end(),
                                     [&](std::size_t gpu) { return device(gpu).c2c.has_value(); });
    if (gpus_.size() < 2 || any_c2c || device(gpus_.front()).hinted) return;
    if (!bundles_.empty() || !to_switch_.empty() || !to_cpu_.empty()) return;
    warn(device(gpus_.front()).offset,
         "no GPU has an nvlink or xgmi, as where the file leaves them to NCCL to find (it writes "
         "them to NCCL_TOPO_DUMP_FILE); took PCIe alone");
  }

  const NcclReading& reading_;
  const LinkRates& rates_;
  const NcclSystem& system_;
  const std::vector<std::size_t>& gpus_;
  const NcclNodes& nodes_;
  Topology::Parts& parts_;
  std::map<std::pair<std::size_t, std::string>, std::size_t>
      places_;                                                     // in gpus_, by host and bus id
  std::map<std::string, std::vector<std::size_t>> of_bus_id_;      // of all hosts
  std::map<std::pair<std::size_t, std::size_t>, Bundle> bundles_;  // by places in gpus_
  std::map<std::size_t, int> to_switch_, to_cpu_;                  // the same
};

}  // namespace

void join_nccl_gpus(const NcclReading& reading, const NcclSystem& system, const NcclNodes& nodes,
                    Topology::Parts& parts) {
  Cables(reading, system, nodes, parts).join();
}

}  // namespace syncsim
