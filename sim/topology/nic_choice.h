#pragma once
// Rule 5 of routing.h, the part about nics: which of several equally good ones a gpu uses is
// settled before the ways through the fabric are. Going out first, of the first nics on the paths;
// then coming in, of the last nics that can still be reached.

#include "sim/topology/best_paths.h"

namespace syncsim {

// Whether there are several first or several last nics.
bool has_nic_choice(const Topology& topology, const BestPaths& best);

// Takes the paths through other nics away.
void choose_nics(const Topology& topology, const Choice& choice, BestPaths& best);

}  // namespace syncsim
