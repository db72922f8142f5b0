// Verdicts as JUnit XML and as annotations of GitHub.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/scenario/verdicts/verdicts.h"
#include "tests/support/temporary_folder.h"

namespace syncsim {
namespace {

Claim claim(const std::string& file, const std::string& name, bool passed) {
  Claim result{file, name, "a book", "", "time", "15 ms", "20.0000 ms", "0.1 %", 1.0 / 3, passed};
  result.pointer = "/expect/1";
  return result;
}

Claim skipped(const std::string& file, const std::string& name) {
  Claim result = claim(file, name, false);
  result.decided = false;
  result.deviation = NAN;
  return result;
}

}  // namespace

TEST_CASE("JUnit: a suite a file, a case a claim, what failed and what was not run") {
  const std::vector<Claim> claims = {claim("claims/a.json", "holds", true),
                                     claim("claims/a.json", "fails", false),
                                     skipped("claims/b.json", "waits")};
  CHECK("\n" + claims_junit(claims) == R"xml(
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="syncsim check" tests="3" failures="1" errors="0" skipped="1">
  <testsuite name="claims/a.json" tests="2" failures="1" errors="0">
    <testcase name="holds" classname="claims.a" />
    <testcase name="fails" classname="claims.a">
      <failure message="expected 15 ms +- 0.1 %, simulated 20.0000 ms (+33.33 %)" type="claim">expected 15 ms +- 0.1 %, simulated 20.0000 ms (+33.33 %)
a book
claims/a.json:/expect/1
</failure>
    </testcase>
  </testsuite>
  <testsuite name="claims/b.json" tests="1" failures="0" errors="0" skipped="1">
    <testcase name="waits" classname="claims.b">
      <skipped />
    </testcase>
  </testsuite>
</testsuites>
)xml");
}

TEST_CASE("JUnit: what XML has no words for is escaped") {
  const std::string text = claims_junit(std::vector{claim("a.json", "<\"&'\x01\xff>", false)});
  const std::size_t name = text.find("<testcase name=");
  REQUIRE(name != std::string::npos);
  CHECK(text.substr(name, text.find(" classname") - name) ==
        "<testcase name=\"&lt;&quot;&amp;'\\x01\\xff>\"");
}

TEST_CASE("GitHub: an error at the claim's line for each that failed, then the count") {
  const testing::TemporaryFolder folder;
  const std::string file =
      folder.write("a.json", "{\"name\": \"x\",\n \"expect\": [\n  {},\n\n  {}\n]}");
  const std::vector<Claim> claims = {claim(file, "holds", true),
                                     claim(file, "100 %: it, fails", false)};
  CHECK(claims_github(claims) ==
        "::error file=" + file +
            ",line=5,title=100 %25%3A it%2C fails::expected 15 ms +- 0.1 %25, simulated 20.0000 ms "
            "(+33.33 %25)\n1 passed, 1 failed\n");
}

TEST_CASE("GitHub: a file that cannot be read again has no line") {
  const std::string text = claims_github(std::vector{claim("gone.json", "fails", false)});
  CHECK(text.starts_with("::error file=gone.json,title=fails::expected"));
}

}  // namespace syncsim
