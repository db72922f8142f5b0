#pragma once
// Accounts for what the resources do: bytes, busy and saturated time. An interval is closed only
// when a resource's state changes, so a solve costs what it touched.

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
  // When no flow is left.
  std::vector<ResourceUsage> totals() const;

 private:
  struct Watch {
    ResourceUsage usage;
    std::int64_t since = 0;
    bool busy = false;
    bool saturated = false;
  };

  const Network& network_;
  std::vector<Watch> watches_;
  std::vector<double> bytes_;  // carried on each route
};

}  // namespace syncsim::engine
