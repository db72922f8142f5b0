// Times of parameter servers. m workers with ports of W, s servers with ports of B, M bytes, k
// chunks. Figures divide, so that every one is exact.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "tests/support/clusters.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::servers_test {
namespace {

using testing::cluster;
using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;

constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr std::int64_t kBytes = 72'072'000;    // M, divides by 2 to 16
constexpr std::int64_t kAt16 = 4'504'500'000;  // M at 16 GB/s, in picoseconds
constexpr std::int64_t kAt8 = 2 * kAt16;

std::int64_t served(const Topology& machine, int workers, std::int64_t chunks) {
  const Task task{"parameter_server",
                  collective_of(kAllreduce, workers, kBytes),
                  {{"chunks", std::to_string(chunks)}}};
  return picoseconds(machine, task);
}

// BytePS, OSDI 2020, Theorem 1, evaluated: t B / M = numerator / denominator.
struct Optimum {
  int n;  // machines with GPUs
  int k;  // without
  std::int64_t numerator;
  std::int64_t denominator;
};
constexpr Optimum kOptima[] = {{2, 0, 1, 1},    {2, 2, 1, 1},     {4, 0, 3, 2},    {4, 2, 6, 5},
                               {4, 4, 1, 1},    {8, 1, 8, 5},     {8, 2, 28, 19},  {8, 8, 1, 1},
                               {16, 0, 15, 8},  {16, 4, 20, 13},  {16, 8, 30, 23}, {32, 0, 31, 16},
                               {32, 1, 32, 17}, {32, 16, 62, 47}, {32, 32, 1, 1}};

constexpr std::int64_t kChunks = 6;
// At 1 TB/s a byte takes a picosecond; shards and chunks divide.
std::int64_t bytes_of(const Optimum& row) {
  return (row.n * row.n + row.k * row.n - 2 * row.k) * kChunks * 32;
}
Topology fast_cluster(const Optimum& row) {
  return cluster({.with_gpus = row.n, .without = row.k, .port = gigabytes(1'000)});
}
std::int64_t time_of(const Optimum& row, const std::string& strategy) {
  Task task{strategy, collective_of(kAllreduce, row.n, bytes_of(row))};
  if (strategy != "ring") task.parameters = {{"chunks", std::to_string(kChunks)}};
  return picoseconds(fast_cluster(row), task);
}

}  // namespace

TEST_CASE("pushed, then pulled, m workers and s servers take 2 max(M/W, m M/(s B))") {
  for (const int m : {2, 3, 5, 8})
    for (const int s : {1, 2, 3, 4, 8, 12}) {
      CAPTURE(m);
      CAPTURE(s);
      CHECK(served(cluster({.with_gpus = m, .without = s}), m, 1) ==
            2 * std::max(kAt16, m * (kAt16 / s)));
      const Topology slow = cluster({.with_gpus = m, .without = s, .cpu_port = gigabytes(8)});
      CHECK(served(slow, m, 1) == 2 * std::max(kAt16, m * (kAt8 / s)));
    }
}

TEST_CASE("in k chunks, pulls overlap pushes: (1 + 1/k) max(M/W, m M/(s B))") {
  for (const int m : {2, 3, 5})
    for (const int s : {1, 2, 4, 5})
      for (const std::int64_t k : {2, 3, 11}) {
        CAPTURE(m);
        CAPTURE(s);
        CAPTURE(k);
        const std::int64_t all = std::max(kAt16, m * (kAt16 / s));
        CHECK(served(cluster({.with_gpus = m, .without = s}), m, k) == all + all / k);
      }
}

TEST_CASE("one server takes O(m), as many as workers O(1)") {
  const auto time = [](int workers, int servers) {
    return served(cluster({.with_gpus = workers, .without = servers}), workers, 1);
  };
  for (int m = 2; m <= 16; ++m) {
    CHECK(2 * time(m, 1) == m * time(2, 1));
    CHECK(time(m, m) == time(2, 2));
  }
  CHECK(time(5, 1) == 3 * time(5, 3));  // the textbook's figure of 5 workers and 3 servers
}

TEST_CASE("servers on the m workers take 2 (m-1)/m M/B, in chunks or not") {
  for (int m = 2; m <= 16; ++m)
    for (const std::int64_t k : {1, 4}) {
      CAPTURE(m);
      CAPTURE(k);
      if (kAt16 % (m * k) != 0) continue;
      CHECK(served(cluster({.with_gpus = m}), m, k) == 2 * (m - 1) * (kAt16 / m));
    }
}

TEST_CASE("a server with a larger shard takes longer by as much") {
  Task task{"parameter_server",
            collective_of(kAllreduce, 4, 19 * 4'000),
            {{"chunks", "1"}, {"weights", "7,4,4,4"}}};
  const Topology machine = cluster({.with_gpus = 4, .without = 4, .port = gigabytes(1'000)});
  CHECK(picoseconds(machine, task) == 2 * 4 * 7 * 4'000);
  task.parameters["weights"] = "equal";
  CHECK(picoseconds(machine, task) == 2 * 4 * 19 * 1'000);
}

TEST_CASE("byteps takes 2 n (n-1) M / ((n^2 + k n - 2 k) B), and a chunk more where k > 0") {
  for (const Optimum& row : kOptima) {
    CAPTURE(row.n);
    CAPTURE(row.k);
    const std::int64_t optimum = bytes_of(row) * row.numerator / row.denominator;
    CHECK(time_of(row, "byteps") == optimum + (row.k > 0 ? optimum / kChunks : 0));
  }
}

TEST_CASE("beside byteps, a ring takes 2 (n-1)/n M/B and k servers n/k M/B") {
  for (const Optimum& row : kOptima) {
    CAPTURE(row.n);
    CAPTURE(row.k);
    if (row.n == 32) continue;
    const std::int64_t bytes = bytes_of(row);
    if (bytes % row.n == 0) CHECK(time_of(row, "ring") == 2 * (row.n - 1) * (bytes / row.n));
    if (row.k == 0) continue;
    const double served = static_cast<double>(bytes * row.n) / row.k * (1 + 1.0 / kChunks);
    CHECK(static_cast<double>(time_of(row, "parameter_server")) ==
          doctest::Approx(served).epsilon(1e-3));
  }
}

TEST_CASE("more machines without GPUs than with share the data and gain nothing: M/B") {
  for (const auto& [n, k] : {std::pair(2, 3), std::pair(4, 12)}) {
    const std::int64_t bytes = 12 * kChunks * 1'000;
    const Topology machine = cluster({.with_gpus = n, .without = k, .port = gigabytes(1'000)});
    const Task task{
        "byteps", collective_of(kAllreduce, n, bytes), {{"chunks", std::to_string(kChunks)}}};
    CHECK(picoseconds(machine, task) == bytes + bytes / kChunks);
  }
}

}  // namespace syncsim::servers_test
