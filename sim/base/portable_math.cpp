#include "sim/base/portable_math.h"

#include <cmath>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// log 2 in two parts; the first has zeros at its end, so that its product with an exponent is exact
// (fdlibm's e_log.c).
constexpr double kLog2High = 6.93147180369123816490e-01;
constexpr double kLog2Low = 1.90821492927058770002e-10;
constexpr double kSquareRootOfHalf = 0.70710678118654752440;

}  // namespace

double portable_log(double x) {
  require(x > 0 && std::isfinite(x), "a logarithm of what has none");
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact
  if (mantissa < kSquareRootOfHalf) {
    mantissa *= 2;
    --exponent;
  }
  const double ratio = (mantissa - 1) / (mantissa + 1);  // at most 0.172: 0.172^24 is nothing
  const double square = ratio * ratio;
  double tail = 0;
  for (int n = 23; n >= 3; n -= 2) tail = (tail + 1.0 / n) * square;
  return exponent * kLog2High + (2 * ratio + (2 * ratio * tail + exponent * kLog2Low));
}

double portable_exp(double x) {
  require(std::abs(x) <= 700, "an exponential of what is too large");
  const double twos = std::floor(x / kLog2High + 0.5);
  const double rest = (x - twos * kLog2High) - twos * kLog2Low;
  double sum = 0;  // (e^rest - 1) / rest, which 0.347^15 / 15! ends
  for (int n = 15; n >= 1; --n) sum = (sum * rest + 1) / n;
  return std::ldexp(1 + rest * sum, static_cast<int>(twos));  // exact
}

}  // namespace syncsim
