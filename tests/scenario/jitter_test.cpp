// Training points whose ranks vary, and their replicas.

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/random.h"
#include "sim/scenario/sweep_points.h"
#include "sim/scenario/training_limits.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/counting_watch.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::testing::jitter_test {
namespace {

// Compute of 100 ms and a message of 64 B, which takes nanoseconds; `fields` begin with a comma.
std::string step(const std::string& fields) {
  return R"({"topology": "pcie_4gpu", "strategy": "ring", "buckets": "one", "model": {"layers": 1,
             "bytes": "64 B", "forward": "40 ms", "backward": "60 ms"})" +
         fields + "}";
}

Report ran(const std::string& fields) { return run(read(step(fields)).points.front()); }

std::string refused(const std::string& fields) { return refusal(step(fields)); }

constexpr double kCompute = 1e11;  // ps
constexpr double kWire = 1e6;      // more than the message takes

}  // namespace

TEST_CASE("a step takes as long as the slowest factor of its ranks") {
  const Report report = ran(R"(, "jitter": {"lognormal": 0.3}, "seed": 11)");
  double slowest = 0;  // the third step, the only one that counts, is number 2
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    slowest = std::max(slowest, mean_one_lognormal(Chance(11, 1).uniform(2, rank), 0.3));
  CHECK(std::abs(static_cast<double>(report.time.ps) - slowest * kCompute) < kWire);
  CHECK(report.bound.seconds * 1e12 == doctest::Approx(slowest * kCompute).epsilon(1e-9));
  CHECK(report.bound.seconds * 1e12 <= static_cast<double>(report.time.ps));
  CHECK(report.bound.binds == "the slowest rank of each step");
}

TEST_CASE("a step takes the longest delay of its ranks more") {
  const Report report = ran(R"(, "jitter": {"exponential": "20 ms"}, "seed": 2)");
  double longest = 0;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    longest = std::max(longest, standard_exponential(Chance(2, 2).uniform(2, rank)));
  CHECK(std::abs(static_cast<double>(report.time.ps) - kCompute - longest * 20e9) < kWire);
}

// Lines 1 and 2 are those of steps 1 and 2: 1.5 and 1 x compute, and 3 ms more.
TEST_CASE("a trace plays step by step") {
  const std::string trace = R"([[9, 9, 9, 9], [1, 1.5, 1, 1], [1, 1, "3 ms", 1]])";
  const Report report = ran(R"(, "steps": 4, "jitter": {"trace": )" + trace + "}");
  // The average is of steps 2 and 3, of which 3 is line 0 again.
  CHECK(std::abs(static_cast<double>(report.time.ps) - (103e9 + 900e9) / 2) < kWire);
  const Report shorter = ran(R"(, "steps": 2, "jitter": {"trace": )" + trace + "}");
  CHECK(std::abs(static_cast<double>(shorter.time.ps) - 150e9) < kWire);
}

TEST_CASE("a trace lies in a file beside the scenario, whose lines are told") {
  const TemporaryFolder folder;
  const std::string base = folder.path() + "/";
  const auto at = [&](const std::string& file) {
    const std::string text = step(R"(, "steps": 2, "jitter": {"trace": ")" + file + R"("})");
    return run(read_scenario(JsonFile::parse(text, base + "s.json").root()).points.front());
  };
  folder.write("t.csv", "1,2\n1.5,\"5 ms\"\n");
  CHECK(std::abs(static_cast<double>(at("t.csv").time.ps) - 150e9) < kWire);
  folder.write("bad.csv", "1,2\n1.5\n");
  CHECK(refusal_of([&] { at("bad.csv"); }) ==
        base +
            "bad.csv:2: the line has 1 field, the first has 2; write a factor or a delay for each "
            "rank in every line");
  CHECK(refusal_of([&] { at("none.csv"); }) ==
        base + "s.json:/jitter: " + base +
            "none.csv: there is no such file; name a CSV file of factors and delays");
}

TEST_CASE("a sweep asks for something else when the trace's file changes") {
  const TemporaryFolder folder;
  const std::string base = folder.path() + "/";
  const std::string text = step(R"(, "jitter": {"trace": "t.csv"})");
  const Point point = read_scenario(JsonFile::parse(text, base + "s.json").root()).points.front();
  const auto digest = [&](const std::string& trace) {
    folder.write("t.csv", trace);
    return SweepPoints(base + "s.json", SYNCSIM_SHELF, true).digest_of(point);
  };
  const std::string first = digest("1\n");
  CHECK(digest("2\n") != first);
  CHECK(digest("1\n") == first);
}

