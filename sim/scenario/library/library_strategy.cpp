#include "sim/scenario/library/library_strategy.h"

#include <cmath>

#include "sim/base/error.h"

namespace syncsim {
namespace {

constexpr Bytes kByLines{16'384};  // point to point

LibraryPlan pairwise_plan(const Collective& collective, Bytes bytes) {
  const bool next = collective.kind == CollectiveKind::send_recv;
  const Bytes pair{next ? bytes.count : bytes.count / collective.ranks};
  return {NcclAlgorithm::ring, pair <= kByLines ? NcclProtocol::ll : NcclProtocol::simple, true};
}

// Both ways round where links lead from rank to rank: through a switch one way keeps both busy.
LibraryStrategy ring(CollectiveKind kind, const NcclGraph& graph, int chunks) {
  LibraryStrategy strategy{"ring", {}};
  if (graph.nodes == 1 && graph.nvlink && !graph.switched)
    strategy.parameters["directions"] = "both";
  if (is_chained(kind)) strategy.parameters["chunks"] = std::to_string(chunks);
  return strategy;
}

}  // namespace

LibraryPlan plan_of(const NcclFormula& formula, const Collective& collective, Bytes bytes,
                    std::optional<NcclAlgorithm> only) {
  if (is_point_to_point(collective.kind)) return pairwise_plan(collective, bytes);
  const NcclFormula::Choice choice = formula.best(bytes, only);
  if (!std::isfinite(choice.microseconds))
    throw InputError(only ? std::string(to_string(*only)) + " is nothing that NCCL would run here"
                          : "NCCL would run nothing here",
                     "name nccl, which takes what applies");
  return {choice.algorithm, choice.protocol, false};
}

LibraryStrategy strategy_of(const LibraryPlan& plan, CollectiveKind kind, const NcclGraph& graph,
                            int chunks) {
  if (plan.pairwise) return {"one_shot", {}};
  const std::string pieces = std::to_string(chunks);
  switch (plan.algorithm) {
    case NcclAlgorithm::tree:
      return {"node_trees", {{"chunks", pieces}}};
    case NcclAlgorithm::ring:
      return ring(kind, graph, chunks);
    case NcclAlgorithm::pat:
      return {kind == CollectiveKind::all_gather ? "bruck" : "halving_doubling", {}};
    case NcclAlgorithm::nvls:
      return {"in_network", {}};
    case NcclAlgorithm::nvls_tree:
      return {"hierarchical",
              {{"inner", "in_network"},
               {"outer", "double_binary_tree"},
               {"across", "rails"},
               {"chunks", pieces}}};
  }
  return {"ring", {}};
}

}  // namespace syncsim
