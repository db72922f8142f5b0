// What faults do not go with, and runs that have nothing left; on four GPUs at 16 GB/s, in steps of
// 63 ms.

#include "sim/scenario/fault_limits.h"

#include <doctest/doctest.h>

#include "sim/report/formats/fault.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::fault_limits_test {
namespace {

const std::string kSteps =
    R"({"topology": "pcie_4gpu", "buckets": "one", "overlap": false,
        "model": {"layers": 16, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"})";
const std::string kRing = R"(, "strategy": "ring")";

Report report_of(const std::string& fields) {
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  return run_point(
      read_scenario(JsonFile::parse(kSteps + fields + "}", "s.json").root()).points.front(),
      settings);
}

std::string refused(const std::string& fields) {
  return refusal_of([&] { report_of(fields); });
}

}  // namespace

TEST_CASE("the only rank of a run is lost like any other") {
  const std::string alone = kRing + R"(, "ranks": "0", "fault": "step 3 at 5 ms rank:0")";
  const Report none = report_of(alone);
  const FaultReport& fault = *none.step->fault;
  CHECK(fault.stalls);
  CHECK(fault.reason == "rank 0 is lost");
  CHECK(fault.stands == Time{});
  CHECK(!fault.times.lost);
  CHECK(!fault.after);
  CHECK(fault_text(*none.step).find("the first is") == std::string::npos);
  const Report restored =
      report_of(alone + R"(, "recovery": "restore", "detect": "1 s", "restart": "2 s")");
  // 5 ms, 3 s, and the three steps of 48 ms that nobody kept.
  CHECK(restored.step->fault->times.lost == parse_time("3149 ms"));
  CHECK(refused(alone + R"(, "recovery": "shrink")") ==
        "s.json:/recovery: no rank is left without rank 0; choose one of none, restore, or take "
        "more ranks");
}

TEST_CASE("a rank is missed, even behind the last transfer that is simulated") {
  const Report report =
      report_of(kRing + R"(, "steps": 1, "update": "10 ms", "fault": {"rank": 1, "at": "70 ms"})");
  CHECK(report.step->fault->stalls);
  CHECK(report.step->fault->stands == parse_time("3 ms"));  // the others end their step
}

TEST_CASE("a link that dies behind the last transfer that is simulated stalls the next step") {
  const Report report = report_of(
      kRing + R"(, "steps": 1, "update": "10 ms", "fault": "at 70 ms link:gpu0-switch0")");
  CHECK(report.step->fault->stalls);
  CHECK(report.step->fault->reason == "2 transfers wait for link:gpu0-switch0 bandwidth=0 B/s");
}

TEST_CASE("ranks that are all lost are back after the repair, however long runs are followed") {
  for (const std::string horizon : {"2 days", "20 days"}) {
    const Report report = report_of(kRing + R"(, "ranks": "0", "recovery": "shrink", "mtbf": "1 h",
      "repair": "10 min", "failures": {"replicas": 20, "horizon": ")" +
                                    horizon + "\"}");
    const Goodput& goodput = report.step->goodput->goodput;
    CHECK(std::abs(goodput.mean - 60.0 / 70) < 1.5 * goodput.half_width + 1e-5);
    CHECK(goodput.half_width < 0.03);
  }
}

TEST_CASE("steps around a fault are all alike, of workers that run together") {
  const std::string fault = R"(, "fault": "rank:1")";
  const std::string store = R"(, "store": {"type": "local", "staleness": "unbounded"})";
  CHECK(refused(store + fault) ==
        "s.json:/fault: faults of workers that run apart are not simulated; leave out the store's "
        "\"staleness\", or \"fault\"");
  CHECK(refused(store + R"(, "mtbf": "1 h", "recovery": "restore")") ==
        "s.json:/mtbf: faults of workers that run apart are not simulated; leave out the store's "
        "\"staleness\", or \"mtbf\"");
  CHECK(refused(kRing + fault + R"(, "jitter": {"trace": [[1, 2, 1, 1]]})") ==
        "s.json:/jitter: steps around a fault are all alike; leave out one of \"jitter\" and "
        "\"fault\"");
  CHECK(
      refused(kRing + R"(, "mtbf": "1 day", "pauses": [{"rank": 0, "step": 1, "time": "5 ms"}])") ==
      "s.json:/pauses: steps around a fault are all alike; leave out one of \"pauses\" and "
      "\"mtbf\"");
}

TEST_CASE("servers are lost where there are some, and ranks as ranks") {
  const auto lost = [](const std::string& store, const std::string& server) {
    return refused(store + R"(, "recovery": "shrink", "fault": "server:)" + server + "\"");
  };
  CHECK(lost(R"(, "store": "device")", "gpu0") ==
        "s.json:/fault: gpu0 is rank 0's; write \"rank:0\"");
  CHECK(refused(kRing + R"(, "fault": "server:cpu0")") ==
        "s.json:/fault: no store has servers that fail; add \"store\", or name other parts");
  const Report rank =
      report_of(R"(, "store": "device", "recovery": "shrink", "fault": "step 3 at 5 ms rank:0")");
  CHECK(rank.step->fault->samples_per_second_after ==
        doctest::Approx(3 / seconds(*rank.step->fault->after)));
  const Report none =
      report_of(R"(, "store": "local", "recovery": "shrink", "fault": "server:cpu0")");
  CHECK(fault_text(*none.step).find("it ends here: no server is left") != std::string::npos);
}

TEST_CASE("a fault makes no link faster") {
  CHECK(refused(kRing + R"(, "fault": "scale kind:pcie bandwidth 2")") ==
        "s.json:/fault: the fault makes gpu0>switch0 faster, 32 GB/s in place of 16 GB/s; write "
        "less than it has");
  CHECK(refused(kRing + R"(, "fault": "link:gpu1-switch0 bandwidth=800 GB/s")") ==
        "s.json:/fault: the fault makes gpu1>switch0 faster, 800 GB/s in place of 16 GB/s; write "
        "less than it has");
  CHECK(report_of(kRing + R"(, "fault": "scale kind:pcie bandwidth 1")").step->fault->times.lost ==
        Time{});
}

}  // namespace syncsim::testing::fault_limits_test
