// Exchanges in pairs and along the dimensions of a torus against their closed forms: n ranks, M
// bytes, a step of a + (bytes sent) b. A star whose links have an overhead of a and no latency is
// the one-port machine of the formulas, as long as each rank sends one message at a time; where two
// go side by side (bruck, recursive doubling's reduce-scatter) they share the port and end when one
// would. M = 72,072,000 divides by 2 to 16, and 62.5 ps a byte leaves whole picoseconds.

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::exchange_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;
using ParameterSet = std::map<std::string, std::string>;

constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;
constexpr auto kAllGather = CollectiveKind::all_gather;

constexpr std::int64_t kBytes = 72'072'000;        // M
constexpr std::int64_t kTransfer = 4'504'500'000;  // M b in picoseconds
constexpr std::int64_t kStep = 1'000'003;          // a
constexpr int kMostRanks = 16;

Topology star_of(int ranks) { return testing::slow_star(ranks, gigabytes(16), {}, {kStep}); }

std::int64_t floor_lg(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}
std::int64_t ceil_lg(std::int64_t n) { return floor_lg(2 * n - 1); }
bool is_power_of_two(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

std::int64_t time_of(const std::string& strategy, CollectiveKind kind, int ranks,
                     const ParameterSet& parameters = {}) {
  return picoseconds(star_of(ranks), {strategy, collective_of(kind, ranks, kBytes), parameters});
}

// On a star whose links carry a byte a picosecond, of a byte a rank: 10^9 ps a step, and some.
std::int64_t steps_of(const std::string& strategy, CollectiveKind kind, int ranks) {
  const Topology star = testing::slow_star(ranks, gigabytes(1'000), {}, {1'000'000'000});
  return picoseconds(star, {strategy, collective_of(kind, ranks, ranks)}) / 1'000'000'000;
}

// Checks that n ranks take `steps` steps that move `shares` n-ths of M.
void check_form(const std::string& strategy, CollectiveKind kind, int n, std::int64_t steps,
                std::int64_t shares, const ParameterSet& parameters = {}) {
  CAPTURE(strategy);
  CAPTURE(to_string(kind));
  CAPTURE(n);
  CHECK(time_of(strategy, kind, n, parameters) == steps * kStep + shares * (kTransfer / n));
}

template <class Check>
void each_count(Check&& check) {
  for (int n = 2; n <= kMostRanks; ++n) check(n);
}

template <class Check>
void each_power_of_two(Check&& check) {
  for (int n = 2; n <= kMostRanks; n *= 2) check(n);
}

// A row of published costs: seconds, where adding up costs nothing.
struct Row {
  const char* strategy;
  CollectiveKind kind;
  int ranks;
  std::int64_t bytes;
  double step;      // a
  double per_byte;  // b
  double expected;
};

}  // namespace

TEST_CASE("recursive doubling: lg n (a + M b) - two steps more where ranks fold") {
  each_count([](int n) {
    const std::int64_t steps = floor_lg(n) + (is_power_of_two(n) ? 0 : 2);
    check_form("recursive_doubling", kAllreduce, n, steps, steps * n);
  });
}

TEST_CASE("recursive doubling: all-gather in lg n a + (n-1)/n M b") {
  each_power_of_two(
      [](int n) { check_form("recursive_doubling", kAllGather, n, floor_lg(n), n - 1); });
}

TEST_CASE("recursive doubling: reduce-scatter in lg n a + (lg n - (n-1)/n) M b") {
  each_power_of_two([](int n) {
    check_form("recursive_doubling", kReduceScatter, n, floor_lg(n), n * floor_lg(n) - (n - 1));
  });
}

TEST_CASE("halving and doubling: 2 lg n a + 2 (n-1)/n M b, for reduce and broadcast too") {
  each_power_of_two([](int n) {
    for (const CollectiveKind kind :
         {kAllreduce, CollectiveKind::reduce, CollectiveKind::broadcast})
      check_form("halving_doubling", kind, n, 2 * floor_lg(n), 2 * (n - 1));
  });
}

TEST_CASE("halving and doubling: reduce-scatter and all-gather in lg n a + (n-1)/n M b") {
  each_power_of_two([](int n) {
    for (const CollectiveKind kind : {kReduceScatter, kAllGather})
      check_form("halving_doubling", kind, n, floor_lg(n), n - 1);
  });
}

