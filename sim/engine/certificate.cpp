#include "sim/engine/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/error.h"

namespace syncsim::engine {
namespace {

constexpr double kJustAbove = 1 + 1e-9;
constexpr double kJustBelow = 1 - 1e-9;

struct Usage {
  double load = 0;
  double highest = 0;  // rate / weight on it
};

std::vector<Usage> usage_of(const Network& network, std::span<const Share> shares) {
  std::vector<Usage> usage(network.resource_count());
  for (const Share& share : shares)
    for (const Use& use : network.route(share.route)) {
      Usage& used = usage[use.resource];
      used.load += use.coefficient * share.rate;
      used.highest = std::max(used.highest, share.rate / share.weight);
    }
  return usage;
}

}  // namespace

void require_max_min(const Network& network, std::span<const double> capacities,
                     std::span<const Share> shares) {
  const std::vector<Usage> usage = usage_of(network, shares);
  for (ResourceIndex r = 0; r < usage.size(); ++r)
    if (usage[r].load > capacities[r] * kJustAbove)
      throw InternalError(fmt::format("resource {} carries {} B/s; its capacity is {} B/s", r,
                                      usage[r].load, capacities[r]));
  for (const Share& share : shares) {
    const auto stops = [&](const Use& use) {
      const Usage& used = usage[use.resource];
      return used.load >= capacities[use.resource] * kJustBelow &&
             share.rate / share.weight >= used.highest * kJustBelow;
    };
    const std::span<const Use> uses = network.route(share.route);
    if (share.rate > share.maximum * kJustAbove)
      throw InternalError(fmt::format("flow {} runs at {} B/s; its maximum is {} B/s", share.flow,
                                      share.rate, share.maximum));
    if (share.rate < share.maximum * kJustBelow && std::none_of(uses.begin(), uses.end(), stops))
      throw InternalError(
          fmt::format("flow {} runs at {} B/s, and nothing stops it", share.flow, share.rate));
  }
}

}  // namespace syncsim::engine
