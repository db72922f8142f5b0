#include "sim/engine/fluid_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "sim/base/error.h"
#include "sim/engine/clock.h"
#include "sim/engine/run_state.h"

namespace syncsim::engine {
namespace {

std::string deadlock_message(const std::vector<std::uint32_t>& ops, std::uint64_t unfinished,
                             const std::vector<Stall>& stalls) {
  std::string message = fmt::format("deadlock: {} ops can never finish: {}{}", unfinished,
                                    fmt::join(ops, ", "), unfinished > ops.size() ? ", ..." : "");
  for (const Stall& stall : stalls)
    message +=
        fmt::format("; op {} waits for resource {}, of capacity 0", stall.op, stall.resource);
  return message;
}

}  // namespace

Deadlock::Deadlock(std::vector<std::uint32_t> ops, std::uint64_t count, std::vector<Stall> stalling,
                   std::uint64_t stall_count)
    : std::runtime_error(deadlock_message(ops, count, stalling)),
      blocked(std::move(ops)),
      unfinished(count),
      stalls(std::move(stalling)),
      stalled(stall_count) {}

void require_valid(const Lane& lane) {
  require(lane.latency.ps >= 0 && lane.overhead.ps >= 0, "a lane's latency or overhead is below 0");
  require(std::isfinite(lane.weight) && lane.weight > 0,
          "a lane's weight is not finite and above 0");
  require(std::isfinite(lane.maximum_rate) && lane.maximum_rate >= 0,
          "a lane's maximum rate is not finite and at least 0");
}

void require_delivered(std::uint32_t op, std::int64_t bytes, double left, double rate) {
  if (std::abs(left) <= rate * 1e-12 + static_cast<double>(bytes) * 1e-9) return;
  throw InternalError(fmt::format("op {} ends with {} of its {} bytes left", op, left, bytes));
}

}  // namespace syncsim::engine
