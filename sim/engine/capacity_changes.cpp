#include "sim/engine/capacity_changes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/base/error.h"

namespace syncsim::engine {
namespace {

bool before(const CapacityChange& a, const CapacityChange& b) {
  return std::tie(a.time, a.resource) < std::tie(b.time, b.resource);
}

void require_valid(const CapacityChange& change, const Network& network) {
  require(change.time >= 0, "a capacity changes before time 0");
  require(change.resource < network.resource_count(),
          "the capacity of a resource that is not there changes");
  require(std::isfinite(change.capacity) && change.capacity >= 0,
          "a capacity changes to what is not finite and at least 0");
}

}  // namespace

CapacityChanges::CapacityChanges(const Network& network, std::span<const CapacityChange> changes)
    : left_(changes), next_time_(first_time()) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    require_valid(changes[i], network);
    require(i == 0 || before(changes[i - 1], changes[i]),
            "capacity changes do not ascend by time and resource");
  }
}

std::span<const CapacityChange> CapacityChanges::take() {
  const auto later = std::find_if(left_.begin(), left_.end(), [&](const CapacityChange& change) {
    return change.time != next_time_;
  });
  const auto count = static_cast<std::size_t>(later - left_.begin());
  const std::span<const CapacityChange> taken = left_.first(count);
  left_ = left_.subspan(count);
  next_time_ = first_time();
  return taken;
}

}  // namespace syncsim::engine
