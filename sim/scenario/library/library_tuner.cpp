#include "sim/scenario/library/library_tuner.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/scenario/library/library_words.h"

namespace syncsim {

LibraryTuner::LibraryTuner(const Topology& machine, std::span<const NodeId> ranks,
                           const Collective& collective, const LibraryTerms& terms,
                           const std::string& rates)
    : collective_(collective),
      formula_(machine, ranks, collective.kind, rates, terms.pins),
      costs_(machine, ranks, collective.kind, terms, formula_, rates) {}

LibraryPlan LibraryTuner::plan(Bytes bytes, std::optional<NcclAlgorithm> only) const {
  const std::string& asked = costs_.terms().algorithm;
  if (!only && !asked.empty() && !is_point_to_point(collective_.kind)) {
    const Word<NcclAlgorithm>* const word = algorithms().find(asked);
    only = word == nullptr ? NcclAlgorithm::ring : word->value;
    if (!std::isfinite(formula_.best(bytes, only).microseconds))
      throw InputError("algorithm " + asked + " is nothing that the library would run here",
                       "pin another one, or none");
  }
  return plan_of(formula_, collective_, bytes, only);
}

std::string LibraryTuner::schedule() const {
  const std::string& asked = costs_.terms().algorithm;
  return algorithms().find(asked) == nullptr ? asked : "";
}

LibraryStrategy LibraryTuner::strategy(const LibraryPlan& plan, Bytes bytes) const {
  if (!schedule().empty()) return {schedule(), {}};
  return strategy_of(plan, collective_.kind, formula_.graph(), costs_.chunks(plan, bytes));
}

double LibraryTuner::microseconds(const LibraryPlan& plan, double device) const {
  return std::max(costs_.host(), costs_.call(plan) + device);
}

LibraryCall LibraryTuner::call(const LibraryPlan& plan) const {
  const std::string own(plan.pairwise ? "send/recv" : to_string(plan.algorithm));
  return {costs_.terms().library,
          schedule().empty() ? own : schedule(),
          std::string(to_string(plan.protocol)),
          channels(),
          costs_.call(plan),
          costs_.host(),
          costs_.assumed()};
}

}  // namespace syncsim
