#include "sim/base/named_table.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::named_table_test {
namespace {

using testing::refusal_of;

struct Row {
  std::string_view name;
  std::string_view description;
};

NamedTable<Row> strategies() {
  return {"strategy", {{"tree", "t"}, {"ring", "r"}, {"central_cpu", "c"}}};
}

std::vector<std::string> letters(char last) {
  std::vector<std::string> names;
  for (char c = 'a'; c <= last; ++c) names.emplace_back(8, c);
  return names;
}

TEST_CASE("the closest name is the one of least edit distance: replaced, dropped, added, swapped") {
  const std::vector<std::string> names = {"bandwidth", "between", "latency"};
  CHECK(closest("bandwidth", names) == "bandwidth");
  CHECK(closest("bandwith", names) == "bandwidth");
  CHECK(closest("bandwwidth", names) == "bandwidth");
  CHECK(closest("betwean", names) == "between");
  CHECK(closest("ltaency", names) == "latency");
}

TEST_CASE("case does not matter to closeness") {
  CHECK(closest("LATENCY", {"bandwidth", "latency"}) == "latency");
  CHECK(closest("gb/S", {"MB/s", "GB/s"}) == "GB/s");
}

TEST_CASE("a name is close within a third of its length") {
  CHECK(closest("abcdef", {"abcdxy"}) == "abcdxy");
  CHECK(closest("abcdef", {"abcxyz"}) == "");
  CHECK(closest("abcdefghi", {"abcdefxyz"}) == "abcdefxyz");
  CHECK(closest("abcdefghi", {"abcdewxyz"}) == "");
}

TEST_CASE("short names may differ by one edit, but keep a character") {
  CHECK(closest("ab", {"ax"}) == "ax");
  CHECK(closest("ab", {"xy"}) == "");
  CHECK(closest("a", {"ab"}) == "ab");
  CHECK(closest("a", {"b"}) == "");
  CHECK(closest("", {"b"}) == "");
}

TEST_CASE("of equally close names the earlier one is meant") {
  CHECK(closest("rang", {"rung", "ring"}) == "rung");
  CHECK(closest("rang", {"ring", "rung"}) == "ring");
}

TEST_CASE("nothing is close to no names, or to a name of more than 200 bytes") {
  CHECK(closest("ring", {}) == "");
  CHECK(closest(std::string(200, 'a'), {std::string(200, 'a')}) == std::string(200, 'a'));
  CHECK(closest(std::string(201, 'a'), {std::string(201, 'a')}) == "");
}

TEST_CASE("an unknown name asks for the closest one") {
  CHECK(std::string(unknown_name("strategy", "rign", {"central_cpu", "ring"}).what()) ==
        R"(unknown strategy "rign"; did you mean "ring"?)");
}

TEST_CASE("an unknown name close to none lists the choices, at most 12") {
  CHECK(std::string(unknown_name("strategy", "zzz", {}).what()) ==
        R"(unknown strategy "zzz"; there are none)");
  CHECK(unknown_name("letter", "zzz", letters('l')).right() ==
        "choose one of aaaaaaaa, bbbbbbbb, cccccccc, dddddddd, eeeeeeee, ffffffff, gggggggg, "
        "hhhhhhhh, iiiiiiii, jjjjjjjj, kkkkkkkk, llllllll");
  CHECK(unknown_name("letter", "zzz", letters('m')).right() ==
        "choose one of aaaaaaaa, bbbbbbbb, cccccccc, dddddddd, eeeeeeee, ffffffff, gggggggg, "
        "hhhhhhhh, iiiiiiii, jjjjjjjj, kkkkkkkk, llllllll, ...");
}

TEST_CASE("an unknown name is named on one line") {
  CHECK(std::string(unknown_name("key", "a\nb", {"x"}).what()) ==
        R"(unknown key "a\nb"; choose one of x)");
}

TEST_CASE("a table is sorted by name") {
  CHECK(strategies().names() == std::vector<std::string>{"central_cpu", "ring", "tree"});
  CHECK(strategies().rows().front().description == "c");
  CHECK(strategies().what() == "strategy");
}

TEST_CASE("a table finds its rows by their exact names") {
  const NamedTable<Row> table = strategies();
  CHECK(table.find("ring") == &table.rows()[1]);
  CHECK(table.find("Ring") == nullptr);
  CHECK(&table.at("tree") == &table.rows()[2]);
}

TEST_CASE("a table refuses an unknown name, naming its kind of thing") {
  CHECK(refusal_of([] { strategies().at("treee"); }) ==
        R"(unknown strategy "treee"; did you mean "tree"?)");
  CHECK(refusal_of([] { strategies().at("butterfly"); }) ==
        R"(unknown strategy "butterfly"; choose one of central_cpu, ring, tree)");
}

}  // namespace
}  // namespace syncsim::named_table_test
