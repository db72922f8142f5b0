// Points that are training steps: what a scenario may say of them, and what comes of it.

#include "sim/scenario/training.h"

#include <doctest/doctest.h>

#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/training_limits.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::training_test {
namespace {

// Ring on four GPUs at 16 GB/s; `fields` begin with a comma.
std::vector<Point> points(const std::string& fields) {
  const std::string text = R"({"topology": "pcie_4gpu", "strategy": "ring")" + fields + "}";
  return read_scenario(JsonFile::parse(text, "s.json").root()).points;
}

Report report_of(const std::string& fields) {
  return run_point(points(fields).front(), shipped_settings());
}

std::string refused(const std::string& fields) {
  return refusal_of([&] { report_of(fields); });
}

// 160 MB in 16 layers alike: 15 ms on the wire.
const std::string kModel =
    R"(, "model": {"layers": 16, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"})";

}  // namespace

TEST_CASE("a step without overlap is compute and then the textbook's 15 ms") {
  const Report report = report_of(kModel + R"(, "buckets": "one", "overlap": false)");
  REQUIRE(report.step);
  CHECK(report.time == parse_time("63 ms"));
  CHECK(report.step->compute == parse_time("48 ms"));
  CHECK(report.step->communication == parse_time("15 ms"));
  CHECK(report.step->exposed == parse_time("15 ms"));
  CHECK(report.step->overlap == 0);
  CHECK(report.step->scaling_efficiency == doctest::Approx(48.0 / 63).epsilon(1e-12));
  CHECK(report.bound.kind == "compute");
  CHECK(report.step->buckets.size() == 1);
  CHECK(report.step->buckets[0].ready == parse_time("48 ms"));
  CHECK(report.step->buckets[0].finish == parse_time("63 ms"));
}

TEST_CASE("with overlap all but the last message hides") {
  // 10 MB take 937.5 us, backward 2 ms a layer.
  const Report report = report_of(kModel + R"(, "buckets": "per-tensor")");
  CHECK(report.time == parse_time("48937500 ns"));
  CHECK(report.step->communication == parse_time("15 ms"));
  CHECK(report.step->overlap == doctest::Approx(1 - 0.9375 / 15).epsilon(1e-12));
  CHECK(report.step->buckets[3].ready == parse_time("24 ms"));
  CHECK(report.step->samples_per_second == doctest::Approx(4 / 48.9375e-3).epsilon(1e-12));
}

TEST_CASE("what is beside a step: a network of no cost, and no overlap") {
  const Point point = points(kModel + R"(, "buckets": "per-tensor")").front();
  CHECK(step_without_overlap(point, shipped_settings()) == parse_time("63 ms"));
  const Time free = step_on_infinite_network(point, shipped_settings());
  CHECK(free >= parse_time("48 ms"));
  CHECK(free < parse_time("48000001 ns"));
}

TEST_CASE("a step that is bound by the wire has that as its bound") {
  const Report report = report_of(
      R"(, "model": {"layers": 16, "bytes": "160 MB", "backward": "1 ms"}, "buckets": "one")");
  CHECK(report.bound.seconds == doctest::Approx(15e-3).epsilon(1e-12));
  CHECK(report.efficiency == doctest::Approx(15.0 / 16).epsilon(1e-12));
}

TEST_CASE("batch, device speed and slow ranks scale compute") {
  const Report fast = report_of(R"(, "model": "resnet50", "device_speed": 2)");
  const Report twice = report_of(R"(, "model": "resnet50", "batch": 256, "device_speed": 4)");
  CHECK(fast.step->compute == twice.step->compute);
  const Report slow =
      report_of(R"(, "model": "resnet50", "device_speed": 2, "speeds": {"1": 0.5})");
  CHECK(slow.step->compute.ps == 2 * fast.step->compute.ps);
  CHECK(slow.step->ranks[0].compute == fast.step->compute);
  CHECK(slow.step->ranks[0].waiting > slow.step->ranks[1].waiting);
}

TEST_CASE("auto takes what is fastest for all gradients") {
  const Report report = report_of(kModel + R"(, "buckets": "one", "overlap": false)");
  const std::string text = R"({"topology": "pcie_4gpu", "strategy": "auto")" + kModel +
                           R"(, "buckets": "one", "overlap": false})";
  const Point chosen = read_scenario(JsonFile::parse(text, "s.json").root()).points.front();
  CHECK(run_point(chosen, shipped_settings()).time <= report.time);
}

TEST_CASE("steps are swept, selected and claimed like other points") {
  const auto swept = points(kModel + R"(, "sweep": {"bucket_cap": ["10 MB", "40 MB"],
                                                    "bucket_first": ["10 MB"]})");
  REQUIRE(swept.size() == 2);
  CHECK(run_point(swept[0], shipped_settings()).step->buckets.size() == 16);
  CHECK(run_point(swept[1], shipped_settings()).step->buckets.size() == 5);
}

