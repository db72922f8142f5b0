#pragma once
// Widths and generations of PCIe links, from the PCI Express Base Specification: transfers a second
// and lane, and their coding. Not measurements, so they stand here. A link that does not know its
// lanes or its generation has 0.

#include <array>
#include <cstdint>

namespace syncsim {

inline constexpr std::array kPcieWidths = {1, 2, 4, 8, 12, 16, 32};
inline constexpr int kLastPcieGeneration = 6;

constexpr bool is_pcie_width(std::int64_t lanes) {
  for (const int width : kPcieWidths)
    if (width == lanes) return true;
  return false;
}

// Gbit/s of a lane: 2.5 and 5 GT/s coded 8b/10b; 8, 16 and 32 GT/s coded 128b/130b; generation 6
// (64 GT/s, FLITs) as usually quoted, twice generation 5. `generation` is 1 to 6.
constexpr double pcie_lane_gigabits(int generation) {
  constexpr std::array kRates = {2.5 * 8 / 10,     5.0 * 8 / 10,     8.0 * 128 / 130,
                                 16.0 * 128 / 130, 32.0 * 128 / 130, 64.0 * 128 / 130};
  return kRates.at(static_cast<std::size_t>(generation - 1));
}

}  // namespace syncsim
