#pragma once
// Widths and generations of PCIe links, from the PCI Express Base Specification: transfers a second
// and lane, and their coding. Not measurements, so they stand here. A link that does not know its
// lanes or its generation has 0.

#include <array>
#include <cstdint>

namespace syncsim {

inline constexpr std::array kPcieWidths = {1, 2, 4, 8, 12, 16, 32};
inline constexpr std::array kUsualPcieWidths = {16, 8, 4, 2, 1};  // of what is built today
inline constexpr int kLastPcieGeneration = 6;
// GT/s of a lane, from generation 1 on.
inline constexpr std::array<double, kLastPcieGeneration> kPcieGigaTransfers = {2.5, 5,  8,
                                                                               16,  32, 64};

constexpr bool is_pcie_width(std::int64_t lanes) {
  for (const int width : kPcieWidths)
    if (width == lanes) return true;
  return false;
}

// Gbit/s of a lane: coded 8b/10b up to generation 2, then 128b/130b; generation 6 (FLITs) as
// usually quoted, twice generation 5. `generation` is 1 to 6.
constexpr double pcie_lane_gigabits(int generation) {
  const double transfers = kPcieGigaTransfers.at(static_cast<std::size_t>(generation - 1));
  return generation <= 2 ? transfers * 8 / 10 : transfers * 128 / 130;
}

}  // namespace syncsim
