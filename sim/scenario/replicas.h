#pragma once
// A training point run several times, with seeds that count up from its own: replica k is to the
// bit the point with the seed + k. Its time, its step and what is a share of it are the mean's; all
// else is of the first replica.

#include <functional>

#include "sim/scenario/point.h"
#include "sim/scenario/run.h"

namespace syncsim {

inline constexpr int kMostReplicas = 100'000;

// The point once, with the seed that it has.
using RunOnce = std::function<Report(const Point& point, const RunSettings& settings)>;

// Only the first replica is proved and drawn. Throws InputError at the field for replicas where
// nothing is drawn, and for seeds beyond 32 bits; Interrupted when the watch says stop.
Report run_replicas(const Point& point, const RunSettings& settings, const RunOnce& run);

}  // namespace syncsim
