#pragma once
// The max-min certificate: rates are max-min fair over rate / weight if and only if no resource is
// over capacity and every flow is at its maximum, or has a saturated resource on which no flow has
// a larger rate / weight (Bertsekas and Gallager, Data Networks, 6.5.2). A check takes O(resources
// + uses), and 16 bytes a resource while it runs.

#include <cstdint>
#include <limits>
#include <span>

#include "sim/engine/network.h"

namespace syncsim::engine {

struct Share {
  std::uint32_t flow = 0;  // its name in messages
  RouteIndex route = 0;
  double weight = 1;
  double maximum = std::numeric_limits<double>::infinity();
  double rate = 0;
};

// Throws InternalError where the certificate fails by more than 1e-9, relative. `capacities` are
// the resources' present ones, in bytes per second.
void require_max_min(const Network& network, std::span<const double> capacities,
                     std::span<const Share> shares);

}  // namespace syncsim::engine
