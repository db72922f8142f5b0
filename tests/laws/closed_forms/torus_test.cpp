// What torus_rings and swing take on tori, whose links they use all at once: D dimensions of d
// ranks each, M bytes, b a byte on each of 2D links of a rank.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/check.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::torus_test {
namespace {

using testing::collective_of;

constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;
constexpr auto kAllGather = CollectiveKind::all_gather;

constexpr std::int64_t kPerByte = 125;  // ps, at 8 GB/s
constexpr std::int64_t kHop = 700;      // ps of latency and overhead together

Topology torus(int side, int dimensions, bool slow = false) {
  std::string lengths;
  for (int i = 0; i < dimensions; ++i) lengths += (i > 0 ? ", " : "") + std::to_string(side);
  return testing::written_machine(
      R"({"kind": "torus", "dimensions": [)" + lengths +
      R"(], "link": {"kind": "xgmi", "bandwidth": "8 GB/s")" +
      (slow ? R"(, "latency": "500 ps", "overhead": "200 ps"}})" : "}}"));
}

int places(int side, int dimensions) {
  int result = 1;
  for (int i = 0; i < dimensions; ++i) result *= side;
  return result;
}

struct Cube {
  int side;
  int dimensions;
};

// The cost of a reduce-scatter on d^D ranks in units of M b / 2D: what swing pays for links that
// messages share (De Sensi et al., NSDI 2024): the sum of delta(floor(s / D)) / 2^(s+1).
struct Congested {
  int side;
  int dimensions;
  double factor;
};

}  // namespace

TEST_CASE("torus_rings: 2 D (d-1) steps and 2 (n-1)/n M b / 2D: all links are always busy") {
  for (const Cube& cube : {Cube{3, 1}, Cube{8, 1}, Cube{3, 2}, Cube{4, 2}, Cube{5, 2}, Cube{3, 3},
                           Cube{4, 3}, Cube{3, 4}}) {
    CAPTURE(cube.side);
    CAPTURE(cube.dimensions);
    const int n = places(cube.side, cube.dimensions);
    const std::int64_t links = 2 * cube.dimensions;
    const std::int64_t bytes = 1'000 * n * links;
    const std::int64_t expected =
        cube.dimensions * (cube.side - 1) * kHop + (n - 1) * (bytes / n / links) * kPerByte;
    const Topology machine = torus(cube.side, cube.dimensions, true);
    for (const CollectiveKind kind : {kAllreduce, kReduceScatter, kAllGather}) {
      CAPTURE(to_string(kind));
      CHECK(testing::picoseconds(machine, {"torus_rings", collective_of(kind, n, bytes)}) ==
            (kind == kAllreduce ? 2 : 1) * expected);
    }
  }
}

TEST_CASE("torus_rings from one dimension, one way round, leaves the other links idle") {
  const testing::Task task = {"torus_rings",
                              collective_of(kAllreduce, 16, 16'000),
                              {{"starts", "first"}, {"directions", "one"}}};
  CHECK(testing::picoseconds(torus(4, 2, true), task) == 12 * kHop + 2 * 15 * 1'000 * kPerByte);
}

TEST_CASE(
    "swing's messages share links as published: 1.2 in the limit on 2 dimensions, 1.04 on 3") {
  for (const Congested& row :
       {Congested{4, 2, 0.9375}, Congested{8, 2, 1.078125}, Congested{16, 2, 1.136719},
        Congested{4, 3, 0.984375}, Congested{8, 3, 1.025391}, Congested{4, 4, 0.996094}}) {
    CAPTURE(row.side);
    CAPTURE(row.dimensions);
    const int n = places(row.side, row.dimensions);
    const std::int64_t links = 2 * row.dimensions;
    const std::int64_t bytes = 4'000 * n * links;
    const testing::Task task = {"swing", collective_of(kAllreduce, n, bytes)};
    const auto time =
        static_cast<double>(testing::picoseconds(torus(row.side, row.dimensions), task));
    const double whole = static_cast<double>(bytes * kPerByte / links);
    CHECK(time == doctest::Approx(2 * row.factor * whole).epsilon(1e-6));
  }
}

TEST_CASE("swing takes 2 lg n steps") {
  // Of the longest way: 1, 1, 3 links along each of three dimensions.
  const testing::Task task = {"swing", collective_of(kAllreduce, 64, 64)};
  const Topology machine = testing::slow_star(64, testing::gigabytes(1'000), {}, {1'000'000});
  CHECK(testing::picoseconds(machine, task) / 1'000'000 == 12);
}

TEST_CASE("exchanges on tori are proved") {
  for (const Cube& cube : {Cube{4, 2}, Cube{2, 4}, Cube{4, 3}, Cube{8, 2}, Cube{16, 1}})
    for (const char* strategy :
         {"swing", "torus_rings", "bruck", "halving_doubling", "recursive_doubling"})
      for (const CollectiveKind kind : strategies().at(strategy).collectives) {
        CAPTURE(strategy);
        CAPTURE(to_string(kind));
        const int n = places(cube.side, cube.dimensions);
        const auto violation = check(testing::emitted(
            torus(cube.side, cube.dimensions), {strategy, collective_of(kind, n, 10'007, 3)}));
        CHECK((violation ? violation->message : "proved") == "proved");
      }
}

}  // namespace syncsim::torus_test
