// What latency L and overhead o add. Stars of 8 GB/s (125 ps a byte); a route crosses two links of
// latency L/2 each, and pays the larger overhead of the two once.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::latency_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;

constexpr std::int64_t kPerByte = 125;          // ps
constexpr std::int64_t kLinkLatency = 350'001;  // L/2 in ps, odd on purpose
constexpr std::int64_t kLatency = 2 * kLinkLatency;
constexpr std::int64_t kOverhead = 123'457;
constexpr std::int64_t kStep = kOverhead + kLatency;  // o + L

Topology slow_star(int gpus) {
  return testing::slow_star(gpus, gigabytes(8), {kLinkLatency}, {kOverhead});
}

Task task(const std::string& strategy, CollectiveKind kind, int ranks, std::int64_t bytes) {
  return {strategy, collective_of(kind, ranks, bytes)};
}

Task allreduce(const std::string& strategy, int ranks, std::int64_t bytes) {
  return task(strategy, CollectiveKind::allreduce, ranks, bytes);
}

}  // namespace

TEST_CASE("ring takes 2(n-1) dependent steps of o + L + M/(nB)") {
  for (int n = 2; n <= 16; ++n) {
    CAPTURE(n);
    const std::int64_t step = kStep + 1'000 * kPerByte;
    CHECK(picoseconds(slow_star(n), allreduce("ring", n, 1'000 * n)) == 2 * (n - 1) * step);
  }
}

TEST_CASE("central_gpu and distributed take two dependent steps, however many ranks") {
  for (int n = 2; n <= 16; ++n) {
    CAPTURE(n);
    const std::int64_t port = (n - 1) * 1'000 * kPerByte;  // all into one port
    CHECK(picoseconds(slow_star(n), allreduce("distributed", n, 1'000 * n)) == 2 * (kStep + port));
    CHECK(picoseconds(slow_star(n), allreduce("central_gpu", n, 1'000)) == 2 * (kStep + port));
  }
}

TEST_CASE("nothing takes no time, one byte the steps that it passes: empty chunks delay no one") {
  for (const char* strategy : {"ring", "distributed", "central_gpu"})
    CHECK(picoseconds(slow_star(4), allreduce(strategy, 4, 0)) == 0);
  // Three flows share the port of the one rank that has a chunk, into it and then out of it.
  CHECK(picoseconds(slow_star(4), allreduce("distributed", 4, 1)) == 2 * (kStep + 3 * kPerByte));
  CHECK(picoseconds(slow_star(4), allreduce("ring", 4, 1)) == 6 * (kStep + kPerByte));
}

TEST_CASE("a chain of n ranks and k chunks takes (n-1)(o + L + t) + (k-1)(o + t)") {
  constexpr std::int64_t kChunk = 1'000 * kPerByte;  // t
  for (const std::int64_t k : {1, 2, 5, 64}) {
    for (int n = 2; n <= 9; ++n) {
      CAPTURE(k);
      CAPTURE(n);
      Task chain = task("ring", CollectiveKind::broadcast, n, 1'000 * k);
      chain.parameters = {{"chunks", std::to_string(k)}};
      CHECK(picoseconds(slow_star(n), chain) ==
            (n - 1) * (kStep + kChunk) + (k - 1) * (kOverhead + kChunk));
    }
  }
}

TEST_CASE("the run's overhead comes on top of the links'") {
  ExecutionOptions options;
  options.overhead = {1'000'003};
  const std::int64_t step = kStep + 1'000'003 + 1'000 * kPerByte;
  CHECK(picoseconds(slow_star(5), allreduce("ring", 5, 5'000), options) == 8 * step);
}

TEST_CASE("of a route's links the largest overhead counts, and every latency") {
  Topology::Parts parts = testing::star(2, gigabytes(8));
  for (Link& link : parts.links) {
    const bool far = link.from == 1 || link.to == 1;
    link.latency = {far ? 7 : 1'000};
    link.overhead = {far ? 40 : 300};
  }
  const Task one_way = task("ring", CollectiveKind::broadcast, 2, 2);
  // 2 chunks of one byte: (o + L + t) + (o + t)
  CHECK(picoseconds(Topology(parts), one_way) == (300 + 1'007 + 125) + (300 + 125));
}

}  // namespace syncsim::latency_test
