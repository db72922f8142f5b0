#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/engine/fair_share.h"
#include "tests/engine/news.h"
#include "tests/engine/random_numbers.h"
#include "tests/engine/reference.h"

namespace syncsim::engine::fair_share_random_test {
namespace {

using Method = FairShare::Method;

enum class Numbers { alike, apart, far_apart };  // capacities, coefficients and weights
enum class Routes { any, around };  // around: stretches of a ring, whose resources fill in ties

struct Size {
  std::uint32_t flows;
  std::uint32_t resources;
};

enum class Capacities { fixed, change };

// A machine, flows that come and go, and the reference beside them.
class Case {
 public:
  Case(std::uint64_t seed, Numbers numbers, Routes routes, Size most, Capacities capacities_do)
      : draw_(seed),
        numbers_(numbers),
        capacities_do_(capacities_do),
        network_(capacities(most.resources)),
        capacities_(reference::capacities_of(network_)),
        flows_(2 + draw_.below(most.flows)) {
    for (std::uint32_t r = 0; r < kRoutes; ++r) add_route(routes);
    const std::vector<std::uint32_t> most_uses(
        flows_.size(), static_cast<std::uint32_t>(network_.resource_count()));
    const std::vector<std::uint32_t> most_flows(network_.resource_count(),
                                                static_cast<std::uint32_t>(flows_.size()));
    for (const Method method : {Method::best, Method::fill, Method::ripple})
      share_.emplace_back(network_, most_uses, most_flows, method);
    seen_.resize(share_.size(), std::vector<Seen>(network_.resource_count()));
    reported_.resize(share_.size(), std::vector<double>(flows_.size()));
  }

  void step() {
    const std::uint32_t changes = 1 + draw_.below(draw_.chance(70) ? 1 : 5);
    if (capacities_do_ == Capacities::fixed || draw_.chance(50))
      for (std::uint32_t c = 0; c < changes; ++c) change(draw_.below(slots()));
    const std::vector<CapacityChange> new_capacities = change_capacities();
    for (FairShare& share : share_) share.set_capacities(new_capacities);
    const std::vector<reference::Real> expected = right_rates();
    for (std::size_t method = 0; method < share_.size(); ++method) {
      share_[method].solve();
      share_[method].audit();
      compare_rates(method, expected);
      compare_loads(share_[method]);
      compare_touched(share_[method], seen_[method]);
    }
    for (Slot& slot : flows_) slot.fresh = false;
  }

 private:
  static constexpr std::uint32_t kRoutes = 24;

  struct Slot {
    bool active = false;
    bool fresh = false;
    reference::Flow flow;
  };

  struct Seen {  // of a resource, by one who looks only where the solver says
    bool busy = false;
    bool saturated = false;
    friend bool operator==(const Seen&, const Seen&) = default;
  };

  double number(double least, double most) {
    return numbers_ == Numbers::alike ? 1 : draw_.log_uniform(least, most);
  }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(flows_.size()); }

  std::vector<double> capacities(std::uint32_t most) {
    std::vector<double> result(1 + draw_.below(most));
    for (double& capacity : result) capacity = 1e9 * number(0.1, 30);
    return result;
  }

  void add_route(Routes routes) {
    std::vector<Use> uses;
    const auto count = static_cast<std::uint32_t>(network_.resource_count());
    if (routes == Routes::around) {
      const ResourceIndex first = draw_.below(count);
      const std::uint32_t length = 1 + draw_.below(std::min(count, 5u));
      for (std::uint32_t i = 0; i < length; ++i)
        uses.push_back({(first + i) % count, number(0.2, 3)});
    } else {
      for (ResourceIndex r = 0; r < count; ++r)
        if (uses.empty() || draw_.chance(300 / (count + 5))) uses.push_back({r, number(0.2, 3)});
      std::reverse(uses.begin(), uses.end());
      if (uses.size() > 1 && draw_.chance(60)) uses.pop_back();
    }
    network_.add_route(uses);
  }

  void change(std::uint32_t s) {
    Slot& slot = flows_[s];
    if (slot.active) {
      for (FairShare& share : share_) share.remove(s);
      slot.active = false;
      if (draw_.chance(70)) return;
    }
    if (draw_.chance(80)) {  // else it comes back alike
      slot.flow.route = draw_.below(kRoutes);
      slot.flow.weight =
          numbers_ == Numbers::far_apart ? draw_.log_uniform(1e-6, 1e6) : number(0.25, 4);
      slot.flow.maximum = draw_.chance(30) ? 1e9 * draw_.log_uniform(0.02, 3) : reference::kNever;
    }
    const bool limited = slot.flow.maximum < reference::kNever;
    for (FairShare& share : share_)
      share.add(s, slot.flow.route, static_cast<double>(slot.flow.weight),
                limited ? static_cast<double>(slot.flow.maximum) : 0);
    slot.active = slot.fresh = true;
  }

