#pragma once
// splitmix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers on every machine.

#include <cstdint>

namespace syncsim::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(uniform() * bound); }

 private:
  std::uint64_t state_;
};

}  // namespace syncsim::bench
