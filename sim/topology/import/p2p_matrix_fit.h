#pragma once
// The fit itself: rules 1 to 5 of p2p_matrix.h.

#include <string>
#include <vector>

#include "sim/topology/import/p2p_matrix_text.h"
#include "sim/topology/topology.h"

namespace syncsim {

// The machine with the figures fitted, and appends to `warnings`. Throws InputError when the
// sections are of other gpus than the machine's or hold nothing that can be fitted.
Topology::Parts fit_p2p(const P2pSections& sections, const Topology& machine,
                        std::vector<std::string>& warnings);

// The policy's level, moved no farther than needed, with which the pairs with connectivity 1 are
// direct and those with 0 staged. Where no level does that, the old one and a warning.
PeerLevel fitted_level(const P2pSections& sections, const Topology& machine,
                       std::vector<std::string>& warnings);

}  // namespace syncsim
