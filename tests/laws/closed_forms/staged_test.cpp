// Formulas with a cost of adding up: p ranks with one port each, n bytes, a step of a + (bytes
// sent) b + (bytes added) g. Sums come after their messages where reductions are staged. Formulas:
// Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005; Chan, Heimlich, Purkayastha and van de Geijn,
// CCPE 19(13), 2007. n divides by 2 to 16; a byte takes 62.5 ps on the wire and 20 ps to add.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::staged_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::Task;
using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

constexpr std::int64_t kBytes = 72'072'000;    // n
constexpr std::int64_t kWire = 4'504'500'000;  // n b in picoseconds
constexpr std::int64_t kSum = 1'441'440'000;   // n g
constexpr std::int64_t kStep = 1'000'003;      // a
constexpr int kMostRanks = 16;
const ParameterSet kSequential = {{"order", "sequential"}};

Topology adding_star(int ranks, double wire, double sum, std::int64_t step) {
  Topology::Parts parts = testing::slow_star(ranks, {wire}, {}, {step}).parts();
  for (const NodeId rank : parts.ranks) parts.nodes[rank].reduce_bandwidth = Bandwidth{sum};
  return Topology(parts);
}

std::int64_t time_on(const Topology& machine, const Task& task) {
  return testing::simulated(testing::staged(machine, task), machine).finish.ps;
}

std::int64_t time_of(const std::string& strategy, Kind kind, int ranks,
                     const ParameterSet& parameters = {}) {
  return time_on(adding_star(ranks, 16e9, 50e9, kStep),
                 {strategy, collective_of(kind, ranks, kBytes), parameters});
}

// What p ranks take: `steps` steps that move `sent` and add `added` p-th parts of the data.
struct Cost {
  std::int64_t steps;
  std::int64_t sent;
  std::int64_t added;
};

void check_cost(const std::string& strategy, Kind kind, int p, const Cost& cost,
                const ParameterSet& parameters = {}) {
  CAPTURE(strategy);
  CAPTURE(to_string(kind));
  CAPTURE(p);
  CHECK(time_of(strategy, kind, p, parameters) ==
        cost.steps * kStep + cost.sent * (kWire / p) + cost.added * (kSum / p));
}

template <class Check>
void each_count(Check&& check) {
  for (int p = 2; p <= kMostRanks; ++p) check(p);
}

template <class Check>
void each_power_of_two(Check&& check) {
  for (int p = 2; p <= kMostRanks; p *= 2) check(p);
}

std::int64_t floor_lg(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}
std::int64_t ceil_lg(std::int64_t n) { return floor_lg(2 * n - 1); }

}  // namespace

TEST_CASE("staged, a flat reduce takes (p-1)(a + n b + n g)") {
  each_count([](int p) {
    const std::int64_t steps = p - 1;
    check_cost("one_shot", Kind::reduce, p, {steps, steps * p, steps * p}, kSequential);
    check_cost("central_gpu", Kind::allreduce, p, {2 * steps, 2 * steps * p, steps * p},
               kSequential);
  });
}

TEST_CASE("staged, a binomial tree takes ceil(lg p)(a + n b + n g) up, and a + n b a step down") {
  each_count([](int p) {
    const std::int64_t steps = ceil_lg(p);
    check_cost("binomial_tree", Kind::reduce, p, {steps, steps * p, steps * p});
    check_cost("binomial_tree", Kind::allreduce, p, {2 * steps, 2 * steps * p, steps * p});
  });
}

TEST_CASE("staged, a ring takes 2 (p-1) a + 2 (p-1)/p n b + (p-1)/p n g") {
  each_count([](int p) {
    check_cost("ring", Kind::allreduce, p, {2 * (p - 1), 2 * (p - 1), p - 1});
    check_cost("ring", Kind::reduce_scatter, p, {p - 1, p - 1, p - 1});
    check_cost("one_shot", Kind::reduce_scatter, p, {p - 1, p - 1, p - 1}, kSequential);
  });
}

