#pragma once
// Ranks seen as places of a torus, the last dimension fastest, and the data shared by several
// collectives that cross it at once: each begins in another dimension, or runs the other way round.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

struct Torus {
  std::vector<int> lengths;

  int dimensions() const { return static_cast<int>(lengths.size()); }
  int length(int dimension) const { return lengths[static_cast<std::size_t>(dimension)]; }
  int coordinate(int place, int dimension) const;
  // The place with that coordinate, modulo the length, instead.
  int moved(int place, int dimension, int coordinate) const;
  std::string text() const;  // "4x4x4"

 private:
  int stride(int dimension) const;
};

// The torus or mesh that the direct links between the ranks form, if they form one. Ranks are its
// places in order.
std::optional<Torus> find_torus(const StrategyInput& input);
// The parameter `dimensions`, nothing for "auto". Throws InputError unless there are as many places
// as ranks.
std::optional<Torus> given_torus(const StrategyInput& input);

// How one share of the data crosses the torus.
struct Crossing {
  int first_dimension = 0;
  bool backward = false;
};
// By the parameters `starts` (first, each) and `directions` (one, both).
std::vector<Crossing> chosen_crossings(const StrategyInput& input, const Torus& torus);

}  // namespace syncsim::strategy
