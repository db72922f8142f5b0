// The grids that a scenario's "sweep" makes.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"

namespace syncsim {
namespace {

using testing::read;
using testing::read_refusal;

// The points of a scenario with this sweep.
std::vector<Point> points(const std::string& sweep) {
  return read(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64, "sweep": )" + sweep +
              "}")
      .points;
}

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

std::string refusal(const std::string& sweep) {
  return read_refusal(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64, "sweep": )" +
                      sweep + "}");
}

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
        "s.json:/sweep/bytes: is the number 4; write a list [...], or a range {\"from\": ..., "
        "\"to\": ..., \"factor\": 2}");
  CHECK(refusal(R"({"strategy": {"from": 1, "to": 2}})") ==
        "s.json:/sweep/strategy: is an object; write a list [...]");
  CHECK(refusal(R"({"bytes": [{"from": "1 kB"}]})") ==
        "s.json:/sweep/bytes/0: \"to\" is missing; add \"to\": ...");
  CHECK(refusal(R"({"bytes": ["2 kB..1 kB"]})") ==
        "s.json:/sweep/bytes/0: \"2 kB..1 kB\" is no range; write the smaller size first, above 0, "
        "such as \"1 kB..1 GB\"");
  CHECK(refusal(R"({"ranks": {"from": 0, "to": 2, "step": 1}})") ==
        "s.json:/sweep/ranks: begins with no ranks; write their number, from 1");
  CHECK(refusal(R"({"parameters.": [1]})")
            .starts_with("s.json:/sweep/parameters.: unknown key \"parameters.\""));
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

}  // namespace syncsim