// Cycles of 1 ms: a message leaves up to one later, and nobody waits for cycles of other steps.
TEST_CASE("Horovod's messages are those without jitter") {
  const std::string horovod = R"({"topology": "pcie_4gpu", "strategy": "ring", "buckets": "horovod",
      "model": {"layers": 8, "bytes": "64 B", "backward": "100 ms"}, "seed": 4, "steps": 10)";
  const auto buckets = [&](const std::string& fields) {
    return run(read(horovod + fields + "}").points.front()).step->buckets;
  };
  const auto plain = buckets("");
  const auto varied = buckets(R"(, "jitter": {"lognormal": 0.4})");
  REQUIRE(varied.size() == plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(varied[i].bytes == plain[i].bytes);
  double sum = 0;  // of the slowest factors of steps 2 to 9, on the average
  for (std::uint64_t step = 2; step < 10; ++step) {
    double slowest = 0;
    for (std::uint64_t rank = 0; rank < 4; ++rank)
      slowest = std::max(slowest, mean_one_lognormal(Chance(4, 1).uniform(step, rank), 0.4));
    sum += std::max(1.0, slowest) / 8;  // no cycle comes earlier
  }
  const Report report = run(read(horovod + R"(, "jitter": {"lognormal": 0.4}})").points.front());
  const auto time = static_cast<double>(report.time.ps);
  CHECK(time > 1.2 * kCompute);
  CHECK(time <= sum * kCompute + 1e9 + kWire);
}

TEST_CASE("no bound is claimed where a forward may begin before others' backward is over") {
  const Report report = ran(R"(, "jitter": {"lognormal": 0.3}, "early_forward": true)");
  CHECK(report.bound.seconds == 0);
  CHECK(report.time > Time{});
}

TEST_CASE("replicas are the point with the seeds that follow") {
  const std::string chance = R"(, "jitter": {"lognormal": 0.2, "exponential": "1 ms"})";
  const Report all = ran(chance + R"(, "seed": 7, "replicas": 3)");
  std::vector<Time> steps;
  for (const std::string seed : {"7", "8", "9"})
    steps.push_back(ran(chance + R"(, "seed": )" + seed).time);
  const ReplicaReport expected = replica_report(steps, 7);
  REQUIRE(all.step->replicas);
  CHECK(all.step->replicas->first == steps[0]);
  CHECK(all.step->replicas->mean == expected.mean);
  CHECK(all.step->replicas->deviation == expected.deviation);
  CHECK(all.step->replicas->most == std::max({steps[0], steps[1], steps[2]}));
  CHECK(all.time == expected.mean);
  CHECK(all.step->step == expected.mean);
  CHECK(all.bound.seconds <= seconds(all.time));
  // One sample a rank and step.
  CHECK(all.step->samples_per_second == doctest::Approx(4 / seconds(expected.mean)).epsilon(1e-12));
  CHECK(all.step->scaling_efficiency ==
        doctest::Approx(0.1 / seconds(expected.mean)).epsilon(1e-12));
  const Report first = ran(chance + R"(, "seed": 7)");
  CHECK(all.step->compute == first.step->compute);
  CHECK(all.links.front().bytes == first.links.front().bytes);
  CHECK(all.notes.back().starts_with("mean of 3 replicas, seeds 7 to 9; "));
}

TEST_CASE("a deviation of 0 leaves every bit as it is without jitter") {
  const Report plain = ran("");
  const Report none = ran(R"(, "jitter": {"lognormal": 0, "exponential": "0 s"}, "replicas": 3)");
  CHECK(none.time == plain.time);
  CHECK(none.step->replicas->deviation == Time{});
  CHECK(none.step->exposed == plain.step->exposed);
}

// What a network without cost leaves is the steps of the same seeds.
TEST_CASE("limits are of the same replicas") {
  const Point point = read(step(R"(, "jitter": {"lognormal": 0.2}, "replicas": 5)")).points.front();
  const RunSettings settings{.shelf = SYNCSIM_SHELF};
  const Time mean = run_point(point, settings).time;
  CHECK(step_on_infinite_network(point, settings) <= mean);
  CHECK(std::abs(static_cast<double>((mean - step_on_infinite_network(point, settings)).ps)) <
        kWire);
}

