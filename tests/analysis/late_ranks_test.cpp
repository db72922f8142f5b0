// Lower bounds of collectives to which ranks come late.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "sim/analysis/port_capacity.h"
#include "tests/support/machines.h"
#include "tests/support/schedules.h"

namespace syncsim::late_ranks_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

constexpr Time ms(std::int64_t count) { return Time{count * 1'000'000'000}; }

Topology star_of_four(Time latency = {}) {
  Topology::Parts parts = testing::star(4, gigabytes(16));
  for (Link& link : parts.links) link.latency = latency;
  return Topology(parts);
}

LowerBound bound(const Topology& machine, CollectiveKind kind, std::int64_t bytes,
                 const std::vector<Time>& starts) {
  const Collective collective = collective_of(kind, 4, bytes);
  return lower_bound({.topology = machine,
                      .ranks = machine.ranks(),
                      .collective = collective,
                      .overhead = Time{7},
                      .starts = starts});
}

void check_bound(const LowerBound& actual, double seconds, const std::string& kind,
                 const std::string& binds) {
  CHECK(actual.seconds == doctest::Approx(seconds).epsilon(1e-14));
  CHECK(actual.kind == kind);
  CHECK(actual.binds == binds);
}

}  // namespace

TEST_CASE("what is a late rank's passes its ports once it has come: t + S / B") {
  // 15 ms of all ports together, or 10 ms of one rank's
  const Topology machine = star_of_four();
  const auto sum = [&](Time start) {
    return bound(machine, CollectiveKind::allreduce, 160'000'000, {Time{}, Time{}, Time{}, start});
  };
  check_bound(sum(ms(4)), 0.015, "ports", "the ports out of all ranks");
  check_bound(sum(ms(7)), 0.017, "ports", "the ports out of rank 3 (gpu3), which comes at 7 ms");
}

TEST_CASE("before the first rank has come nothing moves: all bounds begin there") {
  const Topology machine = star_of_four();
  const std::vector<Time> late(4, ms(5));
  check_bound(bound(machine, CollectiveKind::allreduce, 160'000'000, late), 0.02, "ports",
              "the ports out of all ranks");
  const Collective exchange = collective_of(CollectiveKind::all_to_all, 4, 160'000'000);
  const auto kinds = [&](std::span<const Time> starts) {
    return lower_bounds(
        {.topology = machine, .ranks = machine.ranks(), .collective = exchange, .starts = starts});
  };
  const std::vector<LowerBound> on_time = kinds({});
  for (const LowerBound& after : kinds(late))
    for (const LowerBound& before : on_time)
      if (before.kind == after.kind && before.seconds > 0) {
        CAPTURE(before.kind);
        CHECK(after.seconds == doctest::Approx(before.seconds + 0.005));
      }
}

TEST_CASE("of few bytes the way from a late rank begins when it comes, and ends at one after it") {
  const Topology machine = star_of_four(Time{1'000});
  const std::vector<Time> starts = {Time{}, Time{}, ms(5), Time{}};
  // two links of 1 ns, one transfer of 7 ps; of a broadcast the last link alone
  check_bound(bound(machine, CollectiveKind::allreduce, 4, starts), 0.005 + 2.007e-9, "latency",
              "the way from rank 2 (gpu2), which comes at 5 ms to rank 0 (gpu0)");
  check_bound(bound(machine, CollectiveKind::broadcast, 4, starts), 0.005 + 1.007e-9, "latency",
              "the way from rank 0 (gpu0) to rank 2 (gpu2), which comes at 5 ms");
}

TEST_CASE("where nothing has to move the last rank to come is waited for") {
  check_bound(bound(star_of_four(), CollectiveKind::allreduce, 0, {ms(1), ms(3), Time{}, ms(2)}),
              0.003, "late start", "rank 1 (gpu1), which comes at 3 ms");
}

TEST_CASE("ports carry nothing for a rank before it comes, at whatever bandwidth") {
  PortCapacity port;
  port.add(10);
  port.change(2, -5);
  port.change(6, 10);
  CHECK(port.time_of(20) == 2);
  CHECK(port.time_of(20, 1) == 4);  // 10 until 2, then 5 a second
  CHECK(port.time_of(20, 3) == doctest::Approx(6 + 5.0 / 15));
  CHECK(port.time_of(15, 7) == 8);
}

}  // namespace syncsim::late_ranks_test
