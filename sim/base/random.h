#pragma once
// Chance that is the same on every machine: numbers are counted, not drawn one after the other, so
// that one of them depends on the seed and on its own place alone, never on what else was asked.
//
//   bits     Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2,
//            3, SC 2011), keyed by seed and stream, counting places
//   uniform  (n + 1/2) / 2^52 with n of 52 bits: above 0, below 1
// Others are of a uniform number by the inverse of their distribution, and grow with it:
//   standard_normal       Wichura's AS 241 (Applied Statistics 37, 1988), to 1e-16
//   standard_exponential  -log(1 - u): mean 1
//   mean_one_lognormal    exp(sigma z - sigma^2 / 2): its mean is 1, its median below
// By portable_math.h and IEEE square roots: every bit is the same everywhere.

#include <array>
#include <cstdint>

namespace syncsim {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

// Numbers of one seed. What must not depend on each other takes streams of its own.
class Chance {
 public:
  Chance(std::uint32_t seed, std::uint32_t stream) : key_{seed, stream} {}

  // The number of a place, such as a step and a rank.
  double uniform(std::uint64_t row, std::uint64_t column) const;

 private:
  PhiloxKey key_;
};

// `uniform` lies between 0 and 1, without them.
double standard_normal(double uniform);
double standard_exponential(double uniform);
double mean_one_lognormal(double uniform, double sigma);  // sigma up to 10; 0: exactly 1

}  // namespace syncsim
