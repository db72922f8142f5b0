// How reports tell a choice among strategies.

#include "sim/report/choice.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/report/formats.h"
#include "sim/report/winners.h"
#include "tests/report/reports.h"

namespace syncsim::choice_test {
namespace {

using Json = nlohmann::ordered_json;

Choice ring_of_four() {
  return {"ring",
          {{"chunks", "8"}, {"rings", "auto"}},
          {{"chunks", "8"}},
          {{"ring", {{"chunks", "8"}}, Time{1'000'000}, ""},
           {"ring", {}, Time{1'500'000}, ""},
           {"swing", {}, Time{2'000'000}, ""},
           {"central_cpu", {}, {}, "there is no CPU"}}};
}

Report chosen_report() {
  Report report = testing::textbook_report();
  report.facts.strategy = "auto";
  report.facts.parameters.clear();
  report.facts.choice = ring_of_four();
  return report;
}

Report won(const std::string& strategy, std::int64_t bytes) {
  Report report = testing::textbook_report();
  report.facts.strategy = strategy;
  report.facts.collective.bytes = {bytes};
  return report;
}

Winners two_winners() {
  return {{won("ring", 1'000), won("swing", 4'000)}, {{won("ring", 2'000), won("swing", 2'080)}}};
}

}  // namespace

TEST_CASE("text: what was chosen, of how many, and the best of the next strategies") {
  CHECK(choice_text(ring_of_four()) == "the fastest of 4 candidates; next swing 2.0000 us");
  CHECK(choice_text({"ring", {}, {}, {{"ring", {}, Time{1}, ""}}}) == "the fastest of 1 candidate");
  Choice slow = ring_of_four();  // others that were cut short may lie between
  slow.tried[2].time = Time{2'000'002};
  CHECK(choice_text(slow) == "the fastest of 4 candidates");
  const Report report = chosen_report();
  const std::string text = write_text({&report, 1}, {});
  CHECK(text.find("\nauto: ring chunks=8 ") != std::string::npos);
  CHECK(text.find("\n  the fastest of 4 candidates; next swing 2.0000 us\n") != std::string::npos);
}

TEST_CASE("JSON: chosen and candidates, null and empty where nothing was chosen") {
  const Report report = chosen_report();
  const Json point = Json::parse(write_json({&report, 1}, {}))["points"][0];
  CHECK(point["strategy"] == "auto");
  CHECK(point["parameters"].empty());
  CHECK(point["chosen"].dump() ==
        R"({"strategy":"ring","parameters":{"chunks":"8","rings":"auto"}})");
  REQUIRE(point["candidates"].size() == 4);
  CHECK(
      point["candidates"][0].dump() ==
      R"({"strategy":"ring","parameters":{"chunks":"8"},"time_ps":1000000,"time_us":1.0,"why":""})");
  CHECK(point["candidates"][3].dump() ==
        R"({"strategy":"central_cpu","parameters":{},"time_ps":null,"time_us":null,)"
        R"("why":"there is no CPU"})");
  const Report plain = testing::textbook_report();
  const Json other = Json::parse(write_json({&plain, 1}, {}))["points"][0];
  CHECK(other["chosen"].is_null());
  CHECK(other["candidates"].empty());
}

TEST_CASE("winners as text: a line a size, then the crossovers") {
  const std::string text = winners_text(two_winners());
  CHECK(text.starts_with("pcie_4gpu: allreduce, 4 ranks, line rates\n"));
  CHECK(text.find("\n      1 kB  ring ") != std::string::npos);
  CHECK(text.ends_with("\ncrossovers, to within 5 %:\n  up to 2 kB ring, from 2080 B swing\n"));
  CHECK(winners_text({{won("ring", 1'000)}, {}}).ends_with("\ncrossovers, to within 5 %: none\n"));
  CHECK(winners_text({}) == "");
}

TEST_CASE("winners as JSON and CSV: sizes ascend, those beside crossovers are rows of the CSV") {
  const Json json = Json::parse(winners_json(two_winners()));
  CHECK(json["topology"] == "pcie_4gpu");
  CHECK(json["sizes"].size() == 2);
  CHECK(json["sizes"][0]["bytes"] == 1'000);
  CHECK(json["sizes"][0]["strategy"] == "ring");
  CHECK(json["crossovers"].dump() ==
        R"([{"below_bytes":2000,"below_strategy":"ring","above_bytes":2080,)"
        R"("above_strategy":"swing"}])");
  CHECK(json["crossover_factor"] == kCrossoverFactor);
  CHECK(winners_csv(two_winners()) ==
        "bytes,strategy,changed_parameters,time_ps,time_us,algbw_GBps,busbw_GBps,bound_us,"
        "bound_kind,efficiency,busiest_link,utilization\n"
        "1000,ring,,60000000000,60000,2.66666666667,4,15000,ports,0.25,gpu0>switch0,0.5\n"
        "2000,ring,,60000000000,60000,2.66666666667,4,15000,ports,0.25,gpu0>switch0,0.5\n"
        "2080,swing,,60000000000,60000,2.66666666667,4,15000,ports,0.25,gpu0>switch0,0.5\n"
        "4000,swing,,60000000000,60000,2.66666666667,4,15000,ports,0.25,gpu0>switch0,0.5\n");
}

}  // namespace syncsim::choice_test
