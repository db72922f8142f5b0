// Textbook costs of rings, pairwise exchanges, two-shot and scatter + all-gather, evaluated for
// published parameters (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005): a in seconds, b in
// seconds a byte, one port, no cost of adding up. To 1 ppm: parts that do not divide evenly are as
// long as the longest.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::published_rings_test {
namespace {

using Kind = CollectiveKind;

struct Row {
  const char* strategy;
  Kind kind;
  int ranks;
  std::int64_t bytes;
  double a;
  double b;
  double seconds;
};

constexpr double kTextbook = 1 / 16e9;
constexpr double kNvlink = 1 / 54e9;

const Row kRows[] = {
    {"ring", Kind::reduce_scatter, 4, 160'000'000, 0, kTextbook, 0.0075},
    {"ring", Kind::reduce_scatter, 8, 1'024, 5e-6, 4e-11, 3.503584e-05},
    {"ring", Kind::reduce_scatter, 8, 67'108'864, 5e-6, 4e-11, 0.00238381024},
    {"ring", Kind::reduce_scatter, 6, 1'048'576, 1e-6, 1e-10, 9.238133333e-05},
    {"ring", Kind::all_gather, 8, 160'000'000, 0, kNvlink, 0.002592592593},
    {"ring", Kind::all_gather, 8, 1'024, 5e-6, 4e-11, 3.503584e-05},
    {"ring", Kind::all_gather, 8, 67'108'864, 5e-6, 4e-11, 0.00238381024},
    {"ring", Kind::all_gather, 16, 268'435'456, 2e-6, 8e-11, 0.0201626592},
    {"ring", Kind::allreduce, 4, 160'000'000, 0, kTextbook, 0.015},
    {"ring", Kind::allreduce, 8, 160'000'000, 0, kNvlink, 0.005185185185},
    {"ring", Kind::allreduce, 8, 1'024, 5e-6, 4e-11, 7.007168e-05},
    {"ring", Kind::allreduce, 6, 1'048'576, 1e-6, 1e-10, 0.0001847626667},
    {"one_shot", Kind::all_to_all, 4, 160'000'000, 0, kTextbook, 0.0075},
    {"one_shot", Kind::all_to_all, 8, 160'000'000, 0, kNvlink, 0.002592592593},
    {"one_shot", Kind::all_to_all, 8, 1'024, 5e-6, 4e-11, 3.503584e-05},
    {"one_shot", Kind::all_to_all, 6, 1'048'576, 1e-6, 1e-10, 9.238133333e-05},
    {"one_shot", Kind::all_to_all, 16, 268'435'456, 2e-6, 8e-11, 0.0201626592},
    {"distributed", Kind::allreduce, 4, 160'000'000, 0, kTextbook, 0.015},
    {"distributed", Kind::allreduce, 8, 1'024, 5e-6, 4e-11, 1.007168e-05},
    {"distributed", Kind::allreduce, 8, 67'108'864, 5e-6, 4e-11, 0.00470762048},
    {"distributed", Kind::allreduce, 6, 1'048'576, 1e-6, 1e-10, 0.0001767626667},
    {"scatter_allgather", Kind::broadcast, 4, 160'000'000, 0, kTextbook, 0.015},
    {"scatter_allgather", Kind::broadcast, 8, 160'000'000, 0, kNvlink, 0.005185185185},
    {"scatter_allgather", Kind::broadcast, 8, 1'024, 5e-6, 4e-11, 5.007168e-05},
    {"scatter_allgather", Kind::broadcast, 16, 268'435'456, 2e-6, 8e-11, 0.0403033184},
};

double seconds(const Row& row) {
  const Time cost{std::llround(row.a * 1e12)};
  const Topology machine = testing::slow_star(row.ranks, {1 / row.b}, {0}, cost);
  testing::Task task{row.strategy, testing::collective_of(row.kind, row.ranks, row.bytes)};
  if (row.kind == Kind::all_to_all) task.parameters["order"] = "sequential";
  return static_cast<double>(testing::picoseconds(machine, task)) * 1e-12;
}

}  // namespace

TEST_CASE("rings and direct exchanges take what the textbooks reckon") {
  for (const Row& row : kRows) {
    CAPTURE(row.strategy);
    CAPTURE(to_string(row.kind));
    CAPTURE(row.ranks);
    CAPTURE(row.bytes);
    CHECK(seconds(row) == doctest::Approx(row.seconds).epsilon(1e-6));
  }
}

TEST_CASE("a broadcast of scattered parts takes at most (ceil(lg p) + p - 1) a + 2 (p-1)/p n b") {
  for (int p = 2; p <= 16; ++p) {
    CAPTURE(p);
    std::int64_t levels = 0;
    while ((1 << levels) < p) ++levels;
    constexpr std::int64_t kStep = 1'000'003;
    constexpr std::int64_t kPerByte = 100;
    constexpr std::int64_t kBytes = 720'720;
    const Topology star = testing::slow_star(p, testing::gigabytes(10), {}, {kStep});
    const testing::Task task = {"scatter_allgather",
                                testing::collective_of(Kind::broadcast, p, kBytes)};
    const std::int64_t whole = (levels + p - 1) * kStep + 2 * (p - 1) * (kBytes / p) * kPerByte;
    const std::int64_t taken = testing::picoseconds(star, task);
    CHECK(taken <= whole);
    if ((p & (p - 1)) == 0) CHECK(taken == whole);
  }
}

}  // namespace syncsim::published_rings_test
