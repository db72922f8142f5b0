#include "sim/engine/fair_share.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

#include "sim/base/error.h"
#include "sim/engine/certificate.h"
#include "tests/engine/news.h"

namespace syncsim::engine::fair_share_test {
namespace {

// A FairShare with room for any flow, and routes made on the way.
struct Bench {
  explicit Bench(std::vector<double> capacities) : network(std::move(capacities)) {}

  RouteIndex route(std::initializer_list<Use> uses) { return network.add_route(uses); }
  FairShare share(std::size_t slots, FairShare::Method method = FairShare::Method::best) const {
    const auto resources = static_cast<std::uint32_t>(network.resource_count());
    const std::vector<std::uint32_t> most_uses(slots, resources);
    const std::vector<std::uint32_t> most_flows(resources, static_cast<std::uint32_t>(slots));
    return FairShare(network, most_uses, most_flows, method);
  }
  Network network;
};

using Slots = std::vector<FairShare::Slot>;

// Solves, and gives the slots that were added or whose rate was stated anew, ascending.
Slots solved(FairShare& share) {
  share.solve();
  share.audit();
  Slots result;
  for (FairShare::Slot slot = 0; slot < share.slot_count(); ++slot)
    if (share.active(slot) && is_news(share, slot)) result.push_back(slot);
  return result;
}

TEST_CASE("three flows into one port have exactly a third each") {
  Bench bench({16e9, 16e9, 16e9, 16e9});
  FairShare share = bench.share(3);
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, bench.route({{s, 1}, {3, 1}}), 1, 0);
  CHECK(solved(share) == Slots{0, 1, 2});
  for (std::uint32_t s = 0; s < 3; ++s) CHECK(share.rate(s) == 16e9 / 3);
}

TEST_CASE(
    "all-to-all: every flow has capacity / (n - 1), the same bits, though ports fill at once") {
  for (std::uint32_t n = 2; n <= 20; ++n) {
    const double capacity = 25e9 / 7;
    Bench bench(std::vector<double>(2 * n, capacity));
    FairShare share = bench.share(n * n);
    for (std::uint32_t from = 0; from < n; ++from)
      for (std::uint32_t to = 0; to < n; ++to)
        if (from != to) share.add(from * n + to, bench.route({{from, 1}, {n + to, 1}}), 1, 0);
    for (const FairShare::Slot slot : solved(share)) CHECK(share.rate(slot) == capacity / (n - 1));
    CHECK(share.active_count() == n * (n - 1));
  }
}

TEST_CASE("a chain of links: the long flow has the least fair share, the short ones the rest") {
  // Capacities 10, 6, 12; flow 0 takes all three links, flows 1, 2, 3 one each:
  // the middle link fills first, 6 / 2 = 3; what is left is 10 - 3 and 12 - 3.
  Bench bench({10, 6, 12});
  FairShare share = bench.share(4);
  share.add(0, bench.route({{0, 1}, {1, 1}, {2, 1}}), 1, 0);
  share.add(1, bench.route({{0, 1}}), 1, 0);
  share.add(2, bench.route({{1, 1}}), 1, 0);
  share.add(3, bench.route({{2, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(0) == 3);
  CHECK(share.rate(1) == 7);
  CHECK(share.rate(2) == 3);
  CHECK(share.rate(3) == 9);
}

TEST_CASE("Bertsekas and Gallager: three on one unit link, one beside them, one alone") {
  // Sessions 2, 3, 5 share a link: 1/3 each; 1 shares another with 3: 2/3; 4 is alone: 1.
  Bench bench({1, 1, 1});
  FairShare share = bench.share(6);
  share.add(1, bench.route({{1, 1}}), 1, 0);
  share.add(2, bench.route({{0, 1}}), 1, 0);
  share.add(3, bench.route({{0, 1}, {1, 1}}), 1, 0);
  share.add(4, bench.route({{2, 1}}), 1, 0);
  share.add(5, bench.route({{0, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(1) == doctest::Approx(2.0 / 3).epsilon(1e-15));
  CHECK(share.rate(2) == 1.0 / 3);
  CHECK(share.rate(3) == 1.0 / 3);
  CHECK(share.rate(4) == 1);
  CHECK(share.rate(5) == 1.0 / 3);
}

TEST_CASE("a flow of coefficient k uses k times its rate") {
  // 2 x r + 1 x r = 12: both at level 4, the resource full.
  Bench bench({12});
  FairShare share = bench.share(2);
  share.add(0, bench.route({{0, 2}}), 1, 0);
  share.add(1, bench.route({{0, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(0) == 4);
  CHECK(share.rate(1) == 4);
  CHECK(share.load(0) == 12);
}

TEST_CASE("alone, a flow has min(capacity / coefficient, maximum)") {
  Bench bench({12, 30});
  const RouteIndex route = bench.route({{0, 1.5}, {1, 4}});
  FairShare share = bench.share(2);
  share.add(0, route, 3, 0);
  solved(share);
  CHECK(share.rate(0) == 7.5);
  share.remove(0);
  share.add(0, route, 3, 5);
  CHECK(solved(share) == Slots{0});
  CHECK(share.rate(0) == 5);
}

TEST_CASE("rates on a bottleneck are as the weights") {
  Bench bench({12});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1}});
  share.add(0, route, 1, 0);
  share.add(1, route, 2, 0);
  share.add(2, route, 3, 0);
  solved(share);
  CHECK(share.rate(0) == 2);
  CHECK(share.rate(1) == 4);
  CHECK(share.rate(2) == 6);
}

TEST_CASE("what a flow at its maximum leaves goes to the others") {
  Bench bench({12});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1}});
  share.add(0, route, 1, 2);
  share.add(1, route, 1, 0);
  share.add(2, route, 1, 100);
  solved(share);
  CHECK(share.rate(0) == 2);
  CHECK(share.rate(1) == 5);
  CHECK(share.rate(2) == 5);
}

TEST_CASE("a flow's own thin link holds it where the shared link has room") {
  // Link 0 (10): flow 0 also has link 1 (4) for itself; flows 1 and 2 may have 1 each at most.
  Bench bench({10, 4});
  FairShare share = bench.share(3);
  share.add(0, bench.route({{0, 1}, {1, 1}}), 1, 0);
  share.add(1, bench.route({{0, 1}}), 1, 1);
  share.add(2, bench.route({{0, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(0) == 4);
  CHECK(share.rate(1) == 1);
  CHECK(share.rate(2) == 5);
}

TEST_CASE("a flow that nothing limits has an infinite rate, one of no resources its maximum") {
  Bench bench({1});
  FairShare share = bench.share(2);
  const RouteIndex nowhere = bench.route({});
  share.add(0, nowhere, 1, 0);
  share.add(1, nowhere, 1, 7);
  solved(share);
  CHECK(share.rate(0) == std::numeric_limits<double>::infinity());
  CHECK(share.rate(1) == 7);
}

TEST_CASE("only flows whose rate changes are reported - others keep their bits") {
  // Two islands: flows 0 and 1 on link 0; flows 2 and 3 on link 1.
  Bench bench({9, 7});
  FairShare share = bench.share(4, FairShare::Method::ripple);
  const RouteIndex left = bench.route({{0, 1}});
  const RouteIndex right = bench.route({{1, 1}});
  for (std::uint32_t s = 0; s < 4; ++s) share.add(s, s < 2 ? left : right, 1, 0);
  solved(share);
  share.remove(1);
  CHECK(solved(share) == Slots{0});
  CHECK(share.rate(0) == 9);
  CHECK(share.rate(2) == 3.5);
  CHECK(Slots(share.touched().begin(), share.touched().end()) == Slots{0});
}

TEST_CASE("a resource that holds all its flows at their line rates passes nothing on") {
  // Four ports of 16 through a backplane of 64: a fifth port's arrival changes nobody ...
  Bench bench({16, 16, 16, 16, 64, 1});
  FairShare share = bench.share(5);
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, bench.route({{s, 1}, {4, 1}}), 1, 0);
  solved(share);
  share.add(3, bench.route({{3, 1}, {4, 1}}), 1, 0);
  CHECK(solved(share) == Slots{3});
  CHECK(share.load(4) == 64);
  // ... until the backplane would be over its capacity: then all share it.
  share.add(4, bench.route({{4, 1}}), 1, 0);
  CHECK(solved(share) == Slots{0, 1, 2, 3, 4});
  for (std::uint32_t s = 0; s < 5; ++s) CHECK(share.rate(s) == 64.0 / 5);
  share.remove(4);
  CHECK(solved(share) == Slots{0, 1, 2, 3});
  for (std::uint32_t s = 0; s < 4; ++s) CHECK(share.rate(s) == 16);
}

TEST_CASE("a ripple runs down a chain of links as far as levels change, and no further") {
  // Flow i takes links i and i + 1; the first link is the thinnest, each next one wider. One more
  // flow on the last link keeps its level.
  Bench bench({2, 8, 16, 100, 4});
  FairShare share = bench.share(8, FairShare::Method::ripple);
  share.add(0, bench.route({{0, 1}}), 1, 0);
  share.add(1, bench.route({{0, 1}, {1, 1}}), 1, 0);
  share.add(2, bench.route({{1, 1}, {2, 1}}), 1, 0);
  share.add(3, bench.route({{2, 1}, {3, 1}}), 1, 0);
  share.add(4, bench.route({{4, 1}}), 1, 0);
  share.add(5, bench.route({{4, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(1) == 1);
  CHECK(share.rate(2) == 7);
  CHECK(share.rate(3) == 9);
  share.remove(0);
  CHECK(solved(share) == Slots{1, 2, 3});
  CHECK(share.rate(1) == 2);
  CHECK(share.rate(2) == 6);
  CHECK(share.rate(3) == 10);
  // 1 and 2 are as full as before, 3 is slack, 4 is elsewhere.
  CHECK(Slots(share.touched().begin(), share.touched().end()) == Slots{0});
}

TEST_CASE("taking a flow away can slow another down") {
  // Link 0 (10): flows 0, 1. Link 1 (12): flows 1, 2. Without 0, flow 1 takes more from 2.
  Bench bench({10, 12});
  FairShare share = bench.share(3);
  const RouteIndex both = bench.route({{0, 1}, {1, 1}});
  share.add(0, bench.route({{0, 1}}), 4, 0);
  share.add(1, both, 1, 0);
  share.add(2, bench.route({{1, 1}}), 1, 0);
  solved(share);
  CHECK(share.rate(1) == 2);
  CHECK(share.rate(2) == 10);
  share.remove(0);
  CHECK(solved(share) == Slots{1, 2});
  CHECK(share.rate(1) == 6);
  CHECK(share.rate(2) == 6);
}

TEST_CASE("a flow that comes back alike is reported, and changes nobody") {
  Bench bench({9});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1}});
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, route, 1, 0);
  solved(share);
  share.remove(1);
  share.add(1, route, 1, 0);
  CHECK(solved(share) == Slots{1});
  CHECK(share.rate(1) == 3);
  CHECK(share.touched().empty());
  CHECK(share.active_count() == 3);
}

TEST_CASE("while nobody is active nothing is solved, and whoever comes back alike is as before") {
  Bench bench({9, 9});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1}});
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, route, 1, 0);
  solved(share);
  for (std::uint32_t s = 0; s < 3; ++s) share.remove(s);
  CHECK(solved(share).empty());
  CHECK(share.resting());
  CHECK(share.flows_on(0) == 0);
  CHECK(share.load(0) == 0);
  CHECK_FALSE(share.saturated(0));
  CHECK(share.touched().empty());
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, route, 1, 0);
  CHECK(solved(share) == Slots{0, 1, 2});
  CHECK(share.changed().empty());
  CHECK(share.touched().empty());
  CHECK(share.rate(1) == 3);
  // Not all come back, or not as they were.
  for (std::uint32_t s = 0; s < 3; ++s) share.remove(s);
  solved(share);
  share.add(0, route, 1, 0);
  share.add(1, bench.route({{1, 1}}), 1, 0);
  CHECK(solved(share) == Slots{0, 1});
  CHECK(share.rate(0) == 9);
  CHECK(share.rate(1) == 9);
  CHECK(share.flows_on(0) == 1);
}

