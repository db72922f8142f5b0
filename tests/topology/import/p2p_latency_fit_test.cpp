// Latencies of links from those of routes.

#include "sim/topology/import/p2p_latency_fit.h"

#include <doctest/doctest.h>

namespace syncsim::p2p_latency_fit_test {

TEST_CASE("links that no sample takes get no latency, others their even share where one is alone") {
  const auto found = fitted_latencies({{{0, 2}, 2, 3e6}}, 3);
  CHECK(found[0] == Time{1'500'000});
  CHECK(!found[1]);
  CHECK(found[2] == Time{1'500'000});
  CHECK(!fitted_latencies({}, 1)[0]);
}

TEST_CASE("branches of one route share its latency by hops, not by links") {
  const auto found = fitted_latencies({{{0, 1, 2, 3}, 2, 3e6}}, 4);
  for (const auto& latency : found) CHECK(latency == Time{1'500'000});
}

TEST_CASE("no latency is below 0: what is left is fitted by least squares") {
  // (1 - b)^2 / 2 + (3 - b)^2 is least at b = 7 / 3.
  const auto found = fitted_latencies({{{0, 1}, 2, 1e6}, {{1}, 1, 3e6}}, 2);
  CHECK(found[0] == Time{0});
  CHECK(found[1] == Time{2'333'333});
}

}  // namespace syncsim::p2p_latency_fit_test