TEST_CASE("a key-value store sums in place of a strategy") {
  const auto stored = [](const std::string& store) {
    const std::string text = R"({"topology": "pcie_4gpu", "overlap": false, "buckets": "one",
                                 "store": )" +
                             store + kModel + "}";
    const auto read = read_scenario(JsonFile::parse(text, "s.json").root()).points;
    return run_point(read.front(), shipped_settings());
  };
  CHECK(stored(R"("local")").step->exposed == parse_time("80 ms"));
  CHECK(stored(R"("device")").step->exposed == parse_time("60 ms"));
  const Report report = stored(R"({"type": "dist", "servers": "cpu0", "update": "3 ms"})");
  CHECK(report.facts.strategy == "store");
  REQUIRE(report.step->servers.size() == 1);
  CHECK(report.step->servers[0].node == "cpu0");
  CHECK(report.step->servers[0].bytes == Bytes{160'000'000});
  // The ranks add up first: 20 ms, and as much to hand out, beside 10 ms to the CPU and 10 back.
  CHECK(report.step->exposed > parse_time("23 ms"));
}

TEST_CASE("a store may sum by a strategy, which then has to be said") {
  const Report plain = report_of(kModel + R"(, "buckets": "one", "overlap": false)");
  const Report stored =
      report_of(kModel + R"(, "buckets": "one", "overlap": false, "store": "allreduce")");
  CHECK(stored.facts.strategy == "ring");
  CHECK(stored.time == plain.time);
  CHECK(stored.step->servers.empty());
}

TEST_CASE("who is late and who waits: a rank at half speed, and one that pauses") {
  // 48 ms of compute, 15 ms on the wire.
  const std::string fields = kModel + R"(, "buckets": "one", "overlap": false)";
  const Report slow = report_of(fields + R"(, "speeds": {"3": 0.5})");
  CHECK(slow.step->step == parse_time("111 ms"));
  for (const std::size_t rank : {0, 1, 2}) {
    const RankStep& own = slow.step->ranks[rank];
    CHECK(own.compute == parse_time("48 ms"));
    CHECK(own.waits.for_ranks == parse_time("48 ms"));
    CHECK(own.waits.transfer == parse_time("15 ms"));
    CHECK(own.waits.longest == 3);
  }
  CHECK(slow.step->ranks[3].waits.for_ranks == Time{});
  CHECK(slow.step->ranks[3].waits.longest == StepWaits::kNobody);
  CHECK(slow.step->ranks[3].waits.transfer == parse_time("15 ms"));
  // What is late in a step is waited for after its backward.
  const auto paused_in = [&](const std::string& step) {
    return report_of(fields + R"(, "pauses": [{"rank": 2, "time": "5 ms", "step": )" + step + "}]");
  };
  const Report before = paused_in("1");
  CHECK(before.step->ranks[0].waits.for_ranks == parse_time("5 ms"));
  CHECK(before.step->ranks[0].waits.longest == 2);
  CHECK(before.step->ranks[2].waits.for_ranks == Time{});
  const Report now = paused_in("2");
  CHECK(now.step->ranks[2].waits.pause == parse_time("5 ms"));
  CHECK(now.step->ranks[2].waits.transfer == parse_time("15 ms"));
}

TEST_CASE("workers that run apart have paces of their own, and samples are of all") {
  const auto stale = [](const std::string& staleness) {
    const std::string text = R"({"topology": "pcie_4gpu", "steps": 32, "speeds": {"3": 0.5},
        "model": {"layers": 1, "bytes": "16 B", "forward": "4 ms", "backward": "8 ms"},
        "store": {"type": "local", "staleness": )" +
                             staleness + "}}";
    const auto read = read_scenario(JsonFile::parse(text, "s.json").root()).points;
    return *run_point(read.front(), shipped_settings()).step;
  };
  const auto about = [](double value) { return doctest::Approx(value).epsilon(1e-5); };
  const StepReport apart = stale("\"unbounded\"");
  CHECK(seconds(apart.ranks[0].step) == about(12e-3));
  CHECK(seconds(apart.ranks[3].step) == about(24e-3));
  CHECK(seconds(apart.step) == about(24e-3));
  CHECK(apart.samples_per_second == about(3 / 12e-3 + 1 / 24e-3));
  CHECK(apart.scaling_efficiency == about(0.875));
  const StepReport bound = stale("3");
  CHECK(seconds(bound.ranks[0].step) == about(24e-3));
  CHECK(bound.samples_per_second == about(4 / 24e-3));
  CHECK(seconds(bound.ranks[0].waits.for_ranks) == about(12e-3));
}

TEST_CASE("of a single step all counts, also of workers that may run apart") {
  const auto single = [](const std::string& staleness) {
    const std::string text = R"({"topology": "pcie_4gpu", "steps": 1, "buckets": "one",
        "overlap": false, "store": {"type": "local", "staleness": )" +
                             staleness + "}" + kModel + "}";
    const auto read = read_scenario(JsonFile::parse(text, "s.json").root()).points;
    return run_point(read.front(), shipped_settings()).step->step;
  };
  CHECK(single("0") == parse_time("128 ms"));  // 48 and the textbook's 80
  CHECK(single("1") > parse_time("88 ms"));
}

