#include "sim/engine/network.h"

#include <doctest/doctest.h>

#include <limits>

#include "sim/base/error.h"

namespace syncsim::engine::network_test {
namespace {

TEST_CASE("routes keep their uses, in order - a route of no uses is legal") {
  Network network({1e9, 2e9});
  const Use uses[] = {{1, 2}, {0, 0.5}};
  const RouteIndex first = network.add_route(uses);
  const RouteIndex empty = network.add_route({});
  CHECK(network.route_count() == 2);
  REQUIRE(network.route(first).size() == 2);
  CHECK(network.route(first)[0].resource == 1);
  CHECK(network.route(first)[0].coefficient == 2);
  CHECK(network.route(first)[1].coefficient == 0.5);
  CHECK(network.route(empty).empty());
}

TEST_CASE("a capacity is finite and above zero") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH_AS(Network({1.0, 0.0}),
                       "the capacity of resource 1 is 0; it has to be finite and above 0",
                       InternalError);
  CHECK_THROWS_WITH_AS(Network({-2.0}),
                       "the capacity of resource 0 is -2; it has to be finite and above 0",
                       InternalError);
  CHECK_THROWS_WITH_AS(Network({infinity}),
                       "the capacity of resource 0 is inf; it has to be finite and above 0",
                       InternalError);
}

TEST_CASE("a route names resources that are there, once each, with coefficients above zero") {
  Network network({1e9, 2e9});
  const Use unknown[] = {{2, 1}};
  const Use twice[] = {{1, 1}, {0, 1}, {1, 1}};
  const Use nothing[] = {{1, 0}};
  CHECK_THROWS_WITH_AS(network.add_route(unknown), "a route names resource 2 of 2", InternalError);
  CHECK_THROWS_WITH_AS(network.add_route(twice), "a route names resource 1 twice", InternalError);
  CHECK_THROWS_WITH_AS(network.add_route(nothing),
                       "a route's coefficient is 0; it has to be finite and above 0",
                       InternalError);
  CHECK(network.route_count() == 0);
}

TEST_CASE("that holds for the long routes of trees too") {
  Network network(std::vector<double>(100, 1e9));
  std::vector<Use> uses;
  for (ResourceIndex resource = 100; resource-- > 0;) uses.push_back({resource, 1});
  CHECK(network.line_rate(network.add_route(uses)) == 1e9);
  uses.front().resource = 7;
  CHECK_THROWS_WITH_AS(network.add_route(uses), "a route names resource 7 twice", InternalError);
}

}  // namespace
}  // namespace syncsim::engine::network_test
