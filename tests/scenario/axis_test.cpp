// The grids that a scenario's "sweep" makes.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"

namespace syncsim::axis_test {
namespace {

using testing::read;
using testing::read_refusal;

// A scenario with this sweep.
std::string swept(const std::string& sweep) {
  return R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64, "sweep": )" + sweep + "}";
}

// Its points.
std::vector<Point> points(const std::string& sweep) { return read(swept(sweep)).points; }

std::vector<std::int64_t> sizes(const std::string& axis) {
  std::vector<std::int64_t> result;
  for (const Point& point : points(R"({"bytes": )" + axis + "}"))
    result.push_back(point.bytes.count);
  return result;
}

std::vector<std::string> chunks(const std::string& axis) {
  std::vector<std::string> result;
  for (const Point& point : points(R"({"parameters.chunks": )" + axis + "}"))
    result.push_back(point.parameters.at("chunks"));
  return result;
}

std::string refusal(const std::string& sweep) { return read_refusal(swept(sweep)); }

}  // namespace

TEST_CASE("sizes are swept over a range, a list, or a list with ranges in it") {
  using Sizes = std::vector<std::int64_t>;
  CHECK(sizes(R"({"from": "1 kB", "to": "8 kB", "factor": 2})") == Sizes{1000, 2000, 4000, 8000});
  CHECK(sizes(R"("1 kB..16 kB")") == Sizes{1000, 4000, 16000});
  CHECK(sizes(R"(["4 B", "1 kB..2 kB x2", {"from": "1 MB", "to": "3 MB", "step": "1 MB"}, 8])") ==
        Sizes{4, 1000, 2000, 1'000'000, 2'000'000, 3'000'000, 8});
}

TEST_CASE("one parameter is swept by its name, over those that the strategy has") {
  CHECK(chunks(R"([1, "auto", "2..8 x2"])") ==
        std::vector<std::string>{"1", "auto", "2", "4", "8"});
  CHECK(chunks(R"({"from": 1, "to": 3, "step": 1})") == std::vector<std::string>{"1", "2", "3"});
  const Point point =
      read(R"({"topology": "pcie_4gpu", "bytes": 64, "parameters": {"rings": "auto"},
               "strategy": {"name": "ring", "parameters": {"chunks": 2}},
               "sweep": {"parameters.chunks": [4]}})")
          .points.front();
  CHECK(point.parameters == std::map<std::string, std::string>{{"chunks", "4"}, {"rings", "auto"}});
  CHECK(point.parameter_places.at("chunks") == "s.json:/sweep/parameters.chunks/0");
}

TEST_CASE("a parameter's text with dots in it is no range") {
  CHECK(chunks(R"(["../1..2"])") == std::vector<std::string>{"../1..2"});
}

TEST_CASE("a range of ranks is of their number: the machine's first ones") {
  const std::vector<Point> grid = points(R"({"ranks": {"from": 1, "to": 4, "factor": 2}})");
  REQUIRE(grid.size() == 3);
  CHECK(grid[0].ranks == std::vector<int>{0});
  CHECK(grid[1].ranks == std::vector<int>{0, 1});
  CHECK(grid[2].ranks == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("overheads, roots and seeds are swept over ranges, the last key fastest") {
  const std::vector<Point> grid =
      points(R"({"overhead": "1 us..2 us x2", "seed": {"from": 0, "to": 1, "step": 1}})");
  REQUIRE(grid.size() == 4);
  CHECK(grid[1].overhead == Time{1'000'000});
  CHECK(grid[1].seed == 1);
  CHECK(grid[2].overhead == Time{2'000'000});
  CHECK(grid[2].seed == 0);
  CHECK(points(R"({"root": "1..3 +1"})").size() == 3);
}

TEST_CASE("lists of edits are swept, and may have names, by which claims select them") {
  const std::string grid = R"("edits": [[], {"name": "x8 slot",
      "edits": ["link:gpu0-switch0 bandwidth=8 GB/s"]}])";
  const std::vector<Point> two = points("{" + grid + "}");
  REQUIRE(two.size() == 2);
  CHECK(two[0].edits.empty());
  CHECK(two[1].edits_name == "x8 slot");
  REQUIRE(two[1].edits.size() == 1);
  CHECK(two[1].edits[0].place == "s.json:/sweep/edits/1/edits/0");
  const std::vector<Claim> claims = testing::judged(
      R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB", "sweep": {)" + grid +
      R"(}, "expect": [{"metric": "time", "value": "30 ms",
                        "where": {"edits": "x8 slot"}, "tolerance": "0 ps"}]})");
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].passed);
  CHECK(claims[0].name.ends_with("x8 slot"));
}

TEST_CASE("an axis that is no list is refused, by what it may be") {
  CHECK(refusal(R"({"bytes": 4})") ==
        "s.json:/sweep/bytes: is the number 4; write a list [...], or a range such as "
        "\"1 kB..1 GB x2\"");
  CHECK(refusal(R"({"ranks": "0-3"})") ==
        "s.json:/sweep/ranks: \"0-3\" is neither a list nor a range; write [...], or a range such "
        "as \"1..64 x2\"");
  CHECK(refusal(R"({"parameters": {"chunks": [1, 2]}})") ==
        "s.json:/sweep/parameters: is an object; write a list of such objects, or sweep over "
        "\"parameters.NAME\"");
  CHECK(refusal(R"({"edits": ["disable p2p"]})") ==
        "s.json:/sweep/edits/0: is a string; write a list of edits [...], or {\"name\": ..., "
        "\"edits\": [...]}");
  CHECK(refusal(R"({"strategy": {"from": 1, "to": 2}})") ==
        "s.json:/sweep/strategy: is an object; write a list [...]");
  CHECK(refusal(R"({"bytes": [{"from": "1 kB"}]})") ==
        "s.json:/sweep/bytes/0: \"to\" is missing; add \"to\": \"1 GB\"");
  CHECK(refusal(R"({"bytes": ["2 kB..1 kB"]})") ==
        "s.json:/sweep/bytes/0: \"2 kB..1 kB\" is no range: it does not end above its beginning; "
        "write the smaller one first, such as \"1 kB..1 GB\"");
  CHECK(refusal(R"({"ranks": {"from": 0, "to": 2, "step": 1}})") ==
        "s.json:/sweep/ranks: begins with no ranks; write their number, from 1");
  CHECK(refusal(R"({"parameters.": [1]})")
            .starts_with("s.json:/sweep/parameters.: unknown key \"parameters.\""));
}

