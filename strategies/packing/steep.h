#pragma once

namespace syncsim::strategy {

// (1 + x / 1024)^1024: e^x for small x, about as steep for large ones, and the same bits
// everywhere, which libraries' exp does not promise. x > -1024.
inline double steep(double x) {
  double power = 1 + x / 1024;
  for (int squarings = 0; squarings < 10; ++squarings) power *= power;
  return power;
}

}  // namespace syncsim::strategy
