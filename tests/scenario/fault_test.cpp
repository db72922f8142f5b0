// Faults of training steps on four GPUs at 16 GB/s: steps of 48 ms of compute and then 15 ms of a
// ring; and of four workers with two servers at 1 GB/s.

#include "sim/scenario/fault.h"

#include <doctest/doctest.h>

#include "sim/report/formats/fault.h"
#include "sim/scenario/metrics.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/training_limits.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::fault_test {
namespace {

Point point_of(const std::string& text) {
  return read_scenario(JsonFile::parse(text, "s.json").root()).points.front();
}

const std::string kSteps =
    R"(, "model": {"layers": 16, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"},
        "overlap": false)";
const std::string kRecovery =
    R"(, "detect": "10 s", "restart": "0.5 min", "checkpoint_every": 5,
        "checkpoint": {"write": "2 s", "read": "1 s"})";

Point ring_point(const std::string& fields) {
  return point_of(R"({"topology": "pcie_4gpu", "strategy": "ring", "buckets": "one")" + kSteps +
                  fields + "}");
}

Report ring(const std::string& fields) { return run_point(ring_point(fields), shipped_settings()); }

Report store(const std::string& fields) {
  return run_point(point_of(R"({"topology": {"name": "cluster",
    "link_types": {"wire": {"kind": "network", "bandwidth": "1 GB/s"}},
    "nodes": [{"id": "w[0-3]/gpu0", "kind": "gpu"}, {"id": "s[0-1]/cpu0", "kind": "cpu"},
              {"id": "top", "kind": "switch"}],
    "links": [{"between": ["w[0-3]/gpu0", "top"], "type": "wire"},
              {"between": ["s[0-1]/cpu0", "top"], "type": "wire"}]},
    "model": {"layers": 2, "bytes": "80 MB", "forward": "16 ms", "backward": "32 ms"},
    "overlap": false, "buckets": "per-tensor", "bucket_order": "concurrent",
    "store": {"type": "dist", "placement": "balanced"})" +
                            kRecovery + fields + "}"),
                   shipped_settings());
}

std::string refused(const std::string& fields) {
  return refusal_of([&] { ring(fields); });
}

double figure(const std::string& metric, const Report& report) {
  return measure(parse_metric(metric), report);
}

double ps(const std::string& time) { return static_cast<double>(parse_time(time).ps); }

}  // namespace

TEST_CASE("a dead link stalls the step, and the report says what waits for it") {
  const Report report = ring(R"(, "fault": "step 7 at 50 ms link:gpu0-switch0")");
  const FaultReport& fault = *report.step->fault;
  CHECK(report.time == parse_time("63 ms"));
  CHECK(fault.stalls);
  CHECK(fault.reason == "2 transfers wait for link:gpu0-switch0 bandwidth=0 B/s");
  CHECK(fault.first.starts_with("op "));
  CHECK(fault.times.fault == parse_time("491 ms"));
  CHECK(!fault.times.lost);
  CHECK(!fault.after);
  // In a ring each rank waits for the one before: all stand within three of its steps of 2.5 ms.
  CHECK(fault.stands < parse_time("7500 us"));
  CHECK(figure("stalls", report) == 1);
  CHECK(refusal_of([&] { figure("lost", report); }) ==
        "the run stalls for ever; claim of it that it \"stalls\"");
  CHECK(fault_text(*report.step).find("it ends here, without recovery") != std::string::npos);
}

TEST_CASE("a link that falls back to half of its rate in the midst of the ring costs 7.5 ms") {
  const Report report = ring(
      R"(, "fault": {"link": "gpu0-switch0", "step": 7, "at": "55500 us", "bandwidth": "8 GB/s"})");
  CHECK(figure("stalls", report) == 0);
  CHECK(figure("lost", report) == ps("7500 us"));
  CHECK(figure("recovery", report) == 0);
  CHECK(figure("step_after", report) == ps("78 ms"));
  CHECK(figure("samples_per_second_after", report) == doctest::Approx(4 / 78e-3));
}

TEST_CASE("a link that nothing uses is not missed") {
  const Report report = ring(R"(, "fault": {"link": "switch0-cpu0"})");
  CHECK(figure("stalls", report) == 0);
  CHECK(figure("lost", report) == 0);
  CHECK(figure("step_after", report) == ps("63 ms"));
}

