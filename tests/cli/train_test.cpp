#include <doctest/doctest.h>

#include "tests/cli/refusals.h"
#include "tests/support/trace.h"

namespace syncsim::testing::train_test {
namespace {

const Arguments kTrain = {"train", "--topology", "pcie_4gpu", "--strategy",
                          "ring",  "--model",    "vgg16"};

}  // namespace

TEST_CASE("train prints a step, its buckets and what it is compared with, as JSON") {
  const Outcome outcome = syncsim(with(kTrain, {"--format", "json", "--buckets", "one",
                                                "--no-overlap", "--what-if-infinite-network"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  const auto json = json_of(outcome);
  CHECK(json["model"] == "vgg16");
  CHECK(json["topology"] == "pcie_4gpu");
  CHECK(json["strategy"] == "ring");
  CHECK(json["bytes"] == 553'430'176);
  CHECK(json["compute_us"] == doctest::Approx(672'535));
  // 2 x 3/4 x 553.43 MB at 16 GB/s.
  CHECK(json["communication_us"].get<double>() == doctest::Approx(51884.079).epsilon(1e-6));
  CHECK(json["no_overlap_us"] == json["step_us"]);
  CHECK(json["infinite_network_us"].get<double>() == doctest::Approx(672'535).epsilon(1e-6));
  CHECK(json["buckets"].size() == 1);
  CHECK(json["buckets"][0]["tensors"] == 32);
  CHECK(json["ranks"].size() == 4);
}

TEST_CASE("train takes several strategies, and says them all in a list") {
  Arguments arguments = with(kTrain, {"--format", "json"});
  for (std::string& argument : arguments)
    if (argument == "ring") argument = "ring,central_gpu";
  const auto json = json_of(syncsim(arguments));
  REQUIRE(json["points"].size() == 2);
  CHECK(json["points"][0]["step_us"] < json["points"][1]["step_us"]);
}

TEST_CASE("a store stands in place of a strategy, by its type or as JSON") {
  const Arguments plain = {"train", "--topology", "pcie_4gpu", "--model",
                           "vgg16", "--format",   "json",      "--store"};
  const auto by_type = json_of(syncsim(with(plain, {"local"})));
  CHECK(by_type["strategy"] == "store");
  CHECK(by_type["servers"][0]["id"] == "cpu0");
  const auto apart =
      json_of(syncsim(with(plain, {R"({"type": "local", "staleness": "unbounded"})"})));
  CHECK(apart["ranks"][0]["waits_for"].is_null());
  CHECK(apart["step_us"] <= by_type["step_us"]);
  const auto refused = [](const Arguments& arguments) { return syncsim(arguments).err; };
  CHECK(refused(with(kTrain, {"--store", "local"})) ==
        "syncsim: --store: a key-value store sums by itself; leave out --strategy and --param, or "
        "choose the store \"allreduce\"\n");
  CHECK(refused(with(plain, {"{\"type\": "})) ==
        "syncsim: --store: \"{\"type\": \" is no JSON; write such as '{\"type\": \"dist\"}'\n");
  CHECK(refused(with(plain, {R"({"type": "local", "staleness": -2})"})) ==
        "syncsim: --store:/staleness: -2 is out of range; write a whole number from 0 to 1000\n");
  CHECK(refused(with(plain, {"allreduce"})) ==
        "syncsim: --store: an allreduce is by a strategy; add such as --strategy ring\n");
  CHECK(refused(with(plain, {R"({"type": "dist", "servers": "switch0"})"})) ==
        "syncsim: --store:/servers: \"switch0\" adds up nothing; name CPUs or GPUs\n");
  CHECK(refused(with(kTrain, {"--loading", R"({"bytes": "1 MB", "from": "switch0"})"})) ==
        "syncsim: --loading:/from: \"switch0\" holds no batches; name a CPU or a GPU\n");
  CHECK(refused(with(plain, {"locla"})) ==
        "syncsim: --store: unknown store \"locla\"; did you mean \"local\"?\n");
  CHECK(json_of(syncsim(with(kTrain, {"--format", "json", "--store", "allreduce"})))["strategy"] ==
        "ring");
}

TEST_CASE("train takes jitter, replicas and a seed, and says what the mean is worth") {
  const Arguments jitter = {"--jitter", "lognormal=0.1", "--jitter", "exponential=2 ms", "--seed",
                            "5",        "--replicas",    "4"};
  const auto json = json_of(syncsim(with(with(kTrain, jitter), {"--format", "json"})));
  CHECK(json["replicas"] == 4);
  CHECK(json["seed"] == 5);
  CHECK(json["step_low_us"] < json["step_us"]);
  CHECK(json["step_us"] < json["step_high_us"]);
  CHECK(json["step_least_us"] <= json["step_first_us"]);
  CHECK(json["step_first_us"] <= json["step_most_us"]);
  const Outcome text = syncsim(with(kTrain, jitter));
  CHECK(text.err == "");
  CHECK(text.out.find("  mean of 4 replicas, seeds 5 to 8;") != text.out.npos);
  CHECK(text.out.find("95 % interval") != text.out.npos);
}

TEST_CASE("train loses a rank and goes on from a checkpoint") {
  const Arguments lost =
      with(kTrain, {"--fault", "step 7 at 50 ms rank:3", "--recovery", "restore", "--detect",
                    "10 s", "--checkpoint-every", "5", "--checkpoint", "1 s"});
  const auto json = json_of(syncsim(with(lost, {"--format", "json", "--mtbf", "1 day"})));
  CHECK(json["fault"]["steps_again"] == 2);
  CHECK(json["fault"]["lost_us"].get<double>() ==
        doctest::Approx(11'050'000 + 2 * json["step_us"].get<double>()).epsilon(1e-12));
  CHECK(json["goodput"]["of"] == "run");
  CHECK(json["goodput"]["goodput"] > 0.5);
  CHECK(syncsim(with(kTrain, {"--fault", "rank:9"})).err ==
        "syncsim: --fault: rank 9 is not in the run; name ranks of the run, 0 to 3\n");
}

TEST_CASE("train draws its steps into a trace, and says what a step is made of when asked") {
  const TemporaryFolder folder;
  Arguments arguments = with(kTrain, {"--format", "json", "--steps", "2", "--loading", "77 MB"});
  CHECK(json_of(syncsim(arguments))["critical_path"].is_null());
  const Outcome drawn = syncsim(with(arguments, {"--trace", "t.json"}), folder.path());
  CHECK(json_of(drawn)["critical_path"].is_null());
  const TraceJson trace = TraceJson::parse(read_text(folder.path() + "/t.json"));
  check_trace(trace);
  std::size_t computes = 0;
  for (const TraceJson& event : events_of(trace, "X"))
    if (event["name"] == "forward classifier.6") ++computes;
  CHECK(computes == 4 * 2);
  const auto json = json_of(syncsim(with(arguments, {"--critical-path"})));
  CHECK(json["critical_path"]["time_us"].get<double>() ==
        doctest::Approx(json["step_us"].get<double>()).epsilon(1e-6));
  const Outcome text = syncsim(with(kTrain, {"--critical-path"}));
  CHECK(text.out.find("\n critical path   ") != text.out.npos);
}

TEST_CASE("a trace of steps is written over nothing that they read") {
  const TemporaryFolder folder;
  folder.write("s.json", "{}");
  folder.write("m.json", "{}");
  check_refused(syncsim({"train", "s.json", "--trace", "./s.json"}, folder.path()),
                "--trace: \"./s.json\" is what SCENARIO reads; name another file");
  check_refused(syncsim({"train", "--topology", "pcie_4gpu", "--strategy", "ring", "--model",
                         "m.json", "--trace", "m.json"},
                        folder.path()),
                "--trace: \"m.json\" is what --model reads; name another file");
}

TEST_CASE("train says what it lacks and what is wrong") {
  const auto refused = [](const Arguments& arguments) {
    const Outcome outcome = syncsim(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out == "");
    return outcome.err;
  };
  CHECK(refused({"train", "--topology", "pcie_4gpu", "--strategy", "ring"}) ==
        "syncsim: a machine, a model and a strategy are needed, or a scenario file; write such as: "
        "syncsim train --topology p3_16xlarge --model resnet50 --strategy ring\n");
  CHECK(refused(with(kTrain, {"--bucket-cap", "25"})).starts_with("syncsim: --bucket-cap: "));
  CHECK(refused(with(kTrain, {"--steps", "none"})) ==
        "syncsim: --steps: \"none\" is no number; write such as 2\n");
  CHECK(
      refused(with(kTrain, {"--jitter", "0.1"})) ==
      "syncsim: --jitter: \"0.1\" is no jitter; write such as lognormal=0.1, \"exponential=2 ms\" "
      "or trace=FILE.csv\n");
  CHECK(refused(with(kTrain, {"--jitter", "lognormal=9"})) ==
        "syncsim: --jitter lognormal: is 9; write a number from 0 to 3, the deviation of the "
        "logarithm\n");
  CHECK(refused(with(kTrain, {"--replicas", "3"})) ==
        "syncsim: --replicas: replicas of steps without chance are all alike; add \"jitter\", "
        "lognormal or exponential\n");
  CHECK(refused({"train", "scenarios/claims/d2l_4_distributed.json"}) ==
        "syncsim: scenarios/claims/d2l_4_distributed.json:/: holds points that are no training "
        "steps; add \"model\" to them\n");
}

}  // namespace syncsim::testing::train_test
