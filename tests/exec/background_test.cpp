// Background traffic beside a schedule, on stars of 1 GB/s, where a byte takes 1,000 ps.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/executor.h"
#include "sim/exec/traffic.h"
#include "tests/exec/totals.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::background_test {
namespace {

using testing::resource;

using testing::HandMade;

Topology machine() { return Topology(testing::star(3, testing::gigabytes(1))); }

// 1,000 bytes from gpu0 to gpu1.
HandMade one_copy() {
  HandMade parts(testing::collective_of(CollectiveKind::allreduce, 2, 1'000), 1);
  parts.copy(0, 1, 0);
  return parts;
}

Traffic traffic(const std::string& lines) {
  std::istringstream input("start,source,destination,bytes\n" + lines);
  return read_traffic(input, "f.csv", machine());
}

Timeline beside(const std::string& lines, const HandMade& parts = one_copy(),
                ExecutionOptions options = {}) {
  const Traffic flows = traffic(lines);
  options.background = &flows;
  options.audit = true;
  return execute_simulated(parts.build(), machine(), options);
}

}  // namespace

TEST_CASE("a background flow halves a link while it lasts") {
  // 500 bytes alone; 400 at half rate beside the flow's 400, until 1.3 us; 100 alone
  const Timeline timeline = beside("0.5 us,gpu0,switch0,400");
  CHECK(timeline.finish == Time{1'400'000});
  REQUIRE(timeline.ops.size() == 1);
  CHECK(timeline.ops[0].start == Time{0});
  CHECK(timeline.ops[0].finish == Time{1'400'000});
  CHECK(timeline.ops_done == 1);
  CHECK(resource(timeline, "gpu0>switch0").bytes == 1'400);
  CHECK(resource(timeline, "switch0>gpu1").bytes == 1'000);
}

TEST_CASE("the run ends with the schedule - what the background carried until then counts") {
  const Timeline timeline = beside("0,gpu0,gpu2,10 kB\n1.25 us,gpu2,gpu1,1 MB\n3 us,gpu1,gpu0,1");
  // Halves of gpu0's link until 1.25 us: 625 bytes. Then three flows: gpu0 and the way into gpu1
  // are both halved, and nothing changes: 1,000 bytes at 2 us.
  CHECK(timeline.finish == Time{2'000'000});
  const ResourceTotals& out = resource(timeline, "gpu0>switch0");
  CHECK(out.bytes == 2'000);
  CHECK(out.busy == Time{2'000'000});
  CHECK(out.saturated == Time{2'000'000});
  CHECK(resource(timeline, "switch0>gpu2").bytes == 1'000);
  CHECK(resource(timeline, "switch0>gpu2").busy == Time{2'000'000});
  CHECK(resource(timeline, "switch0>gpu2").saturated == Time{0});
  const ResourceTotals& other = resource(timeline, "gpu2>switch0");
  CHECK(other.bytes == 375);  // 0.75 us at half rate
  CHECK(other.busy == Time{750'000});
  CHECK(other.saturated == Time{0});
  CHECK(resource(timeline, "switch0>gpu1").saturated == Time{750'000});
  CHECK(resource(timeline, "gpu1>switch0").busy == Time{0});  // not yet begun
}

TEST_CASE("flows elsewhere change no time") {
  CHECK(beside("0,gpu2,switch0,1 GB").finish == Time{1'000'000});
  CHECK(beside("0,gpu1,gpu0,1 GB").finish == Time{1'000'000});
}

TEST_CASE("background flows pay the run's overhead too") {
  ExecutionOptions options;
  options.overhead = {100'000};
  // copy from 0.1 us on; the flow's 200 bytes from 0.6 us on, at half rate until 1 us
  CHECK(beside("0.5 us,gpu0,gpu2,200", one_copy(), options).finish == Time{1'300'000});
}

TEST_CASE("without recording the ops the totals are the same") {
  ExecutionOptions totals_only;
  totals_only.record_ops = false;
  const Timeline timeline = beside("0.5 us,gpu0,switch0,400", one_copy(), totals_only);
  CHECK(timeline.ops.empty());
  CHECK(timeline.finish == Time{1'400'000});
  CHECK(resource(timeline, "gpu0>switch0").bytes == 1'400);
}

TEST_CASE("a schedule without ops ends at once") {
  HandMade nothing(testing::collective_of(CollectiveKind::allreduce, 2, 1'000), 1);
  const Timeline timeline = beside("0,gpu0,gpu1,1 kB", nothing);
  CHECK(timeline.finish == Time{0});
  CHECK(resource(timeline, "gpu0>switch0").bytes == 0);
}

TEST_CASE("a schedule that waits for ever is named although the background runs") {
  HandMade parts(testing::collective_of(CollectiveKind::allreduce, 3, 3'000), 3);
  parts.copy(0, 1, 0);
  parts.copy(1, 2, 1);
  parts.edge(0, 1);
  parts.edge(1, 0);
  CHECK(testing::failure_of([&] { beside("0,gpu0,gpu1,1 kB", parts); }) ==
        "the schedule cannot finish: 2 of 2 ops wait for ever\n"
        "  op 0: copy of data chunk 0 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase work\n"
        "  op 1: copy of data chunk 1 from rank 1 (gpu1) to rank 2 (gpu2), channel 0, phase work");
}

}  // namespace syncsim::background_test
