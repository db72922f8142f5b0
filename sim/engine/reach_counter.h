#pragma once
// How many flows each resource may carry at once, each lane counted once.

#include <cstdint>
#include <vector>

#include "sim/engine/lane.h"
#include "sim/engine/network.h"

namespace syncsim::engine {

class ReachCounter {
 public:
  explicit ReachCounter(const Network& network)
      : network_(network),
        lanes_on_(network.resource_count(), 0),
        last_(network.resource_count(), kNoLane) {}

  void add(std::uint32_t lane, RouteIndex route) {
    for (const Use& use : network_.route(route)) {
      if (last_[use.resource] == lane) continue;
      last_[use.resource] = lane;
      ++lanes_on_[use.resource];
    }
  }
  const std::vector<std::uint32_t>& lanes_on() const { return lanes_on_; }

 private:
  const Network& network_;
  std::vector<std::uint32_t> lanes_on_;
  std::vector<std::uint32_t> last_;
};

}  // namespace syncsim::engine
