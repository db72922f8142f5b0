// Numbers by chance that are the same everywhere, and functions that are the same to the bit.

#include "sim/base/random.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/portable_math.h"

namespace syncsim::testing::random_test {
namespace {

constexpr int kDraws = 100'000;

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <class Draw>
Moments moments(Draw&& draw) {
  const Chance chance(7, 3);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double x = draw(chance.uniform(i / 8, i % 8));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

}  // namespace

TEST_CASE("bits are those that Random123 publishes for Philox4x32-10") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a uniform number is the upper 52 of its first 64 bits, in the middle of its cell") {
  const std::uint64_t first = 0xe169c58d6627e8d5 >> 12;  // the published bits above
  CHECK(Chance(0, 0).uniform(0, 0) == (static_cast<double>(first) + 0.5) / 4503599627370496.0);
}

TEST_CASE("a number depends on its seed, its stream and its place alone") {
  const Chance chance(5, 1);
  std::vector<double> forwards;
  for (std::uint64_t i = 0; i < 20; ++i) forwards.push_back(chance.uniform(i, 3));
  const Chance again(5, 1);
  for (std::uint64_t i = 20; i-- > 0;) CHECK(again.uniform(i, 3) == forwards[i]);
  CHECK(chance.uniform(3, 4) != chance.uniform(4, 3));
  CHECK(Chance(6, 1).uniform(3, 4) != chance.uniform(3, 4));
  CHECK(Chance(5, 2).uniform(3, 4) != chance.uniform(3, 4));
  CHECK(chance.uniform(std::uint64_t{1} << 32, 0) != chance.uniform(0, 0));
  CHECK(chance.uniform(0, std::uint64_t{1} << 32) != chance.uniform(0, 0));
}

// True values to 20 digits, by arithmetic of 40.
TEST_CASE("logarithms and exponentials are true to two units in the last place") {
  const auto near = [](double value, double truth) {
    CAPTURE(truth);
    CHECK(std::abs(value - truth) <= 2 * 2.220446049250313e-16 * std::abs(truth));
  };
  near(portable_log(0.1), -2.3025850929940456285);
  near(portable_log(1e-300), -690.77552789821370518);
  near(portable_log(3.7), 1.3083328196501788084);
  near(portable_log(0.9999999), -1.0000000494736474329e-7);
  near(portable_log(12345.678), 9.4210613212918319671);
  CHECK(portable_log(1) == 0);
  near(portable_exp(0.1), 1.1051709180756476309);
  near(portable_exp(-650.5), 3.100555587834667778e-283);
  near(portable_exp(0.34), 1.4049475905635938312);
  near(portable_exp(-20.25), 1.6052280551856116087e-9);
  near(portable_exp(300.125), 2.201057464963800928e+130);
  CHECK(portable_exp(0) == 1);
  CHECK_THROWS_AS(portable_log(0), InternalError);
  CHECK_THROWS_AS(portable_exp(701), InternalError);
}

TEST_CASE("normal numbers are the quantiles of the normal distribution") {
  CHECK(standard_normal(0.5) == 0);
  CHECK(standard_normal(0.975) == doctest::Approx(1.9599639845400538556).epsilon(1e-15));
  CHECK(standard_normal(0.93) == doctest::Approx(1.475791028179171099).epsilon(1e-15));
  CHECK(standard_normal(0.25) == doctest::Approx(-0.6744897501960817432).epsilon(1e-15));
  CHECK(standard_normal(0.001) == doctest::Approx(-3.0902323061678135354).epsilon(1e-15));
  CHECK(standard_normal(1e-12) == doctest::Approx(-7.0344838253011319326).epsilon(1e-15));
  const double least = std::ldexp(0.5, -52);  // of uniform numbers
  CHECK(standard_normal(least) == doctest::Approx(-8.2095361516013868556).epsilon(1e-12));
}

// FNV-1a of a thousand of each, the same whatever the compiler, its optimisation and the machine.
TEST_CASE("every bit of every kind of number is the same everywhere") {
  std::uint64_t hash = 1469598103934665603u;
  const Chance chance(3, 1);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const double uniform = chance.uniform(i, i % 7);
    for (const double number : {uniform, standard_normal(uniform), standard_exponential(uniform),
                                mean_one_lognormal(uniform, 0.37)})
      hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x100000001b3u;
  }
  CHECK(hash == 0x4d681ecbc7893673u);
}

// Four standard errors of the mean and of the variance, as the fourth moments say them.
TEST_CASE("moments are those of the distributions") {
  const double root = std::sqrt(static_cast<double>(kDraws));
  const Moments uniform = moments([](double u) { return u; });
  CHECK(std::abs(uniform.mean - 0.5) < 4 * std::sqrt(1.0 / 12) / root);
  CHECK(std::abs(uniform.variance - 1.0 / 12) < 4 * std::sqrt(1.0 / 180) / root);
  const Moments normal = moments(standard_normal);
  CHECK(std::abs(normal.mean) < 4 / root);
  CHECK(std::abs(normal.variance - 1) < 4 * std::sqrt(2.0) / root);
  const Moments exponential = moments(standard_exponential);
  CHECK(std::abs(exponential.mean - 1) < 4 / root);
  CHECK(std::abs(exponential.variance - 1) < 4 * std::sqrt(8.0) / root);
  const double variance = std::exp(0.09) - 1;  // of a mean of 1 and sigma 0.3
  const Moments lognormal = moments([](double u) { return mean_one_lognormal(u, 0.3); });
  CHECK(std::abs(lognormal.mean - 1) < 4 * std::sqrt(variance) / root);
  CHECK(std::abs(lognormal.variance - variance) < 4 * 2 * variance / root);
}

TEST_CASE("a lognormal factor has its median below 1, and is 1 where sigma is 0") {
  CHECK(mean_one_lognormal(0.5, 0.4) == doctest::Approx(std::exp(-0.08)).epsilon(1e-15));
  for (const double u : {1e-15, 0.2, 0.5, 0.999}) CHECK(mean_one_lognormal(u, 0) == 1);
}

}  // namespace syncsim::testing::random_test
