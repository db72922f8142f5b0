// Links that change in mid-run, on machines of 1 GB/s, where a byte takes 1,000 ps.

#include <doctest/doctest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/executor.h"
#include "sim/exec/flow_statistics.h"
#include "sim/exec/replay.h"
#include "tests/exec/totals.h"
#include "tests/support/link_events.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::events_test {
namespace {

using testing::gigabytes;
using testing::HandMade;
using testing::resource;

constexpr std::int64_t kMicrosecond = 1'000'000;

Topology star(int gpus, bool half_duplex = false) {
  Topology::Parts parts = testing::star(gpus, gigabytes(1));
  for (Link& link : parts.links) link.half_duplex = half_duplex;
  return Topology(parts);
}

// gpu0 and gpu1 send 1,000 bytes to each other: 1 us at full duplex, 2 us at half.
Schedule exchange() {
  HandMade parts(testing::collective_of(CollectiveKind::allreduce, 2, 2'000), 2);
  parts.copy(0, 1, 0);
  parts.copy(1, 0, 1);
  return parts.build();
}

Timeline run(const Topology& machine, const std::vector<std::string>& texts,
             ExecutionOptions options = {}) {
  const EventfulMachine eventful = with_events(machine, testing::link_events(texts));
  options.audit = true;
  options.changes = eventful.changes;
  return execute_simulated(exchange(), eventful.start, options);
}

struct Replayed {
  Replay replay;
  FlowStatistics statistics;
};

Replayed replayed(const std::string& lines, const std::vector<std::string>& texts) {
  const EventfulMachine eventful = with_events(star(3), testing::link_events(texts));
  std::istringstream input("start,source,destination,bytes\n" + lines);
  const Traffic traffic = read_traffic(input, "f.csv", eventful.start);
  ExecutionOptions options;
  options.audit = true;
  options.changes = eventful.changes;
  Replay result = replay(traffic, eventful.start, options);
  const FlowStatistics statistics = statistics_of(traffic, result);
  return {std::move(result), statistics};
}

}  // namespace

TEST_CASE("one direction slows its flow, and its capacity is its average over the run") {
  // 500 bytes in 0.5 us, 500 at 0.5 GB/s in 1 us: 1,000 bytes in 1.5 us.
  const Timeline timeline = run(star(2), {"at 500 ns link:gpu0>switch0 bandwidth=500 MB/s"});
  CHECK(timeline.ops[0].finish == Time{1'500'000});
  CHECK(timeline.ops[1].finish == Time{kMicrosecond});
  CHECK(resource(timeline, "gpu0>switch0").capacity == doctest::Approx(1e9 / 1.5).epsilon(1e-15));
  CHECK(resource(timeline, "gpu0>switch0").bytes == 1'000);
  CHECK(resource(timeline, "gpu0>switch0").saturated == Time{1'500'000});
  CHECK(resource(timeline, "switch0>gpu0").capacity == 1e9);
}

TEST_CASE("a half-duplex cable has one capacity, which both ways share") {
  // 2 us for both; from 1 us on half of it: 500 bytes each are left, at 0.25 GB/s 2 us.
  const Timeline timeline = run(star(2, true), {"at 1 us link:gpu0-switch0 bandwidth=500 MB/s"});
  CHECK(timeline.finish == Time{3 * kMicrosecond});
  CHECK(resource(timeline, "gpu0-switch0").capacity == doctest::Approx(2e9 / 3).epsilon(1e-15));
  CHECK(resource(timeline, "gpu0-switch0").bytes == 2'000);
}

TEST_CASE("usable rates change in proportion") {
  Topology::Parts parts = testing::star(2, gigabytes(2));
  for (Link& link : parts.links) link.usable = gigabytes(1);
  ExecutionOptions options;
  options.rates = Rates::usable;
  const Timeline timeline =
      run(Topology(parts), {"at 500 ns link:gpu0-switch0 bandwidth=1 GB/s"}, options);
  CHECK(timeline.finish == Time{1'500'000});
}

TEST_CASE("changes to what is, of links that nothing uses, and after the end change nothing") {
  const Timeline plain = run(star(3), {});
  for (const std::string text :
       {"at 300 ns kind:pcie bandwidth=1 GB/s", "at 300 ns link:gpu2-switch0 bandwidth=0 GB/s",
        "at 1 us kind:pcie bandwidth=0 GB/s",
        "at 9223372036854775807 ps kind:pcie bandwidth=2 GB/s"}) {
    CAPTURE(text);
    const Timeline timeline = run(star(3), {text});
    CHECK(timeline.finish == plain.finish);
    CHECK(resource(timeline, "gpu0>switch0").capacity == 1e9);
    CHECK(resource(timeline, "gpu0>switch0").saturated == plain.resources[0].saturated);
  }
  CHECK(resource(run(star(3), {"at 0 ps link:gpu2-switch0 bandwidth=0 GB/s"}), "gpu2>switch0")
            .capacity == 0);
}

TEST_CASE("a run that can never end says which ops wait for which link, and how many behind") {
  const auto refusal = [](const Schedule& schedule, const std::vector<std::string>& texts) {
    const EventfulMachine eventful = with_events(star(2), testing::link_events(texts));
    ExecutionOptions options;
    options.changes = eventful.changes;
    return testing::refusal_of([&] { execute_simulated(schedule, eventful.start, options); });
  };
  CHECK(refusal(exchange(), {"at 700 ns link:gpu1-switch0 bandwidth=1 GB/s",
                             "at 400 ns link:gpu0>switch0 bandwidth=0 GB/s"}) ==
        "event 2: the run never ends: 1 op waits for links at 0 B/s, gpu0>switch0 (from 400 ns on) "
        "stalls [op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, "
        "phase work]; "
        "give them a bandwidth again by a later event");
  HandMade chain(testing::collective_of(CollectiveKind::allreduce, 2, 8'000), 8);
  for (std::uint32_t chunk = 0; chunk < 8; ++chunk) chain.copy(0, 1, chunk);
  CHECK(refusal(chain.build(), {"at 1500 ns kind:pcie bandwidth=0 GB/s"}) ==
        "event 1: the run never ends: 1 op waits for links at 0 B/s, 6 more behind it, "
        "gpu0>switch0 (from 1.5 us on) "
        "stalls [op 1: copy of data chunk 1 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, "
        "phase work], "
        "switch0>gpu1 (from 1.5 us on) "
        "stalls [op 1: copy of data chunk 1 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, "
        "phase work]; "
        "give them a bandwidth again by a later event");
}

TEST_CASE("flows: a slowed link, its average from the first start on, and slowdowns") {
  // 1,000 bytes from 1 us on: 500 in 0.5 us, 500 in 1 us. Alone at the start's bandwidth: 1 us.
  const Replayed result =
      replayed("1 us,gpu0,gpu1,1000\n", {"at 1500 ns link:gpu0-switch0 bandwidth=500 MB/s"});
  CHECK(result.replay.finishes[0] == Time{2'500'000});
  CHECK(result.replay.alone[0] == Time{kMicrosecond});
  CHECK(result.statistics.mean_slowdown == doctest::Approx(1.5).epsilon(1e-15));
  CHECK(result.replay.resources[0].capacity == doctest::Approx(1e9 / 1.5).epsilon(1e-15));
}

TEST_CASE("flows: bandwidths that rise make slowdowns below 1, outages no infinite ones") {
  CHECK(replayed("0,gpu0,gpu1,1000\n", {"at 500 ns kind:pcie bandwidth=2 GB/s"})
            .statistics.mean_slowdown == 0.75);
  CHECK(replayed("0,gpu0,gpu1,1000\n",
                 {"at 0 s kind:pcie bandwidth=0 GB/s", "at 1 us kind:pcie bandwidth=1 GB/s"})
            .statistics.mean_slowdown == 2);
}

TEST_CASE("flows that can never end are told by their lines, the first three of a link") {
  std::string lines;
  for (int flow = 0; flow < 5; ++flow) lines += "0,gpu0,gpu1,1000\n";
  CHECK(testing::refusal_of(
            [&] { replayed(lines, {"at 1 us link:switch0>gpu1 bandwidth=0 GB/s"}); }) ==
        "event 1: the run never ends: 5 flows wait for links at 0 B/s, switch0>gpu1 (from 1 us on) "
        "stalls [f.csv:2: gpu0 to gpu1] [f.csv:3: gpu0 to gpu1] [f.csv:4: gpu0 to gpu1] ...; "
        "give them a bandwidth again by a later event");
}

}  // namespace syncsim::events_test
