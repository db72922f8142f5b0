// syncsim compare: the ranking, as text and JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/cli/program.h"

namespace syncsim::testing::compare_test {

TEST_CASE("compare ranks what does the collective: on the PCIe server spreading ties with rings") {
  const Json json = json_of(
      syncsim({"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB", "--format", "json"}));
  CHECK(json["topology"] == "pcie_4gpu");
  CHECK(json["collective"] == "allreduce");
  CHECK(json["bytes"] == 160'000'000);
  const Json& ranking = json["ranking"];
  REQUIRE(ranking.size() >= 10);
  CHECK(std::is_sorted(ranking.begin(), ranking.end(), [](const Json& a, const Json& b) {
    return a["time_ps"].get<std::int64_t>() < b["time_ps"].get<std::int64_t>();
  }));
  CHECK(ranking.front()["time_ps"] == 15'000'000'000);
  CHECK(ranking.front()["efficiency"] == 1.0);
  const auto cpu = std::find_if(ranking.begin(), ranking.end(),
                                [](const Json& each) { return each["strategy"] == "central_cpu"; });
  REQUIRE(cpu != ranking.end());
  CHECK((*cpu)["time_ps"] == 80'000'000'000);
  for (const Json& left_out : json["left_out"])
    CHECK(left_out["why"].get<std::string>().find("reduce") != std::string::npos);
}

TEST_CASE("compare takes staged reductions, of which plans say by themselves") {
  const Arguments staged = {"compare", "--topology", "p3_textbook", "--ranks", "0-1",
                            "--bytes", "1 MB",       "--reduction", "staged"};
  const Outcome outcome = syncsim(staged);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("staged") != std::string::npos);
  const TemporaryFolder folder;
  REQUIRE(syncsim({"plan", "--topology", "p3_textbook", "--ranks", "0-1", "--strategy", "ring",
                   "--bytes", "1 MB", "--out", "ring.json"},
                  folder.path())
              .exit_code == 0);
  const Outcome planned = syncsim(with(staged, {"--plan", "ring.json"}), folder.path());
  CHECK(planned.exit_code == 2);
  CHECK(planned.err ==
        "syncsim: --reduction: a plan says by itself how it adds up; leave the reduction out\n");
}

TEST_CASE("what cannot run is left out with its reason") {
  const Json json =
      json_of(syncsim({"compare", "--topology", "mi250", "--bytes", "1 MB", "--format", "json"}));
  REQUIRE(!json["left_out"].empty());
  CHECK(json["left_out"][0]["strategy"] == "central_cpu");
  CHECK(json["left_out"][0]["why"].get<std::string>().find("has no CPU") != std::string::npos);
}

TEST_CASE("compare as text: a line each, then the bound") {
  const Outcome outcome = syncsim(
      {"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB", "--collective", "gather"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out.starts_with("pcie_4gpu: gather of 160 MB, 4 ranks, line rates\n"));
  CHECK(outcome.out.find("lower bound: 7.5000 ms (the ports into rank 0 (gpu0))\n") !=
        std::string::npos);
}

TEST_CASE("compare ranks each strategy with the parameters that make it fastest") {
  const Json json =
      json_of(syncsim({"compare", "--topology", "dgx1v", "--bytes", "1 MB", "--format", "json"}));
  const auto ring = std::find_if(json["ranking"].begin(), json["ranking"].end(),
                                 [](const Json& each) { return each["strategy"] == "ring"; });
  REQUIRE(ring != json["ranking"].end());
  CHECK((*ring)["changed_parameters"]["directions"] == "both");
  CHECK((*ring)["parameters"]["directions"] == "both");
  CHECK((*ring)["parameters"]["rings"] == "auto");
  std::set<std::string> strategies;
  for (const Json& each : json["ranking"])
    CHECK(strategies.insert(each["strategy"].get<std::string>()).second);
}

TEST_CASE("compare tells the bounds apart where switches add up for some strategies") {
  const Outcome outcome = syncsim(
      {"compare", "--topology", "hgx_h100", "--bytes", "4 MB", "--collective", "allreduce"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("lower bound of in_network: 8.2305 us (") != std::string::npos);
  CHECK(outcome.out.find(" strategies: 13.6452 us (the ports out of all ranks)\n") !=
        std::string::npos);
}

// A ring in both directions waits for the rank that comes late: 5 ms more.
TEST_CASE("compare takes the conditions that run takes, and says them") {
  const Arguments plain = {"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB"};
  const Arguments more = with(plain, {"--start", "1=5 ms", "--overhead", "1 ms", "--seed", "3",
                                      "--event", "at 5 ms link:gpu0-switch0 bandwidth=8 GB/s"});
  const Outcome text = syncsim(more);
  CHECK(text.exit_code == 0);
  CHECK(
      text.out.starts_with("pcie_4gpu: allreduce of 160 MB, 4 ranks, line rates\n"
                           "  event: at 5 ms link:gpu0-switch0 bandwidth=8 GB/s\n"
                           "  overhead: 1 ms\n  start: rank 1 at 5 ms\n  seed: 3\n"));
  const Json json = json_of(syncsim(with(more, {"--format", "json"})));
  CHECK(json["overhead_us"] == 1000);
  CHECK(json["seed"] == 3);
  CHECK(json["start"][0]["rank"] == 1);
  CHECK(json["events"].size() == 2);
  for (const Json& each : json["ranking"]) {
    Arguments run = with({"run"}, Arguments(more.begin() + 1, more.end()));
    if (each["strategy"] != "distributed" && each["strategy"] != "central_gpu") continue;
    run = with(run, {"--strategy", each["strategy"], "--format", "json"});
    for (const auto& [name, value] : each["changed_parameters"].items())
      run = with(run, {"--param", name + "=" + value.get<std::string>()});
    CHECK(json_of(syncsim(run))["points"][0]["time_ps"] == each["time_ps"]);
  }
}

TEST_CASE("compare over several sizes takes them, too") {
  const Json json = json_of(syncsim({"compare", "--topology", "pcie_2gpu_nop2p", "--bytes",
                                     "1 kB,1 MB", "--start", "1=5 ms", "--format", "json"}));
  for (const Json& size : json["sizes"]) CHECK(size["time_ps"].get<std::int64_t>() > 5'000'000'000);
}

TEST_CASE("compare says that its schedules were not proved") {
  const Outcome outcome = syncsim(
      {"compare", "--topology", "pcie_2gpu_nop2p", "--bytes", "1 kB", "--no-check", "--audit"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("  not checked: ") != std::string::npos);
}

TEST_CASE("compare needs a machine and a size") {
  const Outcome outcome = syncsim({"compare", "--bytes", "1 MB"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "syncsim: a machine and a size are needed; write such as: syncsim compare --topology "
        "dgx1v --bytes \"160 MB\"\n");
}

}  // namespace syncsim::testing::compare_test