TEST_CASE("a watch sees the ops of all replicas as one run, and stops it") {
  const Point point =
      read(step(R"(, "jitter": {"exponential": "1 ms"}, "replicas": 4)")).points.front();
  CountingWatch all(1'000);
  const Report report = run_point(point, {.shelf = SYNCSIM_SHELF, .watch = &all});
  const Progress& last = all.seen.back();
  CHECK(last.stage == Stage::simulating);
  CHECK(last.total == 4 * report.ops);
  CHECK(last.done >= 3 * report.ops);
  CountingWatch some(all.seen.size() - 1);
  try {
    run_point(point, {.shelf = SYNCSIM_SHELF, .watch = &some});
    FAIL("not stopped");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.progress.done >= 3 * report.ops);
    CHECK(interrupted.progress.total == 4 * report.ops);
  }
}

TEST_CASE("claims are made of the mean, its interval and its deviation") {
  const auto claims =
      judged(step(R"(, "jitter": {"exponential": "5 ms"}, "replicas": 20, "expect": [
      {"metric": "step", "at_least": "105 ms"}, {"metric": "step_low", "at_least": "103 ms"},
      {"metric": "step_high", "at_most": "120 ms"},
      {"metric": "step_deviation", "at_most": "9 ms"},
      {"metric": "step_least", "at_least": "100 ms"},
      {"metric": "step_most", "at_most": "200 ms"}])"));
  REQUIRE(claims.size() == 6);
  for (const Claim& claim : claims) CHECK(claim.passed);
}

TEST_CASE("wrong jitter and replicas without a meaning are refused where they stand") {
  CHECK(refused(R"(, "jitter": 0.1)") ==
        "s.json:/jitter: is the number 0.1; write such as {\"lognormal\": 0.1}, {\"exponential\": "
        "\"2 ms\"} or {\"trace\": \"FILE.csv\"}");
  CHECK(refused(R"(, "jitter": {"lognormal": -1})") ==
        "s.json:/jitter/lognormal: is -1; write a number from 0 to 3, the deviation of the "
        "logarithm");
  CHECK(
      refused(R"(, "jitter": {"normal": 1})") ==
      "s.json:/jitter/normal: unknown key \"normal\"; choose one of lognormal, exponential, trace");
  CHECK(refused(R"(, "jitter": {"exponential": "4000 s"})")
            .starts_with("s.json:/jitter/exponential: "));
  CHECK(refused(R"(, "jitter": {"trace": []})") ==
        "s.json:/jitter/trace: is empty; write a list a step, or the path of a CSV file");
  CHECK(refused(R"(, "jitter": {"trace": [[1, 1], [1]]})") ==
        "s.json:/jitter/trace/1: has 1 rank, the first step has 2; write a factor or a delay for "
        "each rank in every step");
  CHECK(refused(R"(, "jitter": {"trace": [[0]]})") ==
        "s.json:/jitter/trace/0/0: \"0\" is no factor; write a number from 1e-06 to 1000000, or a "
        "delay such as 3 ms");
  CHECK(refused(R"(, "replicas": 0)").starts_with("s.json:/replicas: "));
  const std::string alike =
      "s.json:/replicas: replicas of steps without chance are all alike; add \"jitter\", "
      "lognormal or exponential";
  CHECK(refused(R"(, "replicas": 2)") == alike);
  CHECK(refused(R"(, "jitter": {"trace": [[1.1]]}, "replicas": 2)") == alike);
  CHECK(refused(R"(, "seed": 4294967295, "replicas": 2, "jitter": {"lognormal": 0.1})") ==
        "s.json:/replicas: 2 replicas from seed 4294967295 on pass the last seed, 4294967295; take "
        "a smaller seed");
  CHECK(refusal(textbook(R"("strategy": "ring", "replicas": 2)")) ==
        "s.json:/replicas: \"replicas\" is of training steps; add \"model\", or leave it out");
  CHECK(
      refused(R"(, "expect": [{"metric": "step_low", "at_least": "1 ms"}])") ==
      "s.json:/expect/0/metric: \"step_low\" is of replicas; select points with \"replicas\" above "
      "1");
}

TEST_CASE("ranks slower than a step can hold are refused") {
  CHECK(refused(R"(, "speeds": {"1": 1e-30})") ==
        "s.json:/speeds/1: is 1e-30; write a number from 1e-06 to 1000000");
  CHECK(refused(R"(, "speeds": {"1": 1e-6}, "jitter": {"trace": [[1000000]]})")
            .starts_with("s.json:/speeds: the steps compute longer than "));
}

}  // namespace syncsim::testing::jitter_test
