#pragma once
// Random draws for tests, with the same bits on every platform (std distributions promise none).

#include <cmath>
#include <cstdint>
#include <random>

namespace syncsim::engine {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(bits_() % end); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double log_uniform(double least, double most) { return least * std::pow(most / least, unit()); }

 private:
  std::mt19937_64 bits_;
};

}  // namespace syncsim::engine
