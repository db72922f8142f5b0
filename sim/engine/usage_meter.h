#pragma once
// Accounts for what the resources do: bytes, busy and saturated time. An interval is closed only
// when a resource's state changes, so a solve costs what it touched; while no flow is active at all
// the meter's own time stands still. totals takes O(resources + uses of all routes). Memory: 40
// bytes a resource, 8 a route.

#include <cstdint>
#include <vector>

#include "sim/engine/fair_share.h"
#include "sim/engine/network.h"

namespace syncsim::engine {

struct ResourceUsage {
  double bytes = 0;            // times the coefficient
  std::int64_t busy = 0;       // picoseconds with some flow on it
  std::int64_t saturated = 0;  // picoseconds with its capacity used up (to 1e-9)
};

class UsageMeter {
 public:
  explicit UsageMeter(const Network& network);

  // After a solve at `now`.
  void update(const FairShare& flows, std::int64_t now);
  void add_bytes(RouteIndex route, std::int64_t bytes) {
    bytes_[route] += static_cast<double>(bytes);
  }
  // When no flow is active.
  std::vector<ResourceUsage> totals() const;

 private:
  struct Watch {
    void turn(std::int64_t now, bool is_busy, bool is_saturated);

    ResourceUsage usage;
    std::int64_t since = 0;  // of the meter's time
    bool busy = false;
    bool saturated = false;
  };

  const Network& network_;
  bool resting_ = true;
  std::int64_t rests_since_ = 0;  // the last rest
  std::int64_t rested_ = 0;       // picoseconds of rest before it
  std::vector<Watch> watches_;
  std::vector<double> bytes_;  // carried on each route
};

}  // namespace syncsim::engine
