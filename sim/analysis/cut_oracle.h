#pragma once
// Least cuts of a CutGraph, one max-flow each. Every terminal has a say on whether it lies in S:
//   inside, outside   it must, or must not
//   a price p >= 0    leaving it outside costs p
//   a price p < 0     taking it inside costs -p
// least() minimises  scale x B+(S) + the costs  over all S; free nodes go where it is cheapest.
// Scale times the sum of capacities, and the sum of all prices, stay below 2^60 each.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/analysis/cut_graph.h"
#include "sim/topology/flow_network.h"

namespace syncsim {

using TerminalSet = std::vector<bool>;  // by terminal

struct Cut {
  std::int64_t value = 0;
  TerminalSet inside;
  std::vector<bool> nodes;  // of the graph, by node: the smallest S
};

enum class Flow : std::uint8_t { leaving, entering };

class CutOracle {
 public:
  // `entering` judges by B-(S), what enters a set, in place of B+(S).
  explicit CutOracle(const CutGraph& graph, Flow flow = Flow::leaving);

  void set_scale(std::int64_t scale) { scale_ = scale; }
  void set_inside(std::size_t terminal) { says_[terminal] = {Say::inside, 0}; }
  void set_outside(std::size_t terminal) { says_[terminal] = {Say::outside, 0}; }
  void set_price(std::size_t terminal, std::int64_t price) { says_[terminal] = {Say::any, price}; }
  Cut least();

  // B+(S) where S holds these terminals and no others. At scale 1.
  std::int64_t of(const TerminalSet& inside);
  // The least B+(S) with `from` inside and `to` outside, the others as they please. At scale 1.
  Cut between(std::size_t from, std::size_t to);

  std::size_t terminals() const { return says_.size(); }

 private:
  struct Say {
    enum Side : std::uint8_t { any, inside, outside } side = any;
    std::int64_t price = 0;
  };
  void apply(std::size_t terminal);

  FlowNetwork network_;
  std::size_t source_;
  std::size_t sink_;
  std::int64_t scale_ = 1;
  std::int64_t applied_scale_ = 1;
  std::vector<std::int64_t> capacities_;  // of the graph's arcs
  std::vector<std::int64_t> out_;         // by terminal: the sum of its arcs' capacities
  std::vector<std::int64_t> in_;
  std::vector<Say> says_;
  std::vector<FlowNetwork::ArcIndex> from_source_;
  std::vector<FlowNetwork::ArcIndex> to_sink_;
};

}  // namespace syncsim