TEST_CASE("a flow that several resources stop at once is the first one's on its route") {
  // Three flows between two full ports each.
  Bench bench({6, 6, 6, 6});
  FairShare share = bench.share(4);
  share.add(0, bench.route({{0, 1}, {2, 1}}), 1, 0);
  share.add(1, bench.route({{0, 1}, {3, 1}}), 1, 0);
  share.add(2, bench.route({{1, 1}, {2, 1}}), 1, 0);
  share.add(3, bench.route({{1, 1}, {3, 1}}), 1, 0);
  solved(share);
  for (std::uint32_t s = 0; s < 4; ++s) {
    CHECK(share.rate(s) == 3);
    CHECK(share.bottleneck(s) == s / 2);
  }
  CHECK(share.level(0) == 3);
  CHECK(share.level(2) == std::numeric_limits<double>::infinity());
  for (ResourceIndex r = 0; r < 4; ++r) CHECK(share.saturated(r));
}

TEST_CASE("a flow that comes back otherwise is solved anew") {
  Bench bench({9, 2});
  FairShare share = bench.share(2);
  const RouteIndex wide = bench.route({{0, 1}});
  const RouteIndex thin = bench.route({{1, 1}});
  share.add(0, wide, 1, 0);
  share.add(1, wide, 1, 0);
  solved(share);
  share.remove(1);
  share.add(1, thin, 1, 0);
  solved(share);
  CHECK(share.rate(0) == 9);
  CHECK(share.rate(1) == 2);
  CHECK(share.flows_on(0) == 1);
  CHECK(share.flows_on(1) == 1);
}

