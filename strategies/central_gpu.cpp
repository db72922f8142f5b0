// Aggregation on one GPU (Dive into Deep Learning, "Parameter Servers"): n-1 gradients share the
// way into the root, then n-1 copies of the sum share the way out: 2(n-1) M / B on one port.

#include "strategies/hub.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {

void emit_central_gpu(const StrategyInput& input, ScheduleBuilder& builder) {
  const bool chosen = input.parameters.text("root") != "auto";
  const auto root = chosen ? input.parameters.integer("root", 0, builder.ranks() - 1)
                           : std::int64_t{builder.collective().root};
  emit_through_hub(input, builder, static_cast<ParticipantId>(root));
}

}  // namespace syncsim::strategy
