#pragma once
// Which of many hops a tree takes.

#include "strategies/packing/prices.h"

namespace syncsim::strategy {

// What counts of a hop that begins at a level: its price, the more the farther down.
struct Cheap {
  const Prices& prices;
  double operator()(const Branch& branch, int turn, int level) const {
    constexpr double kDepthCost = 0.1;  // what a level adds to the price, of that price
    return prices.of(branch, turn) * (1 + kDepthCost * level);
  }
};

// Its level alone, if it makes nothing fuller than `most`.
struct Low {
  const Prices& prices;
  double most;
  double operator()(const Branch& branch, int turn, int level) const {
    return prices.fits(branch, turn, most) ? level : kInfinity;
  }
};

// Of the planes' ways too the better one is kept.
template <class Price>
void keep_better(Branch& best, RankGraph::ArcId arc, int turn, int level, Price&& price) {
  for (const Plane plane : kPlanes) {
    Branch branch{arc, plane};
    branch.price = price(branch, turn, level);
    if (branch.price < best.price) best = branch;
  }
}

}  // namespace syncsim::strategy
