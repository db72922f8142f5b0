// The ports bound: its formulas, and what it says binds.

#include "sim/analysis/bounds.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "sim/analysis/port_capacity.h"
#include "tests/support/machines.h"
#include "tests/support/schedules.h"

namespace syncsim::ports_bound_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

// A star of four; gpu1 has another port bandwidth, out of it and into it.
Topology uneven_star(double out, double in) {
  Topology::Parts parts = testing::star(4, gigabytes(16));
  for (Link& link : parts.links) {
    if (link.from == 1) link.bandwidth = link.usable = gigabytes(out);
    if (link.to == 1) link.bandwidth = link.usable = gigabytes(in);
  }
  return Topology(parts);
}

Topology even_star() { return uneven_star(16, 16); }

LowerBound bound(const Topology& machine, CollectiveKind kind, std::int64_t bytes, int root = 0) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return lower_bound({machine, machine.ranks(), collective_of(kind, ranks, bytes, root)});
}

void check_bound(const LowerBound& actual, double seconds, const std::string& binds) {
  CHECK(actual.seconds == doctest::Approx(seconds).epsilon(1e-14));
  CHECK(actual.kind == "ports");
  CHECK(actual.binds == binds);
}

}  // namespace

TEST_CASE("allreduce: 2(n-1) S over the ports out of all ranks") {
  check_bound(bound(even_star(), CollectiveKind::allreduce, 160'000'000), 0.015,
              "the ports out of all ranks");
}

TEST_CASE("allreduce: the ports into all ranks bind where they are fewer") {
  // 2 x 3 x 160 MB over 3 x 16 + 12
  check_bound(bound(uneven_star(16, 12), CollectiveKind::allreduce, 160'000'000), 0.016,
              "the ports into all ranks");
}

TEST_CASE("allreduce: S must leave and enter every single rank") {
  check_bound(bound(uneven_star(2, 16), CollectiveKind::allreduce, 160'000'000), 0.08,
              "the ports out of rank 1 (gpu1)");
  check_bound(bound(uneven_star(16, 2), CollectiveKind::allreduce, 160'000'000), 0.08,
              "the ports into rank 1 (gpu1)");
}

TEST_CASE("reduce: S leaves every rank but the root, and enters the root") {
  check_bound(bound(even_star(), CollectiveKind::reduce, 160'000'000), 0.01,
              "the ports into rank 0 (gpu0)");
  check_bound(bound(uneven_star(8, 16), CollectiveKind::reduce, 160'000'000), 0.02,
              "the ports out of rank 1 (gpu1)");
  check_bound(bound(uneven_star(8, 16), CollectiveKind::reduce, 160'000'000, 1), 0.01,
              "the ports out of rank 0 (gpu0)");
  check_bound(bound(uneven_star(16, 8), CollectiveKind::reduce, 160'000'000, 1), 0.02,
              "the ports into rank 1 (gpu1)");
}

TEST_CASE("broadcast: S leaves the root, and enters every other rank") {
  check_bound(bound(even_star(), CollectiveKind::broadcast, 160'000'000), 0.01,
              "the ports out of rank 0 (gpu0)");
  check_bound(bound(uneven_star(16, 8), CollectiveKind::broadcast, 160'000'000), 0.02,
              "the ports into rank 1 (gpu1)");
  check_bound(bound(uneven_star(8, 16), CollectiveKind::broadcast, 160'000'000, 1), 0.02,
              "the ports out of rank 1 (gpu1)");
}

TEST_CASE("reduce-scatter: all but a rank's own part leaves it, and its part enters it") {
  check_bound(bound(even_star(), CollectiveKind::reduce_scatter, 160'000'000), 0.0075,
              "the ports out of rank 0 (gpu0)");
  check_bound(bound(uneven_star(16, 1), CollectiveKind::reduce_scatter, 160'000'000), 0.04,
              "the ports into rank 1 (gpu1)");
}

TEST_CASE("all-gather: a rank's part leaves it, and all the others enter it") {
  check_bound(bound(even_star(), CollectiveKind::all_gather, 160'000'000), 0.0075,
              "the ports into rank 0 (gpu0)");
  check_bound(bound(uneven_star(1, 16), CollectiveKind::all_gather, 160'000'000), 0.04,
              "the ports out of rank 1 (gpu1)");
}

