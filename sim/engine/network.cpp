#include "sim/engine/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/error.h"

namespace syncsim::engine {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

[[noreturn]] void refuse_repeated(ResourceIndex resource) {
  throw InternalError(fmt::format("a route names resource {} twice", resource));
}

void require_distinct_sorted(std::span<const Use> uses) {
  std::vector<ResourceIndex> resources;
  for (const Use& use : uses) resources.push_back(use.resource);
  std::sort(resources.begin(), resources.end());
  const auto repeated = std::adjacent_find(resources.begin(), resources.end());
  if (repeated != resources.end()) refuse_repeated(*repeated);
}

// Routes are short, but for trees: comparing all pairs is quicker than sorting.
void require_distinct(std::span<const Use> uses) {
  constexpr std::size_t kShort = 64;
  if (uses.size() > kShort) return require_distinct_sorted(uses);
  for (std::size_t i = 0; i < uses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (uses[i].resource == uses[j].resource) refuse_repeated(uses[i].resource);
}

}  // namespace

Network::Network(std::vector<double> capacities) : capacities_(std::move(capacities)) {
  for (std::size_t r = 0; r < capacities_.size(); ++r)
    if (!is_positive(capacities_[r]))
      throw InternalError(fmt::format(
          "the capacity of resource {} is {}; it has to be finite and above 0", r, capacities_[r]));
}

void Network::expect(std::size_t routes, std::size_t uses) {
  line_rates_.reserve(line_rates_.size() + routes);
  begin_.reserve(begin_.size() + routes);
  uses_.reserve(uses_.size() + uses);
}

RouteIndex Network::add_route(std::span<const Use> uses) {
  for (const Use& use : uses) {
    if (use.resource >= capacities_.size())
      throw InternalError(
          fmt::format("a route names resource {} of {}", use.resource, capacities_.size()));
    if (!is_positive(use.coefficient))
      throw InternalError(fmt::format(
          "a route's coefficient is {}; it has to be finite and above 0", use.coefficient));
  }
  require_distinct(uses);
  require(uses.size() <= std::numeric_limits<std::uint32_t>::max() - uses_.size(),
          "routes of more than 2^32 uses in all");
  double line_rate = std::numeric_limits<double>::infinity();
  for (const Use& use : uses)
    line_rate = std::min(line_rate, capacities_[use.resource] / use.coefficient);
  line_rates_.push_back(line_rate);
  uses_.insert(uses_.end(), uses.begin(), uses.end());
  begin_.push_back(static_cast<std::uint32_t>(uses_.size()));
  return static_cast<RouteIndex>(begin_.size() - 2);
}

}  // namespace syncsim::engine
