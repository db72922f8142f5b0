#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/engine/fair_share.h"
#include "tests/engine/random_numbers.h"
#include "tests/engine/reference.h"

namespace syncsim::engine {
namespace {

enum class Numbers { alike, apart };  // capacities, coefficients and weights

// A machine of few resources, flows that come and go, and the reference beside them.
class Case {
 public:
  Case(std::uint64_t seed, Numbers numbers)
      : draw_(seed), numbers_(numbers), network_(capacities()), flows_(2 + draw_.below(14)) {
    for (std::uint32_t r = 0; r < 12; ++r) add_route();
    const std::vector<std::uint32_t> most_uses(flows_.size(), 12);
    const std::vector<std::uint32_t> most_flows(network_.resource_count(),
                                                static_cast<std::uint32_t>(flows_.size()));
    share_.emplace_back(network_, most_uses, most_flows);
  }

  void step() {
    const std::uint32_t changes = 1 + draw_.below(draw_.chance(70) ? 1 : 5);
    for (std::uint32_t c = 0; c < changes; ++c) change(draw_.below(slots()));
    const auto changed = share_[0].solve();
    share_[0].audit();
    compare_rates(changed);
    compare_loads();
  }

 private:
  struct Slot {
    bool active = false;
    bool fresh = false;
    reference::Flow flow;
    double reported = 0;
  };

  double number(double least, double most) {
    return numbers_ == Numbers::alike ? 1 : draw_.log_uniform(least, most);
  }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(flows_.size()); }

  std::vector<double> capacities() {
    std::vector<double> result(1 + draw_.below(9));
    for (double& capacity : result) capacity = 1e9 * number(0.1, 30);
    return result;
  }

  void add_route() {
    std::vector<Use> uses;
    for (ResourceIndex r = 0; r < network_.resource_count(); ++r)
      if (uses.empty() || draw_.chance(30)) uses.push_back({r, number(0.2, 3)});
    std::reverse(uses.begin(), uses.end());
    if (uses.size() > 1 && draw_.chance(60)) uses.pop_back();
    network_.add_route(uses);
  }

  void change(std::uint32_t s) {
    Slot& slot = flows_[s];
    if (slot.active) {
      share_[0].remove(s);
      slot.active = false;
      if (draw_.chance(70)) return;
    }
    if (draw_.chance(80)) {  // else it comes back alike
      slot.flow.route = draw_.below(12);
      slot.flow.weight = number(0.25, 4);
      slot.flow.maximum = draw_.chance(30) ? 1e9 * draw_.log_uniform(0.02, 3) : reference::kNever;
    }
    const bool limited = slot.flow.maximum < reference::kNever;
    share_[0].add(s, slot.flow.route, static_cast<double>(slot.flow.weight),
                  limited ? static_cast<double>(slot.flow.maximum) : 0);
    slot.active = slot.fresh = true;
  }

  void compare_rates(std::span<const FairShare::Slot> changed) {
    std::vector<reference::Flow> active;
    for (const Slot& slot : flows_)
      if (slot.active) active.push_back(slot.flow);
    const auto expected = reference::max_min_rates(network_, active);
    std::size_t next = 0;
    for (std::uint32_t s = 0; s < slots(); ++s) {
      Slot& slot = flows_[s];
      const bool is_reported = std::count(changed.begin(), changed.end(), s) == 1;
      REQUIRE(share_[0].active(s) == slot.active);
      if (!slot.active) continue;
      const double rate = share_[0].rate(s);
      const auto right = static_cast<double>(expected[next++]);
      REQUIRE(std::abs(rate - right) <= 1e-12 * right);
      REQUIRE(is_reported == (slot.fresh || rate != slot.reported));
      slot.reported = rate;
      slot.fresh = false;
    }
    REQUIRE(share_[0].active_count() == active.size());
  }

  void compare_loads() {
    for (ResourceIndex r = 0; r < network_.resource_count(); ++r) {
      double load = 0;
      std::size_t flows = 0;
      for (std::uint32_t s = 0; s < slots(); ++s) {
        if (!flows_[s].active) continue;
        for (const Use& use : network_.route(flows_[s].flow.route)) {
          if (use.resource != r) continue;
          load += use.coefficient * share_[0].rate(s);
          ++flows;
        }
      }
      REQUIRE(std::abs(share_[0].load(r) - load) <= 1e-12 * network_.capacity(r));
      REQUIRE(share_[0].flows_on(r) == flows);
    }
  }

  Draw draw_;
  Numbers numbers_;
  Network network_;
  std::vector<Slot> flows_;
  std::vector<FairShare> share_;
};

TEST_CASE("after every change all rates are those of water-filling from scratch, to 1e-12") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Case random(seed, seed % 4 == 0 ? Numbers::alike : Numbers::apart);
    CAPTURE(seed);
    for (int step = 0; step < 25; ++step) random.step();
  }
}

}  // namespace
}  // namespace syncsim::engine