TEST_CASE("a resource that all flows left is empty, to the bit") {
  Bench bench({0.3});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1.1}});
  for (std::uint32_t s = 0; s < 3; ++s) share.add(s, route, 0.7, 0);
  solved(share);
  for (std::uint32_t s = 0; s < 3; ++s) share.remove(s);
  CHECK(solved(share).empty());
  CHECK(share.load(0) == 0);
  CHECK(share.flows_on(0) == 0);
  CHECK(share.active_count() == 0);
  CHECK_FALSE(share.active(1));
}

TEST_CASE("weights far apart still fill the resource and lose no flow") {
  Bench bench({1e9});
  FairShare share = bench.share(3);
  const RouteIndex route = bench.route({{0, 1}});
  share.add(0, route, 1e-18, 0);
  share.add(1, route, 1, 0);
  share.add(2, route, 1e18, 1e6);
  solved(share);
  CHECK(share.rate(2) == 1e6);
  CHECK(share.rate(1) == doctest::Approx(1e9 - 1e6).epsilon(1e-12));
  CHECK(share.rate(0) == doctest::Approx((1e9 - 1e6) * 1e-18).epsilon(1e-9));
}

TEST_CASE("the certificate refuses what is not max-min fair, naming the flow or the resource") {
  // Flows 0 and 1 on link 0 (10); flow 1 also on link 1 (4): fair is 6 and 4.
  Network network({10, 4});
  const Use first[] = {{0, 1}};
  const Use second[] = {{0, 1}, {1, 1}};
  const RouteIndex a = network.add_route(first);
  const RouteIndex b = network.add_route(second);
  const double none = std::numeric_limits<double>::infinity();
  const auto check = [&](double rate_a, double rate_b, double maximum_a) {
    const Share shares[] = {{0, a, 1, maximum_a, rate_a}, {1, b, 1, none, rate_b}};
    const double capacities[] = {network.capacity(0), network.capacity(1)};
    require_max_min(network, capacities, shares);
  };
  CHECK_NOTHROW(check(6, 4, none));
  CHECK_NOTHROW(check(3, 4, 3));
  CHECK_THROWS_WITH_AS(check(7, 4, none), "resource 0 carries 11 B/s; its capacity is 10 B/s",
                       InternalError);
  CHECK_THROWS_WITH_AS(check(5, 4, none), "flow 0 runs at 5 B/s, and nothing stops it",
                       InternalError);
  CHECK_THROWS_WITH_AS(check(7, 3, none), "flow 1 runs at 3 B/s, and nothing stops it",
                       InternalError);
  CHECK_THROWS_WITH_AS(check(5, 4, 3), "flow 0 runs at 5 B/s; its maximum is 3 B/s", InternalError);
}

}  // namespace
}  // namespace syncsim::engine::fair_share_test
