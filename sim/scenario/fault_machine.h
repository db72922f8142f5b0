#pragma once
// What a training step runs on when something is lost: bandwidths that fall in mid-step, and the
// point that runs after the recovery.

#include <optional>
#include <vector>

#include "sim/scenario/point.h"
#include "sim/scenario/setting.h"

namespace syncsim {

// What the fault does to links at that time: those of a lost rank or server carry nothing more.
// Throws InputError at the fault's place for what the run has not, and for links made faster.
std::vector<LinkChange> changes_by(const Fault& fault, Time at, const Point& point,
                                   const Setting& setting);

// The same steps after the recovery, without faults of their own, with `lost` parts away: the
// fault's first, then the last of the others. nullopt: nobody is left.
std::optional<Point> after_loss(const Point& point, const Setting& setting, int lost);

}  // namespace syncsim
