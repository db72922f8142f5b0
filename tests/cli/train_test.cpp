#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace syncsim::testing {
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
  CHECK(refused({"train", "scenarios/claims/d2l_4_distributed.json"}) ==
        "syncsim: scenarios/claims/d2l_4_distributed.json:/: holds points that are no training "
        "steps; add \"model\" to them\n");
}

}  // namespace syncsim::testing