TEST_CASE("restored from a checkpoint: two steps are done again, to the picosecond") {
  const Report report = ring(
      R"(, "recovery": "restore", "fault": {"rank": 3, "step": 7, "at": "50 ms"})" + kRecovery);
  CHECK(report.step->fault->stalls);
  CHECK(figure("steps_again", report) == 2);
  CHECK(figure("recovery", report) == ps("41 s"));
  CHECK(figure("lost", report) == ps("41176 ms"));  // 50 ms + 10 s + 30 s + 1 s + 2 x 63 ms
  CHECK(report.step->fault->times.fault == parse_time("2491 ms"));
  CHECK(figure("step_after", report) == ps("63 ms"));
}

TEST_CASE("the ring is rebuilt without the rank: shorter steps of fewer samples") {
  const Report report =
      ring(R"(, "recovery": "shrink", "fault": {"rank": 1, "step": 7, "at": "50 ms"},
                "speeds": {"3": 0.5})" +
           kRecovery);
  // 96 ms of the slow rank, which is the second of three now, and 2 x 2/3 x 10 ms.
  CHECK(figure("step_after", report) == doctest::Approx(ps("109333333 ns")).epsilon(1e-6));
  CHECK(figure("steps_again", report) == 0);
  CHECK(figure("samples_per_second_after", report) == doctest::Approx(3 / 109.333333e-3));
  const Report alike = ring(R"(, "recovery": "shrink", "fault": {"rank": 3})");
  CHECK(figure("step_after", alike) == doctest::Approx(ps("61333333 ns")).epsilon(1e-6));
}

TEST_CASE("sharded state is lost with its rank: back to the checkpoint") {
  const Report report =
      ring(R"(, "recovery": "shrink", "fault": {"rank": 3, "step": 7}, "sharding": "gradients")" +
           kRecovery);
  CHECK(figure("steps_again", report) == 2);
}

TEST_CASE("rerouted: the rings that are left on the mesh of V100s") {
  const std::string text = R"({"topology": "p3_textbook", "strategy": "ring", "buckets": "one",
    "fault": {"link": "gpu0-gpu3", "step": 2, "at": "50 ms"}, "recovery": "reroute")" +
                           kSteps + kRecovery;
  const Report report = run_point(point_of(text + "}"), shipped_settings());
  const Report without =
      run_point(point_of(R"({"topology": "p3_textbook", "strategy": "ring", "buckets": "one",
                   "edits": ["remove link:gpu0-gpu3"])" +
                         kSteps + "}"),
                shipped_settings());
  CHECK(report.step->fault->after == without.step->step);
  CHECK(figure("steps_again", report) == 0);
  CHECK(figure("lost", report) ==
        ps("50 ms") + ps("40 s") + static_cast<double>((without.time - report.time).ps));
}

TEST_CASE("a server lost: its keys move, from the checkpoint, and one server takes twice as long") {
  const Report report =
      store(R"(, "recovery": "shrink", "fault": {"server": "s1/cpu0", "step": 7, "at": "50 ms"})");
  CHECK(report.time == parse_time("368 ms"));  // 48 ms and twice 4 x 40 MB
  CHECK(report.step->fault->reason == "4 transfers wait for server s1/cpu0");
  CHECK(figure("step_after", report) == ps("688 ms"));
  CHECK(figure("steps_again", report) == 2);
  CHECK(figure("lost", report) == ps("50 ms") + ps("41 s") + 3 * ps("688 ms") - ps("368 ms"));
}

TEST_CASE("a replica costs its traffic in every step and loses none") {
  const Report report =
      store(R"(, "recovery": "replicate", "fault": {"server": "s1/cpu0", "step": 7})");
  CHECK(report.time == parse_time("408 ms"));  // 40 MB more, before they are pulled
  CHECK(figure("steps_again", report) == 0);
  CHECK(figure("step_after", report) == ps("688 ms"));  // both keys at one, nobody behind it
}

TEST_CASE("checkpoints that are written to a node take what their transfers take") {
  const Report report = ring(R"(, "recovery": "restore", "fault": {"rank": 3, "step": 7},
                                  "checkpoint_every": 5, "checkpoint": {"to": "cpu0"})");
  CHECK(figure("checkpoint_write", report) == ps("10 ms"));  // 160 MB from one rank
  CHECK(figure("recovery", report) == ps("40 ms"));          // to four, through one link
}

