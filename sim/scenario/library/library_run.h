#pragma once
// A point run at a library's costs (sim/exec/cost_model): a generic strategy, or what the library
// itself would run, where the point's strategy is one of
//   nccl                                  what its tuner takes: algorithm and protocol
//   nccl_ring, nccl_tree, nvls, nvls_tree, pat   that algorithm, with the protocol that it takes
// Of the library "none" they are the same schedules, free of costs.

#include <optional>

#include "sim/scenario/candidates.h"
#include "sim/scenario/run.h"
#include "sim/scenario/setting.h"

namespace syncsim {

// The point's own strategy, which is no choice, at the costs of its field "library".
Report run_at_costs(const Point& point, const Setting& setting, const RunSettings& settings);

// What the library would run: of all algorithms, or of one. Without a field "library" it is that of
// the gpus' maker.
Report run_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                      std::optional<NcclAlgorithm> only);
Candidate chosen_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                            std::optional<NcclAlgorithm> only);

}  // namespace syncsim
