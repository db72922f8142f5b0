#include "sim/base/csv_reader.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace syncsim::csv_reader_test {
namespace {

using Record = std::vector<std::string>;
using Records = std::vector<Record>;

Records records(const std::string& text) {
  std::istringstream input(text);
  CsvReader csv(input, "f.csv");
  Records result;
  while (csv.next()) result.emplace_back(csv.fields().begin(), csv.fields().end());
  return result;
}

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { records(text); });
}

}  // namespace

TEST_CASE("records are lines, fields stand between commas, blanks around them do not count") {
  CHECK(records("a,b\nc , d e\t\n") == Records{{"a", "b"}, {"c", "d e"}});
  CHECK(records("a,,\n,b") == Records{{"a", "", ""}, {"", "b"}});
  CHECK(records("") == Records{});
}

TEST_CASE("line ends of both kinds, a byte order mark, blank lines and comments are tolerated") {
  CHECK(records("\xEF\xBB\xBF# c\r\na,b\r\n\r\n \t\n  # d,e\nf,g") ==
        Records{{"a", "b"}, {"f", "g"}});
}

TEST_CASE("a field in quotes may hold commas, blanks, doubled quotes, a leading #") {
  CHECK(records(R"("a,b", " c ",d)") == Records{{"a,b", " c ", "d"}});
  CHECK(records(R"("say ""a""","",x)") == Records{{R"(say "a")", "", "x"}});
  CHECK(records(R"("#1",2)") == Records{{"#1", "2"}});
}

TEST_CASE("lines are counted as an editor counts them") {
  std::istringstream input("# c\n\na\nb\n");
  CsvReader csv(input, "f.csv");
  REQUIRE(csv.next());
  CHECK(csv.place() == "f.csv:3");
  REQUIRE(csv.next());
  CHECK(csv.line() == 4);
  CHECK_FALSE(csv.next());
}

TEST_CASE("what RFC 4180 does not allow is refused at its line") {
  CHECK(refusal("a\nb,\"c\n") ==
        "f.csv:2: the quote of field 2 is not closed; close it on the same line");
  CHECK(refusal("a\"b\"") == R"(f.csv:1: field 1, "a"b"", has a quote in it; )"
                             "put the whole field in quotes, and double the quotes in it");
  CHECK(refusal("x,\"a\"b,c") == R"(f.csv:1: field 2 goes on with "b" behind its quote; )"
                                 "double the quotes in a field, and end it with a comma");
}

TEST_CASE("a line has at most 64 KiB") {
  const std::string longest(CsvReader::kLongestLine, 'x');
  CHECK(records(longest + "\ny") == Records{{longest}, {"y"}});
  CHECK(records(longest) == Records{{longest}});
  CHECK(refusal("a\n" + longest + "xx\n") ==
        "f.csv:2: the line is longer than 65536 bytes; end each record with a line break");
}

}  // namespace syncsim::csv_reader_test