TEST_CASE("parts that do not divide count as they are: of 7 bytes, ranks 1 to 3 hold two") {
  // parts begin at 0, 1, 3, 5: rank 0 gets the other six bytes
  check_bound(bound(even_star(), CollectiveKind::all_gather, 7), 6 / 16e9,
              "the ports into rank 0 (gpu0)");
}

TEST_CASE("only the links of the ranks that take part count") {
  const Topology machine = uneven_star(2, 2);
  const std::vector<NodeId> ranks = {0, 2};
  const LowerBound without =
      lower_bound({machine, ranks, collective_of(CollectiveKind::allreduce, 2, 160'000'000)});
  check_bound(without, 0.01, "the ports out of all ranks");
}

TEST_CASE("all links of a rank count together") {
  Topology::Parts parts = testing::star(2, gigabytes(16));
  testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::nvlink, gigabytes(24)));
  check_bound(bound(Topology(parts), CollectiveKind::allreduce, 160'000'000), 0.004,
              "the ports out of all ranks");
}

TEST_CASE("usable rates bind where a run uses them") {
  Topology::Parts parts = testing::star(4, gigabytes(16));
  for (Link& link : parts.links) link.usable = gigabytes(12);
  const Topology machine(parts);
  const Collective collective = collective_of(CollectiveKind::allreduce, 4, 160'000'000);
  check_bound(lower_bound({machine, machine.ranks(), collective, Rates::usable}), 0.02,
              "the ports out of all ranks");
}

TEST_CASE("nothing to move: one rank, or no bytes") {
  const Topology alone(testing::star(1));
  check_bound(bound(alone, CollectiveKind::allreduce, 160'000'000), 0, "nothing has to move");
  check_bound(bound(even_star(), CollectiveKind::allreduce, 0), 0, "nothing has to move");
}

TEST_CASE("with events the bound is when the ports can have carried the bytes") {
  const auto with = [](const std::vector<std::string>& texts, CollectiveKind kind) {
    std::vector<LinkEvent> events;
    for (const std::string& text : texts) events.push_back(parse_link_event(text));
    const EventfulMachine machine = with_events(even_star(), events);
    return lower_bound({machine.start, machine.start.ranks(), collective_of(kind, 4, 160'000'000),
                        Rates::line, machine.changes});
  };
  const CollectiveKind all = CollectiveKind::allreduce;
  // 960 MB out of 4 x 16 GB/s: 320 MB in 5 ms, 640 MB at 4 x 8 in 20 ms.
  check_bound(with({"at 5 ms kind:pcie bandwidth=8 GB/s"}, all), 0.025,
              "the ports out of all ranks");
  check_bound(
      with({"at 5 ms kind:pcie bandwidth=0 GB/s", "at 7 ms kind:pcie bandwidth=32 GB/s"}, all),
      0.012, "the ports out of all ranks");
  // 160 MB into gpu1: 16 MB in 1 ms, 144 MB at 2 GB/s in 72 ms.
  check_bound(with({"at 1 ms link:switch0>gpu1 bandwidth=2 GB/s"}, all), 0.073,
              "the ports into rank 1 (gpu1)");
  // All is through before the event.
  check_bound(with({"at 15 ms kind:pcie bandwidth=0 GB/s"}, all), 0.015,
              "the ports out of all ranks");
  CHECK(with({"at 14 ms kind:pcie bandwidth=0 GB/s"}, all).seconds ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("a bound counts bandwidth that comes and goes as long as it is there") {
  PortCapacity port;
  port.add(1);
  port.change(1, 0.1);
  port.change(2, -0.3);  // 0.8
  port.change(4, -0.8);  // nothing but rounding
  port.change(9, 1);
  CHECK(port.time_of(1) == 1);
  CHECK(port.time_of(2.1) == doctest::Approx(2).epsilon(1e-14));
  CHECK(port.time_of(3.7) == doctest::Approx(4).epsilon(1e-14));
  CHECK(port.time_of(4.7) == doctest::Approx(10).epsilon(1e-14));
}

}  // namespace syncsim::ports_bound_test
