#include "sim/scenario/library/library_tuner.h"

#include <algorithm>

namespace syncsim {

LibraryTuner::LibraryTuner(const Topology& machine, std::span<const NodeId> ranks,
                           const Collective& collective, const LibraryTerms& terms,
                           const std::string& rates)
    : collective_(collective),
      formula_(machine, ranks, collective.kind, rates, terms.pins),
      costs_(machine, ranks, collective.kind, terms, formula_, rates) {}

LibraryPlan LibraryTuner::plan(Bytes bytes, std::optional<NcclAlgorithm> only) const {
  return plan_of(formula_, collective_, bytes, only);
}

LibraryStrategy LibraryTuner::strategy(const LibraryPlan& plan, Bytes bytes) const {
  return strategy_of(plan, collective_.kind, formula_.graph(), costs_.chunks(plan, bytes));
}

double LibraryTuner::microseconds(const LibraryPlan& plan, double device) const {
  return std::max(costs_.host(), costs_.call(plan) + device);
}

LibraryCall LibraryTuner::call(const LibraryPlan& plan) const {
  return {costs_.terms().library,
          std::string(plan.pairwise ? "send/recv" : to_string(plan.algorithm)),
          std::string(to_string(plan.protocol)),
          channels(),
          costs_.call(plan),
          costs_.host(),
          costs_.assumed()};
}

}  // namespace syncsim