TEST_CASE("wrong stores are refused where they stand") {
  const auto wrong = [](const std::string& store, const std::string& more = "") {
    const std::string text = R"({"topology": "pcie_4gpu", "store": )" + store + kModel + more + "}";
    return refusal_of([&] {
      run_point(read_scenario(JsonFile::parse(text, "s.json").root()).points.front(),
                shipped_settings());
    });
  };
  CHECK(wrong(R"("far")") ==
        "s.json:/store: unknown store \"far\"; choose one of allreduce, device, dist, local");
  CHECK(
      wrong(R"("allreduce")") ==
      "s.json:/: \"strategy\" is missing; add \"strategy\", here, in every point or in the sweep");
  CHECK(
      wrong(R"({"type": "allreduce", "staleness": 1})", R"(, "strategy": "ring")") ==
      "s.json:/store/staleness: an allreduce waits for every rank; leave it out, or choose another "
      "type");
  CHECK(wrong(R"({"type": "local", "staleness": "none"})") ==
        "s.json:/store/staleness: is no staleness; write a number of steps, or \"unbounded\"");
  CHECK(wrong(R"({"type": "local", "staleness": -1})") ==
        "s.json:/store/staleness: -1 is out of range; write a whole number from 0 to 1000");
  CHECK(wrong(R"("local")", R"(, "strategy": "ring")") ==
        "s.json:/strategy: a key-value store sums by itself; leave out one of \"store\" and "
        "\"strategy\"");
  CHECK(wrong(R"({"type": "local", "servers": "cpu0"})") ==
        "s.json:/store/servers: is of the store \"dist\"; leave it out, or name that type");
  CHECK(wrong(R"({"type": "local", "placement": "mxnet"})") ==
        "s.json:/store/placement: is of the store \"dist\"; leave it out, or name that type");
  CHECK(wrong(R"({"type": "dist", "placement": "balanced", "big": 7})") ==
        "s.json:/store/big: is of the placement \"mxnet\"; leave it out, or name that placement");
  CHECK(wrong(R"({"type": "dist", "partition": "4 kB"})") ==
        "s.json:/store/partition: is of the placement \"byteps\"; leave it out, or name that "
        "placement");
  CHECK(wrong(R"({"type": "dist", "servers": "cpu0,cpu0"})") ==
        "s.json:/store/servers: \"cpu0\" is named twice; name it once");
  CHECK(wrong(R"({"type": "dist", "servers": "switch0"})") ==
        "s.json:/store/servers: \"switch0\" adds up nothing; name CPUs or GPUs");
  CHECK(wrong(R"({"type": "dist", "placement": "mxnte"})") ==
        "s.json:/store/placement: unknown placement \"mxnte\"; did you mean \"mxnet\"?");
  CHECK(wrong(R"("device")", R"(, "sharding": "gradients")") ==
        "s.json:/store: a key-value store sums whole gradients; leave out one of store and "
        "sharding");
}

TEST_CASE("what a training step cannot be is refused where it stands") {
  CHECK(refused(R"(, "bytes": "1 MB", "buckets": "one")") ==
        "s.json:/buckets: \"buckets\" is of training steps; add \"model\", or leave it out");
  CHECK(refused(kModel + R"(, "bytes": "1 MB")") ==
        "s.json:/bytes: \"bytes\" is not of training steps; leave it out: a step sums its model's "
        "gradients");
  CHECK(refused(kModel + R"(, "buckets": "big")") ==
        "s.json:/buckets: unknown bucket rule \"big\"; choose one of ddp, ddp-forward, horovod, "
        "one, per-tensor");
  CHECK(refused(kModel + R"(, "bucket_cap": "0 B")") ==
        "s.json:/bucket_cap: is 0 B; write a size above 0");
  CHECK(refused(kModel + R"(, "cycle": "0 s")") ==
        "s.json:/cycle: is no time; write a time above 0");
  CHECK(refused(kModel + R"(, "speeds": {"7": 0.5})") ==
        "s.json:/speeds: rank 7 is not in the run; name ranks of the run, 0 to 3");
  CHECK(refused(kModel + R"(, "pauses": [{"rank": 1, "step": 1, "time": "3601 s"}])") ==
        "s.json:/pauses/0/time: is more than an hour; write 3600 s at most");
  CHECK(report_of(kModel + R"(, "pauses": [{"rank": 1, "step": 1, "time": "3600 s"}])").step);
  CHECK(refused(kModel + R"(, "pauses": [{"rank": 1, "step": 3, "time": "1 ms"}])") ==
        "s.json:/pauses/0: step 3 is not run; name steps 0 to 2");
  CHECK(refused(R"(, "model": {"layers": 3, "bytes": "8 B"})") ==
        "s.json:/model/bytes: is not 3 tensors of float32; write a multiple of 4 B, 4 B a layer at "
        "least");
  CHECK(refused(R"(, "model": "resnet5")") ==
        "s.json:/model: unknown model \"resnet5\"; did you mean \"resnet50\"?");
}

}  // namespace syncsim::testing::training_test
