#include "sim/topology/import/nvidia_smi_nvlink.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sim/topology/import/pasted_text.h"

namespace syncsim {
namespace {

bool joined(const SmiMatrix& matrix, std::size_t a, std::size_t b) {
  return matrix.between(a, b).path == PathClass::nvlink;
}

// All that NVLink reaches from `start`, in column order.
std::vector<std::size_t> reached(const SmiMatrix& matrix, std::size_t start,
                                 std::vector<bool>& seen) {
  std::vector<std::size_t> found = {start};
  seen[start] = true;
  for (std::size_t next = 0; next < found.size(); ++next)
    for (std::size_t other = 0; other < matrix.devices.size(); ++other)
      if (!seen[other] && joined(matrix, found[next], other)) {
        seen[other] = true;
        found.push_back(other);
      }
  std::sort(found.begin(), found.end());
  return found;
}

NvlinkIsland describe(const SmiMatrix& matrix, std::vector<std::size_t> gpus) {
  NvlinkIsland island;
  for (const std::size_t a : gpus) {
    int sum = 0;
    int widest = 0;
    int peers = 0;
    for (const std::size_t b : gpus) {
      const int links = matrix.between(a, b).nvlinks;
      sum += links;
      widest = std::max(widest, links);
      peers += links > 0 ? 1 : 0;
    }
    island.cells.push_back(sum);
    island.widest.push_back(widest);
    island.peers = std::max(island.peers, peers);
  }
  island.could_switch = gpus.size() > 2;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (matrix.between(gpus[i], gpus[j]).nvlinks != std::min(island.widest[i], island.widest[j]))
        island.could_switch = false;
  island.gpus = std::move(gpus);
  return island;
}

int most(const std::vector<int>& counts) { return *std::max_element(counts.begin(), counts.end()); }

// How many links of the profile's gpus the island leaves idle; nothing when it cannot be of it.
// Doubled, and one more for a switch, so that of equals direct cables come first.
std::optional<int> waste(const NvlinkIsland& island, const RateProfile& profile) {
  if (most(island.widest) > profile.nvlinks || most(island.widest) > profile.nvlinks_per_peer ||
      island.peers > profile.nvlink_peers)
    return std::nullopt;
  if (!has_switch(island, profile)) {
    const int idle = profile.nvlinks - most(island.cells);
    return idle < 0 ? std::nullopt : std::optional<int>(2 * idle);
  }
  if (profile.nvlinks_per_peer != RateProfile::kNoLimit) return std::nullopt;
  return 2 * (profile.nvlinks - most(island.widest)) + 1;
}

std::optional<int> waste(const std::vector<NvlinkIsland>& islands, const RateProfile& profile) {
  int worst = 0;
  for (const NvlinkIsland& island : islands) {
    const auto idle = waste(island, profile);
    if (!idle) return std::nullopt;
    worst = std::max(worst, *idle);
  }
  return worst;
}

}  // namespace

std::vector<NvlinkIsland> nvlink_islands(const SmiMatrix& matrix) {
  std::vector<NvlinkIsland> islands;
  std::vector<bool> seen(matrix.devices.size());
  for (std::size_t device = 0; device < matrix.devices.size(); ++device) {
    if (seen[device]) continue;
    std::vector<std::size_t> gpus = reached(matrix, device, seen);
    if (gpus.size() > 1) islands.push_back(describe(matrix, std::move(gpus)));
  }
  return islands;
}

bool has_switch(const NvlinkIsland& island, const RateProfile& profile) {
  return island.could_switch && most(island.cells) > profile.nvlinks;
}

const RateProfile& fitting_profile(const std::vector<NvlinkIsland>& islands,
                                   const LinkRates& rates) {
  if (islands.empty()) return rates.profile(kDefaultProfile);
  const RateProfile* best = nullptr;
  const RateProfile* largest = nullptr;
  int least = std::numeric_limits<int>::max();
  for (const RateProfile& profile : rates.profiles()) {
    if (largest == nullptr || profile.nvlinks > largest->nvlinks) largest = &profile;
    const auto idle = waste(islands, profile);
    if (!idle || *idle >= least) continue;
    least = *idle;
    best = &profile;
  }
  if (best != nullptr) return *best;
  return largest != nullptr ? *largest : rates.profile(kDefaultProfile);
}

void warn_of_excess(const SmiMatrix& matrix, const std::vector<NvlinkIsland>& islands,
                    const RateProfile& profile, std::vector<std::string>& warnings) {
  for (const NvlinkIsland& island : islands) {
    const std::vector<int>& links = has_switch(island, profile) ? island.widest : island.cells;
    const auto worst = std::max_element(links.begin(), links.end());
    if (*worst <= profile.nvlinks) continue;
    const std::size_t gpu = island.gpus[static_cast<std::size_t>(worst - links.begin())];
    warnings.push_back(
        fmt::format("{}: {} has {} NVLinks and a gpu of profile {} has {}; took what the cells say",
                    place_of(matrix.file, matrix.at(gpu, gpu).line, 1), matrix.devices[gpu].name,
                    *worst, profile.name, profile.nvlinks));
  }
}

}  // namespace syncsim
