#pragma once
// Whether a schedule means anything at all: every index exists, both ends of an op match in size,
// edges are well stored and join ops that share a participant. All later checks rely on it.

#include <optional>

#include "sim/schedule/check.h"

namespace syncsim::checking {

// The first two walks over the ops that `pace` counts.
std::optional<Violation> check_structure(const Schedule& schedule, Pace& pace);

}  // namespace syncsim::checking