TEST_CASE("staged, halving and doubling takes 2 lg p a + 2 (p-1)/p n b + (p-1)/p n g") {
  each_power_of_two([](int p) {
    const std::int64_t steps = floor_lg(p);
    for (const Kind kind : {Kind::allreduce, Kind::reduce})
      check_cost("halving_doubling", kind, p, {2 * steps, 2 * (p - 1), p - 1});
    check_cost("halving_doubling", Kind::reduce_scatter, p, {steps, p - 1, p - 1});
  });
}

TEST_CASE("staged, a folded halving and doubling adds n (1 + (q-1)/q), where q folded ranks work") {
  for (const int p : {3, 5, 6, 7, 9, 11, 13, 15}) {
    CAPTURE(p);
    const std::int64_t q = std::int64_t{1} << floor_lg(p);
    CHECK(time_of("halving_doubling", Kind::allreduce, p) ==
          2 * (floor_lg(p) + 1) * kStep + 2 * kWire + 2 * (q - 1) * (kWire / q) + kSum +
              (q - 1) * (kSum / q));
  }
}

TEST_CASE("staged, recursive doubling takes lg p (a + n b + n g), two steps more folded") {
  each_count([](int p) {
    const std::int64_t rounds = floor_lg(p);
    const std::int64_t folds = p == 1 << rounds ? 0 : 1;
    check_cost("recursive_doubling", Kind::allreduce, p,
               {rounds + 2 * folds, (rounds + 2 * folds) * p, (rounds + folds) * p});
  });
  each_power_of_two([](int p) {
    const std::int64_t moved = p * floor_lg(p) - (p - 1);
    check_cost("recursive_doubling", Kind::reduce_scatter, p, {floor_lg(p), moved, moved});
  });
}

TEST_CASE(
    "staged, sending straight takes a + (p-1)(n b + n g) whole, of parts 2 a, 2 (p-1)/p n b") {
  each_count([](int p) {
    check_cost("one_shot", Kind::allreduce, p, {1, (p - 1) * p, (p - 1) * p});
    check_cost("distributed", Kind::allreduce, p, {2, 2 * (p - 1), p - 1});
  });
}

TEST_CASE("staged, published costs of 256 MiB on 16 ranks that add 100 GB/s") {
  struct Row {
    const char* strategy;
    Kind kind;
    ParameterSet parameters;
    double seconds;
  };
  const Row rows[] = {{"one_shot", Kind::reduce, kSequential, 0.3624178656},
                      {"binomial_tree", Kind::reduce, {}, 0.09664476416},
                      {"halving_doubling", Kind::reduce, {}, 0.0427979008},
                      {"halving_doubling", Kind::reduce_scatter, {}, 0.0226572416},
                      {"recursive_doubling", Kind::reduce_scatter, {}, 0.07399552256},
                      {"central_gpu", Kind::allreduce, kSequential, 0.6845704128},
                      {"recursive_doubling", Kind::allreduce, {}, 0.09664476416},
                      {"halving_doubling", Kind::allreduce, {}, 0.0427979008},
                      {"ring", Kind::allreduce, {}, 0.0428419008},
                      {"one_shot", Kind::allreduce, {}, 0.3623898656}};
  const Topology machine = adding_star(16, 12.5e9, 100e9, 2'000'000);
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    CAPTURE(to_string(row.kind));
    const Task task{row.strategy, collective_of(row.kind, 16, 268'435'456), row.parameters};
    CHECK(std::abs(static_cast<double>(time_on(machine, task)) - row.seconds * 1e12) <= 30);
  }
}

TEST_CASE("on arrival, a transfer takes the longer of the wire's time and the sum's") {
  for (const double sum : {8e9, 16e9, 50e9}) {
    const Topology machine = adding_star(2, 16e9, sum, 0);
    const Task task{"central_gpu", collective_of(Kind::reduce, 2, kBytes)};
    CHECK(testing::picoseconds(machine, task) == (sum < 16e9 ? 2 : 1) * kWire);
    CHECK(time_on(machine, task) ==
          kWire + static_cast<std::int64_t>(static_cast<double>(kBytes) * 1e12 / sum));
  }
}

}  // namespace syncsim::staged_test
