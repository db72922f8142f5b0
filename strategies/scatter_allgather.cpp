// The long-message broadcast of MPI libraries (van de Geijn; Chan, Heimlich, Purkayastha and van de
// Geijn, CCPE 19(13), 2007): the root's parts go out over a binomial tree, one to each rank, and
// then around rings, in (ceil(lg p) + p - 1) a + 2 (p-1)/p n b. A reduce is the same backwards:
// parts are added up around the rings and then gathered over the tree.

#include "strategies/strategies.h"

namespace syncsim::strategy {

void emit_scatter_allgather(const StrategyInput& input, ScheduleBuilder& builder) {
  const auto step = [&](CollectiveKind kind, auto emit) {
    Collective collective = builder.collective();
    collective.kind = kind;
    builder.scope({.collective = collective}, [&] { emit(input, builder); });
  };
  if (builder.collective().kind == CollectiveKind::broadcast) {
    step(CollectiveKind::scatter, emit_binomial_tree);
    step(CollectiveKind::all_gather, emit_ring);
  } else {
    step(CollectiveKind::reduce_scatter, emit_ring);
    step(CollectiveKind::gather, emit_binomial_tree);
  }
}

}  // namespace syncsim::strategy
