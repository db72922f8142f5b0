// The text report, whole.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim {
namespace {

using testing::textbook_report;

std::string written(const std::vector<Report>& reports, bool links = false) {
  return "\n" + write_text(reports, {links});
}

}  // namespace

TEST_CASE("the textbook's 60 ms on one GPU, as text") {
  CHECK(written({textbook_report()}) == R"(
pcie_4gpu: allreduce of float32, 4 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
central_gpu                       160 MB    60.0000 ms    2.67 GB/s    4.00 GB/s    25.0 %
  phases: reduce 30.0000 ms, broadcast 30.0000 ms
  busiest link: gpu0>switch0 carries 8.00 GB/s of 16.00 GB/s (50.0 %)
  lower bound: 15.0000 ms (the ports out of all ranks)
)");
}

TEST_CASE("with links every direction that carried something has a line") {
  CHECK(written({textbook_report()}, true) == R"(
pcie_4gpu: allreduce of float32, 4 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
central_gpu                       160 MB    60.0000 ms    2.67 GB/s    4.00 GB/s    25.0 %
  phases: reduce 30.0000 ms, broadcast 30.0000 ms
  busiest link: gpu0>switch0 carries 8.00 GB/s of 16.00 GB/s (50.0 %)
  lower bound: 15.0000 ms (the ports out of all ranks)
  link                              bytes         rate     capacity     used     saturated
  gpu0>switch0                  480000000    8.00 GB/s   16.00 GB/s   50.0 %    30.0000 ms
  switch0>gpu0                  480000000    8.00 GB/s   16.00 GB/s   50.0 %    30.0000 ms
  gpu1>switch0                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
  switch0>gpu1                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
  gpu2>switch0                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
  switch0>gpu2                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
  gpu3>switch0                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
  switch0>gpu3                  160000000    2.67 GB/s   16.00 GB/s   16.7 %          0 ps
)");
}

TEST_CASE("points that share machine and collective share one heading") {
  Report other = textbook_report();
  other.facts.strategy = "ring";
  other.facts.changed = {{"chunks", "8"}, {"rings", "a"}};
  CHECK(written({textbook_report(), other}) == R"(
pcie_4gpu: allreduce of float32, 4 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
central_gpu                       160 MB    60.0000 ms    2.67 GB/s    4.00 GB/s    25.0 %
  phases: reduce 30.0000 ms, broadcast 30.0000 ms
  busiest link: gpu0>switch0 carries 8.00 GB/s of 16.00 GB/s (50.0 %)
  lower bound: 15.0000 ms (the ports out of all ranks)
ring chunks=8 rings=a             160 MB    60.0000 ms    2.67 GB/s    4.00 GB/s    25.0 %
  phases: reduce 30.0000 ms, broadcast 30.0000 ms
  busiest link: gpu0>switch0 carries 8.00 GB/s of 16.00 GB/s (50.0 %)
  lower bound: 15.0000 ms (the ports out of all ranks)
)");
}

TEST_CASE("another heading follows after a blank line, with its edits and rates") {
  Report edited = testing::empty_report();
  edited.facts.edits = {"remove node:nic0"};
  edited.facts.rates = Rates::usable;
  CHECK(written({testing::empty_report(), edited}) == R"(
star: allreduce of int8, 2 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
by hand                              0 B          0 ps    0.00 GB/s    0.00 GB/s   100.0 %
  lower bound: 0 ps (nothing has to move)

star: allreduce of int8, 2 ranks, usable rates
  edit: remove node:nic0
strategy                            size          time        algbw        busbw  of bound
by hand                              0 B          0 ps    0.00 GB/s    0.00 GB/s   100.0 %
  lower bound: 0 ps (nothing has to move)
)");
}

TEST_CASE("a strategy too long for its column has a line of its own") {
  Report report = testing::empty_report();
  report.facts.changed = {{"chunks", "8"}, {"rings", "0,1,2,3,4,5"}};
  CHECK(written({report}) == R"(
star: allreduce of int8, 2 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
by hand chunks=8 rings=0,1,2,3,4,5
                                     0 B          0 ps    0.00 GB/s    0.00 GB/s   100.0 %
  lower bound: 0 ps (nothing has to move)
)");
}

TEST_CASE("a half-duplex cable is named as a cable") {
  Topology::Parts parts = testing::star(2, testing::gigabytes(1));
  for (Link& link : parts.links) link.half_duplex = true;
  const Topology machine(parts);
  const Collective collective = testing::collective_of(CollectiveKind::broadcast, 2, 1'000);
  testing::HandMade plan(collective, 1);
  plan.copy(0, 1, 0);
  CHECK(written({testing::report_of(testing::facts_of(machine, collective), machine,
                                    plan.build())}) == R"(
star: broadcast of int8, 2 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
by hand                             1 kB     1.0000 us    1.00 GB/s    1.00 GB/s   100.0 %
  phases: work 1.0000 us
  busiest link: gpu0-switch0 carries 1.00 GB/s of 1.00 GB/s (100.0 %)
  lower bound: 1.0000 us (the ports out of rank 0 (gpu0))
)");
}

TEST_CASE("no points, no text") { CHECK(write_text({}, {}).empty()); }

TEST_CASE("formats are found by name") {
  CHECK(report_formats().names() == std::vector<std::string>{"json", "text"});
  CHECK((report_formats().at("json").write == write_json));
  CHECK((report_formats().at("text").write == write_text));
  CHECK(testing::refusal_of([] { report_formats().at("jsn"); }) ==
        "unknown format \"jsn\"; did you mean \"json\"?");
}

}  // namespace syncsim
