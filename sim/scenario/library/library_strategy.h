#pragma once
// What a library runs for a call: algorithm and protocol as its tuner chooses them, and the generic
// strategy that is the same schedule, with channels and chunks as the library cuts them.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/exec/cost_model/cost_model.h"
#include "sim/exec/nccl/nccl_formula.h"
#include "sim/schedule/collective.h"

namespace syncsim {

// Cheapest by NCCL's formula, of all algorithms or of one. Point to point (send-recv, all-to-all,
// gather, scatter) has none: up to 16 KiB for a peer go by LL. Throws InputError, without a place,
// where the algorithm does not apply.
LibraryPlan plan_of(const NcclFormula& formula, const Collective& collective, Bytes bytes,
                    std::optional<NcclAlgorithm> only = std::nullopt);

struct LibraryStrategy {
  std::string name;  // of strategies()
  std::map<std::string, std::string> parameters;
};
LibraryStrategy strategy_of(const LibraryPlan& plan, CollectiveKind kind, const NcclGraph& graph,
                            int chunks);

}  // namespace syncsim
