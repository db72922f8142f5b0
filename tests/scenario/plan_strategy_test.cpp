// Plans in scenarios: a path beside the file, in points, sweeps and claims.

#include <doctest/doctest.h>

#include <fstream>

#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/point_schedule.h"
#include "sim/schedule/schedule_json.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::testing::plan_strategy_test {
namespace {

// Writes the textbook's ring to plans/ring.json of the folder.
void write_ring(const TemporaryFolder& folder) {
  const RunSettings settings{.shelf = SYNCSIM_SHELF};
  const Point point = read(textbook(R"("strategy": "ring")")).points.front();
  const std::string path = folder.write("plans/ring.json", "");
  std::ofstream file(path);
  write_schedule(schedule_of(point, setting_of(point, settings), settings).schedule, file);
}

Scenario scenario_in(const TemporaryFolder& folder, const std::string& text) {
  return read_scenario(JsonFile::load(folder.write("s.json", text)).root());
}

TEST_CASE("a scenario names a plan by the path beside it, and claims select it so") {
  const TemporaryFolder folder;
  write_ring(folder);
  const Scenario scenario =
      scenario_in(folder, textbook(R"("sweep": {"strategy": ["ring", "plan:plans/ring.json"]},
        "expect": [{"where": {"strategy": "plan:plans/ring.json"}, "metric": "time",
                    "value": "15 ms", "tolerance": "0 %"}])"));
  CHECK(scenario.points[1].strategy == "plan:" + folder.path() + "/plans/ring.json");
  const std::vector<Claim> claims = judged(scenario, run_all(scenario));
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].passed);
}

TEST_CASE("a plan that is not there, or no file, is refused") {
  const TemporaryFolder folder;
  const Scenario scenario = scenario_in(folder, textbook(R"("strategy": "plan:none.json")"));
  CHECK(refusal_of([&] { run(scenario.points.front()); }) ==
        scenario.file + ":/strategy: " + folder.path() +
            "/none.json: there is no such file; name a plan: .json or MSCCL .xml");
  CHECK(read_refusal(textbook(R"("strategy": "plan:")")) ==
        "s.json:/strategy: \"plan:\" names no file; write plan:FILE");
}

}  // namespace
}  // namespace syncsim::testing::plan_strategy_test
