// Times on uniform machines against closed forms. M = 72,072,000 divides by 2 to 16, and at
// B = 16 GB/s (62.5 ps a byte) M/(nB) is a whole number of picoseconds for each of them: every
// figure is exact.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::closed_forms_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;

constexpr std::int64_t kBytes = 72'072'000;        // M
constexpr std::int64_t kTransfer = 4'504'500'000;  // M / B in picoseconds
constexpr int kMostRanks = 16;

Topology star_of(int ranks) { return Topology(testing::star(ranks, gigabytes(16))); }

Task task(const std::string& strategy, int ranks, CollectiveKind kind = CollectiveKind::allreduce) {
  return {strategy, collective_of(kind, ranks, kBytes)};
}

// Checks time(n) for n = 2..16 against form(n), in picoseconds.
template <class Machine, class Form>
void check_allreduce(const Task& prototype, Machine&& machine, Form&& form) {
  for (int n = 2; n <= kMostRanks; ++n) {
    CAPTURE(n);
    Task asked = prototype;
    asked.collective.ranks = n;
    CHECK(picoseconds(machine(n), asked) == form(n));
  }
}

std::string ring_json(int gpus) {
  return R"({"kind": "ring", "gpus": )" + std::to_string(gpus) +
         R"(, "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}})";
}

}  // namespace

TEST_CASE("central_gpu takes 2(n-1) M / B: the hub's port carries every gradient and every sum") {
  check_allreduce(task("central_gpu", 2), star_of,
                  [](std::int64_t n) { return 2 * (n - 1) * kTransfer; });
}

TEST_CASE("central_cpu takes 2n M / B") {
  check_allreduce(
      task("central_cpu", 2), [](int n) { return testing::star_with_cpu(n, gigabytes(16)); },
      [](std::int64_t n) { return 2 * n * kTransfer; });
}

TEST_CASE("distributed takes 2(n-1)/n M / B") {
  check_allreduce(task("distributed", 2), star_of,
                  [](std::int64_t n) { return 2 * (n - 1) * (kTransfer / n); });
}

TEST_CASE("ring takes 2(n-1)/n M / B on a star") {
  check_allreduce(task("ring", 2), star_of,
                  [](std::int64_t n) { return 2 * (n - 1) * (kTransfer / n); });
}

TEST_CASE("ring takes 2(n-1)/n M / B on a ring") {
  check_allreduce(
      task("ring", 2), [](int n) { return testing::written_machine(ring_json(n)); },
      [](std::int64_t n) { return 2 * (n - 1) * (kTransfer / n); });
}

TEST_CASE("ring in both directions takes (n-1)/n M / B on a ring of three or more") {
  for (int n = 3; n <= kMostRanks; ++n) {
    CAPTURE(n);
    Task both = task("ring", n);
    both.collective.bytes.count = 2 * kBytes;  // so that halves of chunks are whole bytes too
    both.parameters = {{"directions", "both"}};
    CHECK(picoseconds(testing::written_machine(ring_json(n)), both) ==
          (n - 1) * (2 * kTransfer / n));
  }
}

TEST_CASE("the naive ring, of one chunk, takes 2(n-1) M / B") {
  Task naive = task("ring", 2);
  naive.parameters = {{"chunks", "1"}};
  check_allreduce(naive, star_of, [](std::int64_t n) { return 2 * (n - 1) * kTransfer; });
}

TEST_CASE("reduce-scatter and all-gather take half of an allreduce: (n-1)/n M / B") {
  for (const CollectiveKind kind : {CollectiveKind::reduce_scatter, CollectiveKind::all_gather}) {
    CAPTURE(to_string(kind));
    for (const std::string strategy : {"ring", "distributed"})
      check_allreduce(task(strategy, 2, kind), star_of,
                      [](std::int64_t n) { return (n - 1) * (kTransfer / n); });
  }
}

TEST_CASE("a broadcast pipelined around the ring in k chunks takes (k + n - 2)/k M / B") {
  for (const std::int64_t k : {1, 2, 4, 8, 13, 16}) {
    for (int n = 2; n <= kMostRanks; ++n) {
      CAPTURE(k);
      CAPTURE(n);
      Task pipelined = task("ring", n, CollectiveKind::broadcast);
      pipelined.parameters = {{"chunks", std::to_string(k)}};
      CHECK(picoseconds(star_of(n), pipelined) == (k + n - 2) * (kTransfer / k));
    }
  }
}

TEST_CASE("two strategies that meet one bound tie: ring and distributed on any star") {
  for (int n = 2; n <= kMostRanks; ++n)
    CHECK(picoseconds(star_of(n), task("ring", n)) ==
          picoseconds(star_of(n), task("distributed", n)));
}

}  // namespace syncsim::closed_forms_test
