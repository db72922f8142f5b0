#pragma once
// What the engine knows of a machine: resources with capacities, and routes over them. add_route
// takes O(uses log uses); the others O(1). Memory: 8 bytes a resource, 12 a route, 16 a use (arrays
// that grow by doubling).

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/large_vector.h"

namespace syncsim::engine {

using ResourceIndex = std::uint32_t;
using RouteIndex = std::uint32_t;

// A flow at rate r uses coefficient x r of the resource.
struct Use {
  ResourceIndex resource = 0;
  double coefficient = 1;
};

// Flat arrays. Invariants: capacities and coefficients are finite and above zero; a route names a
// resource at most once. A route of no uses is legal: its flows take no time.
class Network {
 public:
  explicit Network(std::vector<double> capacities);  // bytes per second

  // So many routes, of so many uses in all, are about to be added.
  void expect(std::size_t routes, std::size_t uses);
  RouteIndex add_route(std::span<const Use> uses);

  std::size_t resource_count() const { return capacities_.size(); }
  std::size_t route_count() const { return begin_.size() - 1; }
  std::size_t use_count() const { return uses_.size(); }  // of all routes
  double capacity(ResourceIndex resource) const { return capacities_[resource]; }
  std::span<const Use> route(RouteIndex route) const {
    return std::span(uses_).subspan(begin_[route], begin_[route + 1] - begin_[route]);
  }

  // min(capacity / coefficient) over the route: what a flow alone on it gets; infinite without
  // uses.
  double line_rate(RouteIndex route) const { return line_rates_[route]; }

 private:
  std::vector<double> capacities_;
  LargeVector<double> line_rates_;
  std::vector<std::uint32_t> begin_{0};
  LargeVector<Use> uses_;
};

}  // namespace syncsim::engine
