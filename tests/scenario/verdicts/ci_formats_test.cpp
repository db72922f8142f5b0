// Verdicts as JUnit XML and as annotations of GitHub.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/scenario/verdicts/by_file.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::ci_formats_test {
namespace {

using testing::by_file;
using testing::refused;

// How often the text holds it.
std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

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
  CHECK("\n" + claims_junit(by_file(claims)) == R"xml(
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="syncsim check" tests="3" failures="1" errors="0">
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
  const std::string text = claims_junit(by_file({claim("a.json", "<\"&'\x01\xff>", false)}));
  const std::size_t name = text.find("<testcase name=");
  REQUIRE(name != std::string::npos);
  CHECK(text.substr(name, text.find(" classname") - name) ==
        "<testcase name=\"&lt;&quot;&amp;'\\x01\\xff>\"");
  const std::string no_characters =
      claims_junit(by_file({claim("a.json", "\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", true)}));
  CHECK(no_characters.find("name=\"\xef\xbf\xbd\\xef\\xbf\\xbe\\xef\\xbf\\xbf\" ") !=
        std::string::npos);
}

TEST_CASE("GitHub: an error at the claim's line for each that failed, then the count") {
  const testing::TemporaryFolder folder;
  const std::string file =
      folder.write("a.json", "{\"name\": \"x\",\n \"expect\": [\n  {},\n\n  {}\n]}");
  const std::vector<Claim> claims = {claim(file, "holds", true),
                                     claim(file, "100 %: it, fails", false)};
  CHECK(claims_github(by_file(claims)) ==
        "::error file=" + file +
            ",line=5,title=100 %25%3A it%2C fails::expected 15 ms +- 0.1 %25, simulated 20.0000 ms "
            "(+33.33 %25)\n1 passed, 1 failed\n");
}

TEST_CASE("GitHub: a file that cannot be read again has no line") {
  const std::string text = claims_github(by_file({claim("gone.json", "fails", false)}));
  CHECK(text.starts_with("::error file=gone.json,title=fails::expected"));
}

TEST_CASE("JUnit: equal titles in a file get a number, in others they are themselves") {
  std::vector<Claim> claims = {claim("a.json", "latency", true), claim("a.json", "latency", true),
                               claim("a.json", "latency #2", true),
                               claim("a.json", "latency", true), claim("b.json", "latency", true)};
  claims[3].metric = "busbw";
  const std::string text = claims_junit(by_file(claims));
  CHECK(count_of(text, "name=\"latency\" classname=\"a\"") == 1);
  CHECK(count_of(text, "name=\"latency #2\" classname=\"a\"") == 1);
  CHECK(count_of(text, "name=\"latency #2 #2\" classname=\"a\"") == 1);
  CHECK(count_of(text, "name=\"latency (busbw)\" classname=\"a\"") == 1);
  CHECK(count_of(text, "name=\"latency\" classname=\"b\"") == 1);
}

TEST_CASE("JUnit: a file that was refused is a case with an error, in its place") {
  std::vector<FileVerdict> verdicts = by_file({claim("a.json", "holds", true)});
  verdicts.insert(verdicts.begin(), refused("0.json", "0.json:/bytes", "is < 0; write more"));
  CHECK("\n" + claims_junit(verdicts) == R"xml(
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="syncsim check" tests="2" failures="0" errors="1">
  <testsuite name="0.json" tests="1" failures="0" errors="1">
    <testcase name="0.json" classname="0">
      <error message="is &lt; 0; write more" type="refused">0.json:/bytes: is &lt; 0; write more
</error>
    </testcase>
  </testsuite>
  <testsuite name="a.json" tests="1" failures="0" errors="0">
    <testcase name="holds" classname="a" />
  </testsuite>
</testsuites>
)xml");
}

TEST_CASE("GitHub: an error where a file was refused, if that is in the file") {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("a.json", "{\n\"bytes\": 4}");
  const auto told = [&](const std::string& place) {
    return claims_github(std::vector{refused(file, place, "is wrong; mend it")});
  };
  const std::string end = ": is wrong; mend it\n0 passed, 0 failed, 1 file refused\n";
  const std::string begin = "::error file=" + file;
  CHECK(told(file + ":/bytes") == begin + ",line=2,title=refused::" + file + ":/bytes" + end);
  CHECK(told(file + ":/") == begin + ",line=1,title=refused::" + file + ":/" + end);
  CHECK(told(file + ":3:7") == begin + ",line=3,col=7,title=refused::" + file + ":3:7" + end);
  CHECK(told("machine.json:/nodes") == begin + ",title=refused::machine.json:/nodes" + end);
  CHECK(told(file) == begin + ",title=refused::" + file + end);
}

}  // namespace syncsim::ci_formats_test
