#include "sim/topology/import/hwloc_speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr int kUsualLanes = 16;

}  // namespace

// hwloc rounds, and counts coded bits a little otherwise. 15.75 GB/s is x16 of generation 3 rather
// than x8 of 4.
std::optional<HwlocSpeeds::Lanes> HwlocSpeeds::lanes_of(double gigabytes) const {
  constexpr double kTolerance = 0.01;
  for (const int count : kUsualPcieWidths)
    for (int generation = 1; generation <= kLastPcieGeneration; ++generation) {
      const double rate = rates_.pcie(generation, count).bandwidth.bytes_per_second * 1e-9;
      if (std::abs(gigabytes / rate - 1) < kTolerance) return Lanes{generation, count};
    }
  return std::nullopt;
}

// 0 when it does not look idle.
int HwlocSpeeds::idle_lanes(const HwlocDevice& device) const {
  for (const int lanes : {16, 8})
    if (device.gigabytes * 1e9 == rates_.pcie(1, lanes).bandwidth.bytes_per_second) return lanes;
  return 0;
}

// The fastest of the gpus below; 0 when all idle or are unknown, -1 without gpus.
int HwlocSpeeds::awake_generation(const HwlocDevice& device) const {
  int fastest = -1;
  for (const HwlocDevice& below : device.below) {
    if (below.kind == NodeKind::switch_) fastest = std::max(fastest, awake_generation(below));
    if (below.kind != NodeKind::gpu) continue;
    const auto lanes = idle_lanes(below) == 0 ? lanes_of(below.gigabytes) : std::nullopt;
    fastest = std::max(fastest, lanes ? lanes->generation : 0);
  }
  return fastest;
}

Link HwlocSpeeds::link_above(const HwlocDevice& device) {
  if (const int lanes = idle_lanes(device); lanes > 0 && device.kind != NodeKind::nic)
    return woken(device, lanes);
  if (device.gigabytes == 0) {
    const Lanes lanes{rates_.pcie_generation(profile_), kUsualLanes};
    warnings_.add(device.offset, fmt::format("the link's speed is unknown; took {}{}",
                                             text_of(lanes), of_profile()));
    return link_of(lanes);
  }
  if (const auto lanes = lanes_of(device.gigabytes)) return link_of(*lanes);
  return kept(device);
}

Link HwlocSpeeds::woken(const HwlocDevice& device, int count) {
  const int below = device.kind == NodeKind::gpu ? 0 : awake_generation(device);
  if (below < 0 || below == 1) return link_of({1, count});
  const Lanes lanes{below > 0 ? below : rates_.pcie_generation(profile_), count};
  warnings_.add(
      device.offset,
      fmt::format("the link of a {} is at Gen1, as when {}; took {}{}", to_string(device.kind),
                  device.kind == NodeKind::gpu ? "it idles" : "the gpus below it idle",
                  text_of(lanes), below > 0 ? ", as of the fastest gpu below it" : of_profile()));
  return link_of(lanes);
}

Link HwlocSpeeds::kept(const HwlocDevice& device) {
  Link link = rates_.link(profile_, "pcie", 1);
  const double usable = link.usable.bytes_per_second / link.bandwidth.bytes_per_second;
  link.bandwidth = {device.gigabytes * 1e9};
  link.usable = {device.gigabytes * 1e9 * usable};
  link.lanes = link.generation = 0;
  warnings_.add(device.offset, fmt::format("a link of {} GB/s is of no PCIe generation; kept it",
                                           device.gigabytes));
  return link;
}

std::string HwlocSpeeds::text_of(const Lanes& lanes) const {
  return fmt::format("{} lanes of {}, {}", lanes.count, pcie_row(lanes.generation),
                     to_string(link_of(lanes).bandwidth));
}

std::string HwlocSpeeds::of_profile() const { return fmt::format(" (profile {})", profile_.name); }

}  // namespace syncsim
