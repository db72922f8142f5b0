// Choices among strategies, asked for like a strategy.

#include "sim/scenario/select.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <future>

#include "tests/scenario/scenarios.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::select_test {
namespace {

using testing::read;
using testing::refusal;
using testing::textbook;

Report auto_on(const std::string& fields) {
  return testing::run(read(R"({"strategy": "auto", )" + fields + "}").points.at(0));
}

}  // namespace

TEST_CASE("auto is no slower than any strategy at its defaults, whatever machine and collective") {
  for (const std::string machine : {"pcie_4gpu", "v100_quad", "pcie_2gpu_nop2p"}) {
    for (const std::string kind : {"allreduce", "broadcast", "all-to-all"}) {
      const std::string fields =
          R"("topology": ")" + machine + R"(", "collective": ")" + kind + R"(", "bytes": "96 kB")";
      const Time best = auto_on(fields).time;
      for (const Strategy& strategy : strategies().rows()) {
        if (!does(strategy, parse_collective(kind))) continue;
        if (!testing::applies(strategy, testing::shelf_machine(machine))) continue;
        CAPTURE(machine + " " + kind + " " + std::string(strategy.name));
        CHECK(best <= testing::run(read(R"({"strategy": ")" + std::string(strategy.name) +
                                        R"(", )" + fields + "}")
                                       .points.at(0))
                          .time);
      }
    }
  }
}

TEST_CASE("auto's report says what it chose, and what it tried") {
  const Report report = auto_on(R"("topology": "mi300x", "bytes": "1 kB")");
  CHECK(report.facts.strategy == "auto");
  CHECK(report.facts.parameters.empty());
  REQUIRE(report.facts.choice);
  CHECK(report.facts.choice->strategy == "one_shot");
  CHECK(report.facts.choice->parameters ==
        std::map<std::string, std::string>{{"order", "together"}});
  CHECK(report.facts.strategy_text() == "auto: one_shot");
  CHECK(report.facts.choice->tried.front().time == report.time);
  CHECK(!report.critical_path.empty());
}

TEST_CASE("auto chooses the same whatever runs beside it") {
  const auto tried = [] {
    std::vector<std::optional<Time>> times;
    const Report report = auto_on(R"("topology": "v100_quad", "bytes": "1 MB")");
    for (const Tried& each : report.facts.choice->tried) times.push_back(each.time);
    return std::pair(report.facts.strategy_text(), times);
  };
  const auto alone = tried();
  std::vector<std::future<decltype(tried())>> others;
  for (int i = 0; i < 3; ++i) others.push_back(std::async(std::launch::async, tried));
  for (auto& other : others) CHECK((other.get() == alone));
}

TEST_CASE("auto runs with what the point has: edits, events, ranks and overhead") {
  const auto time_with = [](const std::string& fields) {
    return auto_on(R"("topology": {"kind": "star", "gpus": 4, "link": {"kind": "pcie",
                      "bandwidth": "16 GB/s"}}, "bytes": "160 MB")" +
                   fields)
        .time;
  };
  CHECK(time_with("") == Time{15'000'000'000});
  CHECK(time_with(R"(, "edits": ["scale kind:pcie bandwidth 0.5"])") == Time{30'000'000'000});
  CHECK(time_with(R"(, "ranks": "0-1")") == Time{10'000'000'000});
  CHECK(time_with(R"(, "events": ["at 5 ms kind:pcie bandwidth=8 GB/s"])") == Time{25'000'000'000});
  CHECK(time_with(R"(, "overhead": "1 us")") == Time{15'002'000'000});
}

TEST_CASE("a choice takes no parameters and no rings") {
  CHECK(refusal(textbook(R"("strategy": {"name": "auto", "parameters": {"chunks": 4}})")) ==
        "s.json:/strategy/parameters/chunks: auto takes no parameter, \"chunks\" neither; leave it "
        "out, or name a strategy");
  const testing::TemporaryFolder folder;
  folder.write("rings.txt", "0,1,2,3");
  const std::string path =
      folder.write("s.json", textbook(R"("strategy": "auto", "rings": "rings.txt")"));
  CHECK(testing::refusal_of([&] {
          testing::run(read_scenario(JsonFile::load(path).root()).points.at(0));
        }) == path + ":/rings: auto takes no file of rings; name the strategy \"ring\"");
}

TEST_CASE("where no strategy can run, the first refusal is told") {
  CHECK(refusal(textbook(R"("strategy": "auto", "executor": "simulatd")")) ==
        "s.json:/strategy: no strategy can run here; binary_tree says: s.json:/executor: unknown "
        "executor \"simulatd\"; did you mean \"simulated\"?; mend that, or name a strategy");
}

TEST_CASE("misspelt, a choice is a name that is meant as well as a strategy's") {
  CHECK(testing::refusal_of([] { require_strategy_name("auot"); }) ==
        "unknown strategy \"auot\"; did you mean \"auto\"?");
  CHECK(testing::refusal_of([] { require_strategy_name("rign"); }) ==
        "unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(testing::refusal_of([] { require_strategy_name("auto"); }) == "accepted");
  const std::vector<std::string> names = strategy_names();
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("a claim of a choice: one of the strategies named") {
  const auto verdict = [](const std::string& expect) {
    const std::vector<Claim> claims = testing::judged(
        R"({"topology": "mi300x", "strategy": "auto", "bytes": "1 kB", "name": "tiny",
            "expect": [)" +
        expect + "]}");
    REQUIRE(claims.size() == 1);
    return claims[0];
  };
  const Claim good = verdict(R"({"chosen": ["ring", "one_shot"]})");
  CHECK(good.passed);
  CHECK(good.expected == "ring or one_shot");
  CHECK(good.actual == "one_shot");
  CHECK(good.metric == "chosen");
  CHECK(!verdict(R"({"chosen": "ring"})").passed);
}

TEST_CASE("claims of choices are refused where nothing chooses, and for unknown names") {
  const auto told = [](const std::string& strategy, const std::string& expect) {
    return refusal(textbook(R"("strategy": ")" + strategy + R"(", "expect": [)" + expect + "]"));
  };
  CHECK(told("ring", R"({"chosen": "ring"})") ==
        "s.json:/expect/0: speaks of a point that chooses nothing; select points whose strategy is "
        "\"auto\"");
  CHECK(told("auto", R"({"chosen": "rign"})") ==
        "s.json:/expect/0/chosen: unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(told("auto", R"({"chosen": []})") ==
        "s.json:/expect/0/chosen: is empty; name at least one strategy");
  CHECK(told("auto", R"({"chosen": "ring", "metric": "time"})") ==
        "s.json:/expect/0/metric: unknown key \"metric\"; choose one of name, source, note, "
        "chosen, where");
}

}  // namespace syncsim::select_test
