#pragma once
// What the NV# cells of a matrix say: islands of gpus that NVLink joins, with or without a switch,
// and which profile fits them.

#include <cstddef>
#include <string>
#include <vector>

#include "sim/topology/import/link_rates.h"
#include "sim/topology/import/nvidia_smi_matrix.h"

namespace syncsim {

// Gpus that NVLink joins, directly or over others, and how many links each of them has.
struct NvlinkIsland {
  std::vector<std::size_t> gpus;  // indices of devices
  std::vector<int> cells;         // of each gpu, the sum of its NV# cells
  std::vector<int> widest;        // and the largest of them
  int peers = 0;                  // the most gpus that one is joined to
  bool could_switch = false;      // every pair has the fewer of the widest of its two gpus
};

std::vector<NvlinkIsland> nvlink_islands(const SmiMatrix& matrix);

// Whether the island's gpus, of that profile, must hang on an NVSwitch: at least three, and more
// direct links than such a gpu has.
bool has_switch(const NvlinkIsland& island, const RateProfile& profile);

// The profile that wastes the fewest links, direct cables before switches, earlier rows before
// later ones. Without any NVLink: kDefaultProfile. Where none fits: the one with the most links.
const RateProfile& fitting_profile(const std::vector<NvlinkIsland>& islands,
                                   const LinkRates& rates);

// One line for each island in which a gpu has more links than one of the profile.
void warn_of_excess(const SmiMatrix& matrix, const std::vector<NvlinkIsland>& islands,
                    const RateProfile& profile, std::vector<std::string>& warnings);

}  // namespace syncsim