TEST_CASE("a parameter without its prefix is told with it") {
  CHECK(refusal(R"({"chunks": [1]})") ==
        "s.json:/sweep/chunks: unknown key \"chunks\"; did you mean \"parameters.chunks\"?");
  CHECK(refusal(R"({"parameter.chunks": [1]})") ==
        "s.json:/sweep/parameter.chunks: unknown key \"parameter.chunks\"; did you mean "
        "\"parameters.chunks\"?");
}

TEST_CASE("a point has one size: a range outside of a sweep is refused") {
  CHECK(read_refusal(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "1 kB..1 MB"})") ==
        "s.json:/bytes: \"1 kB..1 MB\" is a range, and a point has one size; move it into "
        "\"sweep\": {\"bytes\": ...}");
}

TEST_CASE("a sweep over a parameter does not replace what a point says of it") {
  CHECK(read_refusal(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64,
                         "points": [{"parameters": {"chunks": 2}}],
                         "sweep": {"parameters.chunks": [4]}})") ==
        "s.json:/sweep/parameters.chunks: sweeps over \"parameters.chunks\", which "
        "s.json:/points/0 sets; set it in one of the two");
}

TEST_CASE("no parameter is set by two fields of a point, be they swept") {
  const auto told = [](const std::string& fields) {
    return read_refusal(R"({"topology": "pcie_4gpu", "bytes": 64, )" + fields + "}");
  };
  const std::string in_one = " sets too; set it in one of the two";
  const std::string ring2 = R"("strategy": {"name": "ring", "parameters": {"chunks": 2}})";
  const std::string chunks4 = R"("parameters": {"chunks": 4})";
  const std::string sweep_of_ring2 =
      R"("strategy": [{"name": "ring", "parameters": {"chunks": 2}}])";
  CHECK(told(R"("points": [{)" + ring2 + R"(}], "sweep": {"parameters.chunks": [4]})") ==
        "s.json:/sweep/parameters.chunks/0: sets the parameter \"chunks\", which "
        "s.json:/points/0/strategy" +
            in_one);
  CHECK(told(R"("points": [{)" + ring2 + R"(}], "sweep": {"parameters": [{}, {"chunks": 4}]})") ==
        "s.json:/sweep/parameters/1: sets the parameter \"chunks\", which "
        "s.json:/points/0/strategy" +
            in_one);
  CHECK(told(R"("sweep": {"parameters.chunks": [4], )" + sweep_of_ring2 + "}") ==
        "s.json:/sweep/strategy/0: sets the parameter \"chunks\", which "
        "s.json:/sweep/parameters.chunks/0" +
            in_one);
  CHECK(told(chunks4 + R"(, "sweep": {)" + sweep_of_ring2 + "}") ==
        "s.json:/sweep/strategy/0: sets the parameter \"chunks\", which s.json:/parameters" +
            in_one);
  CHECK(told(ring2 + ", " + chunks4) ==
        "s.json:/strategy: sets the parameter \"chunks\", which s.json:/parameters" + in_one);
  CHECK(told(chunks4 + R"(, "points": [{)" + ring2 + "}]") ==
        "s.json:/points/0/strategy: sets the parameter \"chunks\", which s.json:/parameters" +
            in_one);
}

TEST_CASE("a sweep lies over the file's own strategy, whatever its parameters") {
  CHECK(read(R"({"topology": "pcie_4gpu", "bytes": 64,
                 "strategy": {"name": "ring", "parameters": {"chunks": 2}},
                 "sweep": {"strategy": [{"name": "ring", "parameters": {"chunks": 4}}, "chain"]}})")
            .points.size() == 2);
}

TEST_CASE("a point's parameters win over those of the file's strategy") {
  const Point point = read(R"({"topology": "pcie_4gpu", "bytes": 64,
      "strategy": {"name": "ring", "parameters": {"chunks": 2}},
      "points": [{"parameters": {"chunks": 4}}]})")
                          .points.front();
  CHECK(point.parameters.at("chunks") == "4");
}

TEST_CASE("a name stands for one list of edits") {
  CHECK(refusal(R"({"edits": [{"name": "a", "edits": []}, [],
                              {"name": "a", "edits": ["disable p2p"]}]})") ==
        "s.json:/sweep/edits/2/name: \"a\" is the name of other edits, at "
        "s.json:/sweep/edits/0/name; give each list of edits its own name");
  const auto points_with = [](const std::string& first, const std::string& second) {
    return R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64, "points": [
        {"edits": {"name": "a", "edits": )" +
           first + R"(}},
        {"edits": {"name": "a", "edits": )" +
           second + "}}]}";
  };
  CHECK(read_refusal(points_with("[]", R"(["disable p2p"])")) ==
        "s.json:/points/1/edits: \"a\" is the name of other edits, at s.json:/points/0/edits; give "
        "each list of edits its own name");
  CHECK(read(points_with(R"(["disable p2p"])", R"([{"disable": "p2p"}])")).points.size() == 2);
}

}  // namespace syncsim::axis_test
