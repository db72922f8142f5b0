#pragma once
// What a machine's resources carry, and what another byte costs there:
//   price = exp(steepness x (load / capacity) / fullest) / capacity
// up to a factor. The price of a hop is that of all that its route uses.

#include <algorithm>
#include <limits>
#include <vector>

#include "strategies/packing/rank_graph.h"
#include "strategies/packing/steep.h"

namespace syncsim::strategy {

// What a tree carries: data from the root, sums to it, or both at once.
enum class Flow { down, up, both };

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How a node hangs below its parent.
struct Branch {
  RankGraph::ArcId arc = 0;  // from the parent
  Plane plane = Plane::all;
  double price = kInfinity;
};

class Prices {
 public:
  Prices(const RankGraph& graph, Flow flow)
      : graph_(graph), flow_(flow), loads_(graph.resources(), 0), prices_(graph.resources(), 0) {}

  // Against the fullest resource as it is now.
  void set(double steepness) {
    steepness_ = steepness;
    fullest_ = fullest();
    for (ResourceId id = 0; id < loads_.size(); ++id) set_price(id);
  }

  // Seconds that the fullest resource takes for a byte of every tree.
  double fullest() const {
    double most = 0;
    for (ResourceId id = 0; id < loads_.size(); ++id) most = std::max(most, full(id));
    return most;
  }

  void load(const Branch& branch, int turn, double times) {
    each_use(branch, turn, [&](const ResourceUse& use) {
      loads_[use.resource] += times * use.coefficient;
      set_price(use.resource);
    });
  }

  // Infinite where there is no such way.
  double of(const Branch& branch, int turn) const {
    double sum = 0;
    each_use(branch, turn,
             [&](const ResourceUse& use) { sum += use.coefficient * prices_[use.resource]; });
    return sum > 0 ? sum : kInfinity;
  }

  // Whether there is such a way, and nothing on it gets fuller than `most`.
  bool fits(const Branch& branch, int turn, double most) const {
    bool fits = true;
    bool leads = false;
    each_load(branch, turn, [&](ResourceId id, double seconds) {
      leads = true;
      fits = fits && full(id) + seconds <= most;
    });
    return fits && leads;
  }

  // Calls see(resource, seconds that it takes for a byte over the hop).
  template <class See>
  void each_load(const Branch& branch, int turn, See&& see) const {
    each_use(branch, turn, [&](const ResourceUse& use) {
      see(use.resource, use.coefficient / graph_.capacity(use.resource));
    });
  }

  double of_all_capacity() const {
    double sum = 0;
    for (ResourceId id = 0; id < loads_.size(); ++id) sum += prices_[id] * graph_.capacity(id);
    return sum;
  }

 private:
  static constexpr double kMostPower = 300;  // prices stay finite

  double full(ResourceId id) const { return loads_[id] / graph_.capacity(id); }
  void set_price(ResourceId id) {
    const double power = fullest_ > 0 ? steepness_ * (full(id) / fullest_ - 1) : 0;
    prices_[id] = steep(std::min(power, kMostPower)) / graph_.capacity(id);
  }

  template <class See>
  void each_use(const Branch& branch, int turn, See&& see) const {
    const RankGraph::ArcId back = graph_.arcs()[branch.arc].back;
    if (flow_ != Flow::up)
      for (const ResourceUse& use : graph_.uses(branch.arc, branch.plane, turn)) see(use);
    if (flow_ != Flow::down)
      for (const ResourceUse& use : graph_.uses(back, branch.plane, turn)) see(use);
  }

  const RankGraph& graph_;
  Flow flow_;
  std::vector<double> loads_;   // bytes of a byte of every tree, by resource
  std::vector<double> prices_;  // by resource
  double fullest_ = 0;
  double steepness_ = 0;
};

}  // namespace syncsim::strategy
