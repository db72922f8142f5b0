// Verdicts written down, as text and as JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenario/verdicts/by_file.h"

namespace syncsim::text_and_json_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::by_file;

Claim passing() {
  return {"s.json", "spread over all GPUs", "a book", "", "time",
          "15 ms",  "15.0000 ms",           "0.1 %",  0,  true};
}

Claim failing() {
  return {"s.json", "spread over all GPUs", "a book", "a note", "busbw",    ">= 13 GB/s", "12 GB/s",
          "",       12.0 / 13 - 1,          false,    true,     "/expect/1"};
}

Claim without_source() {
  return {"t.json", "a claim without a source", "", "", "efficiency", "50 %", "50.00 %", "", 1e-8,
          true};
}

std::string text(const std::vector<Claim>& claims) { return "\n" + claims_text(by_file(claims)); }

Json json(const std::vector<Claim>& claims) { return Json::parse(claims_json(by_file(claims))); }

}  // namespace

TEST_CASE("verdicts as text: a row each, sources and notes as footnotes, the count") {
  CHECK(text({passing(), failing(), without_source()}) == R"(
claim                           source                  expected      simulated   deviation  verdict
spread over all GPUs            [1]               15 ms +- 0.1 %     15.0000 ms         0 %  pass
spread over all GPUs (busbw)    [1][2]                >= 13 GB/s        12 GB/s    -7.692 %  FAIL
  at s.json:/expect/1
a claim without a source                                    50 %        50.00 %    +1e-06 %  pass
  (efficiency)

[1]  a book
[2]  a note
2 passed, 1 failed
)");
}

TEST_CASE("long names and footnotes are broken at blanks") {
  Claim claim = passing();
  claim.name = "a name that is longer than the columns which the table has for it";
  claim.source =
      "a source that takes more than the ninety-five columns that a footnote has, and so is "
      "continued on a second line";
  CHECK(text({claim}) == R"(
claim                           source                  expected      simulated   deviation  verdict
a name that is longer than the  [1]               15 ms +- 0.1 %     15.0000 ms         0 %  pass
  columns which the table has for
  it

[1]  a source that takes more than the ninety-five columns that a footnote has, and so is continued
     on a second line
1 passed, 0 failed
)");
}

TEST_CASE("what is too long for its column stands below, all within a page") {
  Claim crossover = failing();
  crossover.metric = "time";
  crossover.expected = "distributed or packed_trees";
  crossover.actual = "the first from 669 kB on, not the second";
  crossover.deviation = NAN;
  crossover.source = "";
  crossover.note = "";
  CHECK(text({crossover}) == R"(
claim                           source                  expected      simulated   deviation  verdict
spread over all GPUs                                                                      -  FAIL
  expected: distributed or packed_trees
  simulated: the first from 669 kB on, not the second
  at s.json:/expect/1

0 passed, 1 failed
)");
}

TEST_CASE("no line is wider than a page, of a hundred sources and of huge figures either") {
  std::vector<Claim> claims(120, failing());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claims[i].name = std::string(i, 'x');
    claims[i].source = std::to_string(i) + std::string(200, 'y');
    claims[i].expected = std::string(3 * i, '9') + " us";
    claims[i].actual = std::string(i, '9') + " us";
    claims[i].deviation = -123456789012.0;
  }
  std::istringstream lines(claims_text(by_file(claims)));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find("99999") == line.npos) widest = std::max(widest, line.size());
  CHECK(widest == 100);
}

TEST_CASE("a word longer than a line is broken where the line ends") {
  Claim claim = passing();
  claim.name = std::string(45, 'x');
  CHECK(text({claim}).find("\n" + std::string(31, 'x') + " [1]") != std::string::npos);
  CHECK(text({claim}).find("\n  " + std::string(14, 'x') + "\n") != std::string::npos);
}