TEST_CASE("goodput: what failures and checkpoints leave") {
  const std::string common = R"(, "recovery": "restore", "detect": "10 s", "restart": "30 s",
      "checkpoint": "2 s")";
  const std::string runs = R"(, "failures": {"horizon": "10 days", "replicas": 5})";
  const auto goodput_of = [&](const std::string& fields) {
    return figure("goodput", ring(common + runs + fields));
  };
  // Every 10,000 steps of 63 ms; first order: w / tau + tau / (2 M) + (D + R + read) / M.
  const double tau = 630;
  CHECK(goodput_of(R"(, "mtbf": "6 h", "checkpoint_every": 10000)") ==
        doctest::Approx(1 - 2 / tau - tau / 43200 - 42.0 / 21600).epsilon(0.003));
  CHECK(goodput_of(R"(, "mtbf": "6 h", "checkpoint_every": 10000)") <
        goodput_of(R"(, "mtbf": "24 h", "checkpoint_every": 10000)"));
  const Report report = ring(common + R"(, "mtbf": "1 day", "failures": {"of": "rank"})");
  CHECK(report.step->goodput->parts == 4);
  CHECK(report.step->goodput->goodput.failures == doctest::Approx(120).epsilon(0.1));
}

TEST_CASE("without recovery goodput ends with the first failure, and repaired ranks come back") {
  CHECK(figure("goodput", ring(R"(, "mtbf": "1 h")")) < 0.01);
  const double repaired = figure("goodput", ring(R"(, "mtbf": "30 days", "recovery": "shrink",
      "fault": {"rank": 0}, "failures": {"of": "rank"}, "repair": "1 day")"));
  // About 4/30 of the time one is away: 3 of 4 samples, in steps of 61.33 in place of 63 ms.
  CHECK(repaired == doctest::Approx(1 - 4.0 / 30 * (1 - 0.75 * 63 / 61.3333)).epsilon(0.01));
}

TEST_CASE("a rank by itself that computes nothing has no goodput") {
  const std::string text = R"({"topology": "pcie_4gpu", "strategy": "ring", "ranks": "0-1",
      "model": {"layers": 1, "bytes": "4 MB"}, "recovery": "shrink", "mtbf": "1 day"})";
  CHECK(refusal_of([&] { run_point(point_of(text), shipped_settings()); }) ==
        "s.json:/mtbf: steps that take no time have no goodput; give the model times");
}

TEST_CASE("what a step is compared with has no faults") {
  const Point point = ring_point(R"(, "fault": {"rank": 3, "at": "62 ms"}, "mtbf": "1 h")");
  CHECK(step_on_infinite_network(point, shipped_settings()) < parse_time("48000001 ns"));
  CHECK(step_without_overlap(point, shipped_settings()) == parse_time("63 ms"));
}

TEST_CASE("wrong faults are refused where they stand") {
  CHECK(refused(R"(, "fault": {"link": "gpu0-switch9"})") ==
        "s.json:/fault: event \"link:gpu0-switch9 bandwidth=0 B/s\": no link is called "
        "\"gpu0-switch9\"; did you mean \"gpu0-switch0\"?");
  CHECK(refused(R"(, "fault": {"rank": 4})") ==
        "s.json:/fault: rank 4 is not in the run; name ranks of the run, 0 to 3");
  CHECK(refused(R"(, "fault": {"step": 4})") ==
        "s.json:/fault: does not say what is lost; add \"link\", \"rank\" or \"server\"");
  CHECK(refused(R"(, "fault": "gpu3")") ==
        "s.json:/fault: \"gpu3\" does not say what is lost; write such as \"step 7 at 5 ms "
        "link:gpu0-gpu1\", with rank:3 or server:cpu0 in its place");
  CHECK(refused(R"(, "fault": {"rank": 3, "at": "63 ms"})") ==
        "s.json:/fault: 63 ms lies behind the step, which takes 63.0000 ms; name a later step");
  CHECK(refused(R"(, "fault": {"link": "gpu0-switch0"}, "recovery": "reroute")") ==
        "s.json:/fault: edit \"remove link:gpu0-switch0\": gpu0 (rank 0) is cut off from all other "
        "ranks; keep a way between them, or leave some out of the ranks");
  CHECK(refused(R"(, "fault": {"rank": 3}, "recovery": "reroute")") ==
        "s.json:/recovery: \"reroute\" is of lost links; choose one of none, restore, shrink");
  CHECK(refused(R"(, "recovery": "replicate")") ==
        "s.json:/recovery: \"replicate\" is of lost servers of a store; choose one of none, "
        "restore");
  CHECK(refused(R"(, "detect": "11 days")") ==
        "s.json:/detect: is too long; write at most \"10 days\"");
  CHECK(refused(R"(, "mtbf": "1 s")") ==
        "s.json:/mtbf: a run of 2592000 s would fail over 1000000 times; write a longer time "
        "between failures, or a shorter horizon");
  CHECK(
      refused(
          R"(, "fault": {"rank": 1}, "events": ["at 1 ms link:gpu0-switch0 bandwidth=8 GB/s"])") ==
      "s.json:/events: events change links beside the fault; leave out one of the two");
}

}  // namespace syncsim::testing::fault_test