TEST_CASE("halving and doubling of a folded allreduce: 2 (lg q + 1) a + 2 (1 + (q-1)/q) M b") {
  for (const int n : {3, 5, 6, 7, 9, 11, 13, 15}) {
    CAPTURE(n);
    const std::int64_t rounds = floor_lg(n);
    const std::int64_t q = std::int64_t{1} << rounds;
    CHECK(time_of("halving_doubling", kAllreduce, n) ==
          2 * (rounds + 1) * kStep + 2 * kTransfer + 2 * (q - 1) * (kTransfer / q));
  }
}

TEST_CASE("halving and doubling of a folded reduce-scatter: (lg q + 2) a + 2 M b") {
  // Where halves of the ranks are even; else up to a part a round more.
  for (const int n : {3, 6, 7})
    check_form("halving_doubling", kReduceScatter, n, floor_lg(n) + 2, 2 * n);
  for (const int n : {5, 9, 10, 11, 12, 13, 14, 15}) {
    CAPTURE(n);
    const std::int64_t bytes =
        time_of("halving_doubling", kReduceScatter, n) - (floor_lg(n) + 2) * kStep;
    CHECK(bytes >= 2 * kTransfer);
    CHECK(bytes <= 2 * kTransfer + floor_lg(n) * (kTransfer / n));
  }
}

TEST_CASE("folding takes two steps more than the largest power of two below") {
  for (const int n : {3, 5, 6, 7, 9, 13, 15})
    for (const char* strategy : {"recursive_doubling", "halving_doubling", "swing"})
      for (const CollectiveKind kind : {kReduceScatter, kAllGather}) {
        CAPTURE(strategy);
        CAPTURE(n);
        CHECK(steps_of(strategy, kind, n) == floor_lg(n) + 2);
      }
}

TEST_CASE("bruck: all-gather in ceil(lg n) a + (n-1)/n M b, of any number of ranks") {
  each_count([](int n) { check_form("bruck", kAllGather, n, ceil_lg(n), n - 1); });
}

TEST_CASE("bruck: all-to-all in ceil(lg n) a + lg n M b / 2 of powers of two") {
  each_power_of_two([](int n) {
    check_form("bruck", CollectiveKind::all_to_all, n, ceil_lg(n), floor_lg(n) * n / 2);
  });
}

TEST_CASE("bruck: a block of an all-to-all travels once for every bit of its distance") {
  each_count([](int n) {
    std::int64_t sent = 0;
    for (unsigned distance = 1; distance < static_cast<unsigned>(n); ++distance)
      sent += std::popcount(distance);
    check_form("bruck", CollectiveKind::all_to_all, n, ceil_lg(n), sent);
  });
}

TEST_CASE("rings of x and y ranks in turn: 2 (x + y - 2) a + 2 (n-1)/n M b") {
  for (const auto& [x, y] : {std::pair(2, 2), std::pair(2, 3), std::pair(3, 2), std::pair(4, 3),
                             std::pair(2, 7), std::pair(4, 4), std::pair(3, 5), std::pair(1, 13)}) {
    const ParameterSet one = {{"dimensions", std::to_string(x) + "x" + std::to_string(y)},
                              {"starts", "first"},
                              {"directions", "one"}};
    const int n = x * y;
    check_form("torus_rings", kAllreduce, n, 2 * (x + y - 2), 2 * (n - 1), one);
    check_form("torus_rings", kReduceScatter, n, x + y - 2, n - 1, one);
    check_form("torus_rings", kAllGather, n, x + y - 2, n - 1, one);
  }
}

TEST_CASE("swing over one port: 2 lg n a + 2 (n-1)/n M b, as halving and doubling") {
  const ParameterSet one = {{"starts", "first"}, {"directions", "one"}};
  each_power_of_two([&](int n) {
    check_form("swing", kAllreduce, n, 2 * floor_lg(n), 2 * (n - 1), one);
    check_form("swing", kReduceScatter, n, floor_lg(n), n - 1, one);
    check_form("swing", kAllGather, n, floor_lg(n), n - 1, one);
  });
}

