// Aggregation spread over all GPUs (Dive into Deep Learning, "Parameter Servers"; also called
// sharded or two-shot direct): partition i is added up on GPU i, and sent from there to all. 2
// (n-1)/n M / B where every GPU has a port of its own. What is not summed goes straight to its
// holder.

#include <algorithm>
#include <string_view>
#include <vector>

#include "strategies/direct.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

using Kind = CollectiveKind;

struct Step {
  Kind kind;
  std::string_view phase;
};

std::vector<Step> steps_of(Kind kind) {
  const Step reduce{Kind::reduce_scatter, "reduce"};
  const Step broadcast{Kind::all_gather, "broadcast"};
  if (sums_everywhere(kind)) return {reduce, broadcast};
  if (kind == Kind::reduce) return {reduce, {Kind::gather, "gather"}};
  if (kind == Kind::broadcast) return {{Kind::scatter, "scatter"}, broadcast};
  if (kind == Kind::reduce_scatter) return {reduce};
  if (kind == Kind::all_gather) return {broadcast};
  return {{kind, is_pairwise(kind) ? "exchange" : to_string(kind)}};
}

}  // namespace

void emit_distributed(const StrategyInput&, ScheduleBuilder& builder) {
  const std::vector<Step> steps = steps_of(builder.collective().kind);
  Collective collective = builder.collective();
  Expected expected;
  for (const Step& step : steps) {
    collective.kind = step.kind;
    expected.ops += direct_transfers(collective);
    expected.lanes = std::max(expected.lanes, direct_transfers(collective));
  }
  builder.expect(expected);
  for (const Step& step : steps) {
    collective.kind = step.kind;
    builder.phase(step.phase);
    builder.scope({.collective = collective}, [&] { emit_directly(builder); });
  }
}

}  // namespace syncsim::strategy
