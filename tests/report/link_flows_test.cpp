// Who uses which link.

#include "sim/report/link_flows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim::link_flows_test {
namespace {

using testing::collective_of;
using testing::gigabytes;

const LinkReport& link_of(const Report& report, const std::string& label) {
  const auto found = std::find_if(report.links.begin(), report.links.end(),
                                  [&](const LinkReport& link) { return link.label() == label; });
  REQUIRE(found != report.links.end());
  return *found;
}

// "gpu0>gpu1 1000 x2".
std::vector<std::string> flows_on(const Report& report, const std::string& label) {
  std::vector<std::string> texts;
  for (const LinkFlow& flow : link_of(report, label).flows)
    texts.push_back(flow.pair() + " " + std::to_string(static_cast<std::int64_t>(flow.bytes)) +
                    " x" + std::to_string(flow.transfers));
  return texts;
}

using Flows = std::vector<std::string>;

}  // namespace

TEST_CASE("a link's flows are the pairs whose bytes pass it, most bytes first") {
  const Topology machine(testing::star(3, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::broadcast, 3, 4'000);
  testing::HandMade plan(collective, 4);
  plan.copy(0, 1, 0);
  for (const std::uint32_t chunk : {1u, 2u}) plan.copy(0, 2, chunk);
  plan.copy(0, 1, 3);
  plan.on_channel(1);
  plan.copy(0, 2, 3);
  plan.signal(1, 2);
  const Report report =
      testing::report_of(testing::facts_of(machine, collective), machine, plan.build());
  CHECK(flows_on(report, "gpu0>switch0") == Flows{"gpu0>gpu2 3000 x3", "gpu0>gpu1 2000 x2"});
  CHECK(flows_on(report, "switch0>gpu1") == Flows{"gpu0>gpu1 2000 x2"});
  CHECK(flows_on(report, "gpu1>switch0").empty());
  CHECK(link_of(report, "gpu0>switch0").transfers() == 5);
}

TEST_CASE("flows' bytes add up to the link's, reduce engines and transits too") {
  Topology::Parts parts = testing::star(3, gigabytes(1));
  parts.nodes[0].reduce_bandwidth = gigabytes(4);
  parts.nodes[3].transit_bandwidth = gigabytes(2);
  const Topology machine(parts);
  const Collective collective = collective_of(CollectiveKind::reduce, 3, 4'000);
  testing::HandMade plan(collective, 1);
  plan.reduce(1, 0, 0);
  plan.reduce(2, 0, 0);
  const Report report =
      testing::report_of(testing::facts_of(machine, collective), machine, plan.build());
  for (const LinkReport& link : report.links) {
    CAPTURE(link.label());
    double bytes = 0;
    for (const LinkFlow& flow : link.flows) bytes += flow.bytes;
    CHECK(bytes == link.bytes);
  }
  CHECK(flows_on(report, "gpu0:reduce") == Flows{"gpu1>gpu0 4000 x1", "gpu2>gpu0 4000 x1"});
  CHECK(flows_on(report, "switch0:transit").size() == 2);
}

TEST_CASE("a peak is the highest rate at any time, the average at most that") {
  const Report report = testing::textbook_report();
  const LinkReport& link = link_of(report, "gpu1>switch0");
  CHECK(link.peak == doctest::Approx(16e9 / 3).epsilon(1e-12));  // a third of gpu0's link
  for (const LinkReport& each : report.links) CHECK(each.rate <= each.peak);
}

TEST_CASE("a table of flows that would pass the memory is refused") {
  const Topology machine(testing::star(2, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::broadcast, 2, 1'000);
  testing::HandMade plan(collective, 1);
  plan.copy(0, 1, 0);
  const Schedule schedule = plan.build();
  Report report = testing::report_of(testing::facts_of(machine, collective), machine, schedule);
  const std::string refusal = testing::refusal_of([&] {
    add_link_flows(report, machine, schedule, {100, "100 B are free"});
  });
  CHECK(refusal.starts_with("the table of links needs about "));
  CHECK(refusal.ends_with(
      "(2 pairs), 100 B are free; leave out --links, or allow more with --memory"));
}

}  // namespace syncsim::link_flows_test