TEST_CASE("characters are counted and kept whole, not bytes") {
  Claim claim = passing();
  claim.name.clear();
  for (int i = 0; i < 45; ++i) claim.name += "\u00fc";  // two bytes each
  std::string first;
  for (int i = 0; i < 31; ++i) first += "\u00fc";
  CHECK(text({claim}).find("\n" + first + " [1]") != std::string::npos);
  claim.name = "\u00fc";
  CHECK(text({claim}).find("\n\u00fc" + std::string(31, ' ') + "[1]") != std::string::npos);
}

TEST_CASE("an infinite deviation is no number: a dash as text, null as JSON") {
  Claim claim = failing();
  claim.deviation = HUGE_VAL;
  CHECK(text({claim}).find("12 GB/s           -  FAIL") != std::string::npos);
  CHECK(json({claim})["claims"][0]["deviation"].is_null());
}

TEST_CASE("the noise of a division is no deviation") {
  CHECK(deviation_text(-1.11e-16) == "0 %");
  CHECK(deviation_text(2e-11) == "+2e-09 %");
}

TEST_CASE("no claims: nothing passed, nothing failed") {
  CHECK(text({}) == R"(
claim                           source                  expected      simulated   deviation  verdict

0 passed, 0 failed
)");
  CHECK(json({}) == Json{{"claims", Json::array()}, {"passed", 0}, {"failed", 0}});
}

TEST_CASE("verdicts as JSON: the claims, how many passed and failed, and a newline") {
  CHECK(claims_json(by_file({passing()})).ends_with("}\n"));
  const Json written = json({passing(), failing(), without_source()});
  CHECK(written["passed"] == 2);
  CHECK(written["failed"] == 1);
  CHECK(written["passed"].is_number_integer());
  REQUIRE(written["claims"].size() == 3);
  CHECK(written["claims"][0] == Json::parse(R"({
    "file": "s.json", "name": "spread over all GPUs", "source": "a book", "note": "",
    "metric": "time", "expected": "15 ms", "actual": "15.0000 ms", "tolerance": "0.1 %", "deviation": 0.0,
    "passed": true, "pointer": ""})"));
  CHECK(written["claims"][1]["note"] == "a note");
  CHECK(written["claims"][1]["passed"] == false);
  CHECK(written["claims"][1]["deviation"].get<double>() ==
        doctest::Approx(-1.0 / 13).epsilon(1e-12));
}

TEST_CASE("claims that were not run are neither passed nor failed") {
  Claim left = passing();
  left.actual = "-";
  left.deviation = NAN;
  left.decided = false;
  left.passed = false;
  CHECK(text({passing(), left}) == R"(
claim                           source                  expected      simulated   deviation  verdict
spread over all GPUs            [1]               15 ms +- 0.1 %     15.0000 ms         0 %  pass
spread over all GPUs            [1]               15 ms +- 0.1 %              -           -  not run

[1]  a book
1 passed, 0 failed, 1 not run
)");
  const Json written = json({passing(), left});
  CHECK(written["passed"] == 1);
  CHECK(written["failed"] == 0);
  CHECK(written["not_run"] == 1);
  CHECK(written["claims"][1]["passed"].is_null());
  CHECK(!json({passing()}).contains("not_run"));
}

TEST_CASE("files that were refused are counted, and listed as JSON's errors") {
  std::vector<FileVerdict> verdicts = by_file({passing()});
  verdicts.push_back(testing::refused("t.json", "t.json:/bytes", "is negative; write more"));
  CHECK(claims_text(verdicts).ends_with("\n1 passed, 0 failed, 1 file refused\n"));
  const Json written = Json::parse(claims_json(verdicts));
  CHECK(written["claims"].size() == 1);
  CHECK(written["errors"] == Json::parse(R"([{"file": "t.json", "place": "t.json:/bytes",
                         "error": "is negative; write more"}])"));
  CHECK(!json({passing()}).contains("errors"));
  verdicts.push_back(testing::refused("u.json", "", "is gone"));
  CHECK(Tally(verdicts).text() == "1 passed, 0 failed, 2 files refused");
}

}  // namespace syncsim::text_and_json_test
