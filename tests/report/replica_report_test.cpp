// What several runs come to.

#include "sim/report/replica_report.h"

#include <doctest/doctest.h>

#include <vector>

namespace syncsim::testing::replica_report_test {

// Tables of Student's distribution, as any textbook prints them.
TEST_CASE("mean, deviation and interval are those of the formulas") {
  std::vector<Time> steps;
  for (const int ms : {14, 12, 16, 13, 15}) steps.push_back({ms * 1'000'000'000LL});
  const ReplicaReport report = replica_report(steps, 40);
  CHECK(report.count == 5);
  CHECK(report.seed == 40);
  CHECK(report.first == parse_time("14 ms"));
  CHECK(report.mean == parse_time("14 ms"));
  CHECK(report.deviation == Time{1'581'138'830});
  CHECK(report.high - report.mean == Time{1'963'243'161});
  CHECK(report.mean - report.low == Time{1'963'243'161});
  CHECK(report.least == parse_time("12 ms"));
  CHECK(report.most == parse_time("16 ms"));
}

TEST_CASE("no interval reaches below 0, and equal steps have none") {
  CHECK(replica_report(std::vector<Time>{{10}, {1'000}}, 0).low == Time{});
  const ReplicaReport same = replica_report(std::vector<Time>(7, Time{123'456}), 0);
  CHECK(same.low == Time{123'456});
  CHECK(same.high == Time{123'456});
  CHECK(same.deviation == Time{});
}

}  // namespace syncsim::testing::replica_report_test
