#include "sim/base/random.h"

#include <cmath>
#include <span>

#include "sim/base/portable_math.h"

namespace syncsim {
namespace {

constexpr std::uint32_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};

std::uint32_t high_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint32_t low_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

// A quotient of polynomials, the lowest power first.
struct Quotient {
  double numerator[8];
  double denominator[8];

  double at(double x) const { return polynomial(numerator, x) / polynomial(denominator, x); }

 private:
  static double polynomial(std::span<const double> coefficients, double x) {
    double sum = 0;
    for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * x + coefficients[i];
    return sum;
  }
};

// AS 241, PPND16: of the middle, of the sides, of the ends.
constexpr Quotient kMiddle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
constexpr Quotient kSides = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Quotient kEnds = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace

PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = std::uint64_t{kMultipliers[0]} * counter[0];
    const std::uint64_t second = std::uint64_t{kMultipliers[1]} * counter[2];
    counter = {high_of(second) ^ counter[1] ^ key[0], low_of(second),
               high_of(first) ^ counter[3] ^ key[1], low_of(first)};
    key = {key[0] + kWeyl[0], key[1] + kWeyl[1]};
  }
  return counter;
}

double Chance::uniform(std::uint64_t row, std::uint64_t column) const {
  const PhiloxCounter words =
      philox({low_of(column), high_of(column), low_of(row), high_of(row)}, key_);
  const std::uint64_t bits = std::uint64_t{words[1]} << 32 | words[0];
  return std::ldexp(static_cast<double>(bits >> 12) + 0.5, -52);
}

double standard_normal(double uniform) {
  const double from_middle = uniform - 0.5;
  if (std::abs(from_middle) <= 0.425)
    return from_middle * kMiddle.at(0.180625 - from_middle * from_middle);
  const double tail = std::sqrt(-portable_log(from_middle < 0 ? uniform : 1 - uniform));
  const double size = tail <= 5 ? kSides.at(tail - 1.6) : kEnds.at(tail - 5);
  return from_middle < 0 ? -size : size;
}

double standard_exponential(double uniform) { return -portable_log(1 - uniform); }

double mean_one_lognormal(double uniform, double sigma) {
  return portable_exp(sigma * standard_normal(uniform) - sigma * sigma / 2);
}

}  // namespace syncsim
