// The text report, whole.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim::text_format_test {
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

TEST_CASE("with links every direction that carried something has a line, and one of its flows") {
  CHECK(written({textbook_report()}, true) == R"(
pcie_4gpu: allreduce of float32, 4 ranks, line rates
strategy                            size          time        algbw        busbw  of bound
central_gpu                       160 MB    60.0000 ms    2.67 GB/s    4.00 GB/s    25.0 %
  phases: reduce 30.0000 ms, broadcast 30.0000 ms
  busiest link: gpu0>switch0 carries 8.00 GB/s of 16.00 GB/s (50.0 %)
  lower bound: 15.0000 ms (the ports out of all ranks)
  link (rates in GB/s)           bytes  average     peak capacity    used         busy    saturated
  gpu0>switch0               480000000     8.00    16.00    16.00  50.0 %   30.0000 ms   30.0000 ms
    3 transfers: gpu0>gpu1 160 MB, gpu0>gpu2 160 MB, gpu0>gpu3 160 MB
  switch0>gpu0               480000000     8.00    16.00    16.00  50.0 %   30.0000 ms   30.0000 ms
    3 transfers: gpu1>gpu0 160 MB, gpu2>gpu0 160 MB, gpu3>gpu0 160 MB
  gpu1>switch0               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu1>gpu0 160 MB
  switch0>gpu1               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu0>gpu1 160 MB
  gpu2>switch0               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu2>gpu0 160 MB
  switch0>gpu2               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu0>gpu2 160 MB
  gpu3>switch0               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu3>gpu0 160 MB
  switch0>gpu3               160000000     2.67     5.33    16.00  16.7 %   30.0000 ms         0 ps
    1 transfer: gpu0>gpu3 160 MB
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

TEST_CASE("of a link's flows those are named that fit the line, with a count of the others") {
  Report report = textbook_report();
  report.links.resize(1);
  LinkReport& link = report.links[0];
  link.flows.assign(5, {"gpu1", "gpu0", 1e6, 2});
  CHECK(
      written({report}, true)
          .ends_with(
              "    10 transfers: gpu1>gpu0 1 MB, gpu1>gpu0 1 MB, gpu1>gpu0 1 MB, 2 pairs more\n"));
  for (LinkFlow& flow : link.flows) flow.from = "node10/numa0/socket0/switch2/gpu1";
  CHECK(written({report}, true)
            .ends_with(
                "    10 transfers: node10/numa0/socket0/switch2/gpu1>gpu0 1 MB, 4 pairs more\n"));
}

TEST_CASE("a link whose name is too long for its column has a line of its own") {
  Report report = textbook_report();
  report.links.resize(1);
  report.links[0].direction = "node10/socket0/gpu0>switch2";
  report.links[0].flows.clear();
  CHECK(written({report}, true)
            .ends_with("  node10/socket0/gpu0>switch2\n"
                       "                             480000000     8.00    16.00    16.00  50.0 %  "
                       " 30.0000 ms   "
                       "30.0000 ms\n"));
}

TEST_CASE(
    "an explanation is three sentences, in lines of at most 100 columns, and options in one") {
  Report report = testing::empty_report();
  report.explanation =
      Explanation{"One.", std::string(60, 'a') + " " + std::string(60, 'b'), "Three.", "", {}};
  CHECK(written({report}).ends_with("\n  > One.\n  > " + std::string(60, 'a') + "\n  >   " +
                                    std::string(60, 'b') + "\n  > Three.\n"));
  report.explanation->options = "--edit \"" + std::string(110, 'e') + "\"";
  CHECK(written({report}).ends_with("\n  > Three.\n  > try --edit \"" + std::string(110, 'e') +
                                    "\"\n"));
}

TEST_CASE("no points, no text") { CHECK(write_text({}, {}).empty()); }

TEST_CASE("formats are found by name") {
  CHECK(report_formats().names() == std::vector<std::string>{"csv", "json", "nccl-tests", "text"});
  CHECK((report_formats().at("json").write == write_json));
  CHECK((report_formats().at("text").write == write_text));
  CHECK(testing::refusal_of([] { report_formats().at("jsn"); }) ==
        "unknown format \"jsn\"; did you mean \"json\"?");
}

}  // namespace syncsim::text_format_test
