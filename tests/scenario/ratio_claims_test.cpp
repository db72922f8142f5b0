// Claims of ratios, on the textbook's times: 60 ms through one GPU, 80 through the CPU, 15 spread.

#include <doctest/doctest.h>

#include <string>

#include "tests/scenario/scenarios.h"

namespace syncsim::ratio_claims_test {
namespace {

std::string claimed(const std::string& claim) {
  return testing::textbook(R"("sweep": {"strategy": ["central_gpu", "central_cpu", "distributed"]},
                              "expect": [)" +
                           claim + "]");
}

Claim verdict(const std::string& claim) {
  return testing::judged(claimed(R"({"metric": "time", )" + claim + "}")).at(0);
}

const std::string kGpuOverSpread =
    R"("of": {"strategy": "central_gpu"}, "over": {"strategy": "distributed"}, )";

}  // namespace

TEST_CASE("a ratio is a value within its tolerance") {
  const Claim four = verdict(kGpuOverSpread + R"("value": 4, "tolerance": "0 %")");
  CHECK(four.passed);
  CHECK(four.expected == "factor 4");
  CHECK(four.actual == "factor 4.0000");
  CHECK(four.deviation == 0);
  CHECK(verdict(kGpuOverSpread + R"("value": 4.04, "tolerance": "1 %")").passed);
  CHECK(verdict(kGpuOverSpread + R"("value": 4.5, "tolerance": 0.5)").passed);
  CHECK_FALSE(verdict(kGpuOverSpread + R"("value": 4.5, "tolerance": 0.4)").passed);
}

TEST_CASE("a ratio has bounds, and their own value passes") {
  CHECK(verdict(kGpuOverSpread + R"("at_least": 4)").passed);
  CHECK(verdict(kGpuOverSpread + R"("at_most": 4)").passed);
  CHECK_FALSE(verdict(kGpuOverSpread + R"("at_least": 4.01)").passed);
  const Claim most = verdict(kGpuOverSpread + R"("at_most": 3.99)");
  CHECK_FALSE(most.passed);
  CHECK(most.expected == "<= factor 3.99");
}

TEST_CASE("of several points the worst pair decides a ratio") {
  // 15, 60 and 80 over 15: 1 to 5.33
  const std::string all = R"("of": {}, "over": {"strategy": "distributed"}, )";
  CHECK(verdict(all + R"("at_least": 1)").passed);
  CHECK(verdict(all + R"("at_least": 2)").actual == "factor 1.0000");
  CHECK(verdict(all + R"("at_most": 5)").actual == "factor 5.3333");
  CHECK(verdict(all + R"("value": 2, "tolerance": "1 %")").actual == "factor 5.3333");
  CHECK(verdict(all + R"("value": 5, "tolerance": "1 %")").actual == "factor 1.0000");
}

TEST_CASE("where narrows both sides of a ratio, and of a comparison") {
  CHECK(verdict(R"("of": {"strategy": "central_gpu"}, "over": {}, "value": 1, "tolerance": "0 %",
                   "where": {"strategy": "central_gpu"})")
            .passed);
  CHECK(verdict(R"("of": {"strategy": "distributed"}, "less_than": {"strategy": "central_gpu"},
                   "where": {"topology": "pcie_4gpu"})")
            .passed);
}

TEST_CASE("a ratio needs both sides, and figures without a unit") {
  const std::string at = "s.json:/expect/0";
  const auto refusal = [](const std::string& claim) {
    return testing::refusal(claimed(R"({"metric": "time", )" + claim + "}"));
  };
  CHECK(refusal(R"("of": {}, "value": 4, "tolerance": "1 %")") ==
        at + ": \"over\" is missing; add \"over\": {\"strategy\": \"ring\"}");
  CHECK(refusal(R"("over": {}, "at_most": 4)") ==
        at + ": \"of\" is missing; add \"of\": {\"strategy\": \"ring\"}");
  CHECK(refusal(R"("of": {}, "over": {}, "value": 4)") ==
        at + ": \"tolerance\" is missing; add \"tolerance\": \"0.1 %\"");
  CHECK(refusal(R"("of": {}, "over": {"ranks": 3}, "at_most": 4)") ==
        at + "/over/ranks: selects no point: none has ranks \"3\"; choose one of 4");
  CHECK(refusal(R"("of": {}, "less_than": {}, "at_most": 4)") ==
        at + ": has both \"at_most\" and \"less_than\"; make it two claims");
  CHECK(refusal(R"("of": {}, "over": {}, "at_least": -1)") ==
        at + "/at_least: is not above zero; write a factor above 0");
  // Nothing passes the CPU's link but what is added up there.
  CHECK(
      testing::refusal(claimed(R"({"metric": "link.switch0>cpu0.bytes", "at_least": 1,
            "of": {"strategy": "central_cpu"}, "over": {"strategy": "distributed"}})")) ==
      at +
          "/over: has a ratio over 0 B; select points of which link.switch0>cpu0.bytes is above 0");
}

TEST_CASE("equal times differ by a factor of 1 to within any tolerance") {
  CHECK(verdict(R"("of": {"strategy": "distributed"}, "less_than": {"strategy": "distributed"},
                   "by_factor": 1, "tolerance": "0 %")")
            .passed);
  CHECK_FALSE(verdict(R"("of": {"strategy": "distributed"},
                         "less_than": {"strategy": "distributed"}, "by_factor": 1)")
                  .passed);
}

}  // namespace syncsim::ratio_claims_test