TEST_CASE("published figures of exchanges in pairs") {
  constexpr auto kReduce = CollectiveKind::reduce;
  constexpr auto kBroadcast = CollectiveKind::broadcast;
  constexpr auto kAllToAll = CollectiveKind::all_to_all;
  constexpr double kTextbook = 1 / 16e9;
  constexpr double kNvlink = 1 / 54e9;
  const Row rows[] = {
      {"halving_doubling", kBroadcast, 4, 160'000'000, 0, kTextbook, 0.015},
      {"halving_doubling", kBroadcast, 8, 1'024, 5e-6, 4e-11, 3.007168e-05},
      {"halving_doubling", kBroadcast, 8, 67'108'864, 5e-6, 4e-11, 0.00472762048},
      {"halving_doubling", kBroadcast, 16, 268'435'456, 2e-6, 8e-11, 0.0402813184},
      {"halving_doubling", kReduce, 4, 160'000'000, 0, kTextbook, 0.015},
      {"halving_doubling", kReduce, 8, 160'000'000, 0, kNvlink, 0.005185185185},
      {"halving_doubling", kReduce, 8, 67'108'864, 5e-6, 4e-11, 0.00472762048},
      {"halving_doubling", kReduceScatter, 4, 160'000'000, 0, kTextbook, 0.0075},
      {"halving_doubling", kReduceScatter, 8, 160'000'000, 0, kNvlink, 0.002592592593},
      {"halving_doubling", kReduceScatter, 8, 1'024, 5e-6, 4e-11, 1.503584e-05},
      {"halving_doubling", kReduceScatter, 6, 1'048'576, 1e-6, 1e-10, 0.0002137152},
      {"halving_doubling", kAllreduce, 4, 160'000'000, 0, kTextbook, 0.015},
      {"halving_doubling", kAllreduce, 8, 1'024, 5e-6, 4e-11, 3.007168e-05},
      {"halving_doubling", kAllreduce, 8, 67'108'864, 5e-6, 4e-11, 0.00472762048},
      {"recursive_doubling", kReduceScatter, 4, 160'000'000, 0, kTextbook, 0.0125},
      {"recursive_doubling", kReduceScatter, 8, 1'024, 5e-6, 4e-11, 1.508704e-05},
      {"recursive_doubling", kReduceScatter, 8, 67'108'864, 5e-6, 4e-11, 0.00571925344},
      {"recursive_doubling", kAllGather, 4, 160'000'000, 0, kTextbook, 0.0075},
      {"recursive_doubling", kAllGather, 8, 160'000'000, 0, kNvlink, 0.002592592593},
      {"recursive_doubling", kAllGather, 8, 67'108'864, 5e-6, 4e-11, 0.00236381024},
      {"recursive_doubling", kAllGather, 16, 268'435'456, 2e-6, 8e-11, 0.0201406592},
      {"recursive_doubling", kAllreduce, 4, 160'000'000, 0, kTextbook, 0.02},
      {"recursive_doubling", kAllreduce, 8, 160'000'000, 0, kNvlink, 0.008888888889},
      {"recursive_doubling", kAllreduce, 8, 1'024, 5e-6, 4e-11, 1.512288e-05},
      {"recursive_doubling", kAllreduce, 6, 1'048'576, 1e-6, 1e-10, 0.0004234304},
      {"bruck", kAllGather, 4, 160'000'000, 0, kTextbook, 0.0075},
      {"bruck", kAllGather, 8, 1'024, 5e-6, 4e-11, 1.503584e-05},
      {"bruck", kAllGather, 8, 67'108'864, 5e-6, 4e-11, 0.00236381024},
      {"bruck", kAllGather, 6, 1'048'576, 1e-6, 1e-10, 9.0381333e-05},
      {"bruck", kAllToAll, 4, 160'000'000, 0, kTextbook, 0.01},
      {"bruck", kAllToAll, 8, 1'024, 5e-6, 4e-11, 1.506144e-05},
      {"bruck", kAllToAll, 8, 67'108'864, 5e-6, 4e-11, 0.00404153184},
  };
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    CAPTURE(to_string(row.kind));
    CAPTURE(row.ranks);
    CAPTURE(row.bytes);
    const Topology star = testing::slow_star(row.ranks, {1 / row.per_byte}, {},
                                             {static_cast<std::int64_t>(row.step * 1e12 + 0.5)});
    const auto time =
        picoseconds(star, {row.strategy, collective_of(row.kind, row.ranks, row.bytes)});
    CHECK(static_cast<double>(time) * 1e-12 == doctest::Approx(row.expected).epsilon(1e-6));
  }
}

}  // namespace syncsim::exchange_test