  // Of a few resources, or of one, or of none: to 0, back, or to another.
  std::vector<CapacityChange> change_capacities() {
    std::vector<CapacityChange> changes;
    if (capacities_do_ == Capacities::fixed || draw_.chance(30)) return changes;
    const auto count = static_cast<std::uint32_t>(capacities_.size());
    const std::uint32_t one = draw_.below(count);
    const bool several = draw_.chance(20);
    for (ResourceIndex r = 0; r < count; ++r) {
      if (several ? !draw_.chance(40) : r != one) continue;
      const double other = 1e9 * draw_.log_uniform(0.05, 40);
      capacities_[r] = draw_.chance(30) ? 0 : draw_.chance(50) ? network_.capacity(r) : other;
      changes.push_back({0, r, capacities_[r]});
    }
    return changes;
  }

  std::vector<reference::Real> right_rates() const {
    std::vector<reference::Flow> active;
    for (const Slot& slot : flows_)
      if (slot.active) active.push_back(slot.flow);
    return reference::max_min_rates(network_, capacities_, active);
  }

  void compare_rates(std::size_t method, const std::vector<reference::Real>& expected) {
    const FairShare& share = share_[method];
    std::size_t next = 0;
    for (std::uint32_t s = 0; s < slots(); ++s) {
      const Slot& slot = flows_[s];
      REQUIRE(share.active(s) == slot.active);
      if (!slot.active) continue;
      const double rate = share.rate(s);
      const auto right = static_cast<double>(expected[next++]);
      REQUIRE(std::abs(rate - right) <= (numbers_ == Numbers::far_apart ? 4e-12 : 1e-12) * right);
      if (slot.fresh || rate != reported_[method][s]) REQUIRE(is_news(share, s));
      reported_[method][s] = rate;
    }
    REQUIRE(share.active_count() == expected.size());
    for (const FairShare::Slot slot : share.moved())
      REQUIRE(std::count(share.moved().begin(), share.moved().end(), slot) == 1);
  }

  // Nothing changes unsaid.
  void compare_touched(const FairShare& share, std::vector<Seen>& seen) {
    if (share.resting()) return;
    const auto now = [&](ResourceIndex r) {
      return Seen{share.flows_on(r) > 0, share.saturated(r)};
    };
    for (const ResourceIndex r : share.touched()) seen[r] = now(r);
    for (ResourceIndex r = 0; r < network_.resource_count(); ++r) REQUIRE(seen[r] == now(r));
  }

  void compare_loads(const FairShare& share) {
    for (ResourceIndex r = 0; r < network_.resource_count(); ++r) {
      double load = 0;
      std::size_t flows = 0;
      for (std::uint32_t s = 0; s < slots(); ++s) {
        if (!flows_[s].active) continue;
        for (const Use& use : network_.route(flows_[s].flow.route)) {
          if (use.resource != r) continue;
          load += use.coefficient * share.rate(s);
          ++flows;
        }
      }
      REQUIRE(share.capacity(r) == capacities_[r]);
      REQUIRE(std::abs(share.load(r) - load) <= 1e-12 * capacities_[r]);
      REQUIRE(share.flows_on(r) == flows);
      if (share.saturated(r)) REQUIRE((flows > 0 && load >= capacities_[r] * (1 - 1e-9)));
      if (flows > 0 && capacities_[r] == 0) REQUIRE(share.saturated(r));
    }
  }

  Draw draw_;
  Numbers numbers_;
  Capacities capacities_do_;
  Network network_;
  std::vector<double> capacities_;  // present ones
  std::vector<Slot> flows_;
  std::vector<FairShare> share_;               // one a method
  std::vector<std::vector<Seen>> seen_;        // by method and resource
  std::vector<std::vector<double>> reported_;  // rates, by method and slot
};

// Few flows, so that every kind of change is frequent; then many, so that changes stay local.
TEST_CASE("after every change all rates are those of water-filling from scratch, to 1e-12") {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Case random(seed, seed % 4 == 0 ? Numbers::alike : Numbers::apart,
                seed % 3 == 0 ? Routes::around : Routes::any, {14, 9}, Capacities::fixed);
    CAPTURE(seed);
    for (int step = 0; step < 25; ++step) random.step();
  }
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case random(seed, seed % 2 == 0 ? Numbers::alike : Numbers::apart,
                seed % 3 > 0 ? Routes::around : Routes::any, {80, 30}, Capacities::fixed);
    CAPTURE(seed);
    for (int step = 0; step < 60; ++step) random.step();
  }
}

TEST_CASE("so they are with weights from 1e-6 to 1e6, but for what they lose in conditioning") {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Case random(seed, Numbers::far_apart, seed % 3 == 0 ? Routes::around : Routes::any, {14, 9},
                seed % 2 == 0 ? Capacities::fixed : Capacities::change);
    CAPTURE(seed);
    for (int step = 0; step < 25; ++step) random.step();
  }
}

TEST_CASE(
    "after every change of capacities, to 0 and back, rates are those from scratch, to 1e-12") {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Case random(seed, seed % 4 == 0 ? Numbers::alike : Numbers::apart,
                seed % 3 == 0 ? Routes::around : Routes::any, {14, 9}, Capacities::change);
    CAPTURE(seed);
    for (int step = 0; step < 25; ++step) random.step();
  }
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case random(seed, seed % 2 == 0 ? Numbers::alike : Numbers::apart,
                seed % 3 > 0 ? Routes::around : Routes::any, {80, 30}, Capacities::change);
    CAPTURE(seed);
    for (int step = 0; step < 60; ++step) random.step();
  }
}

}  // namespace
}  // namespace syncsim::engine::fair_share_random_test
