#include "sim/exec/calibration/hold_out.h"

#include <doctest/doctest.h>

namespace syncsim::hold_out_test {
namespace {

// Which of sizes 1 B, 2 B, ... in this order are held out: "..x..".
std::string held(const std::vector<std::int64_t>& sizes, int every) {
  std::vector<SizedPoint> points;
  for (const std::int64_t size : sizes) points.push_back({"ring", {size}});
  std::string text;
  for (const bool is_held : held_out(points, every)) text += is_held ? 'x' : '.';
  return text;
}

}  // namespace

TEST_CASE("every third size is held out, never the extremes") {
  CHECK(held({1, 2, 3, 4, 5, 6, 7, 8}, 3) == "..x..x..");
  CHECK(held({1, 2, 3, 4, 5, 6}, 3) == "..x...");
  CHECK(held({1, 2, 3, 4}, 2) == ".x..");
  CHECK(held({1, 2, 3, 4, 5}, 2) == ".x.x.");
}

TEST_CASE("as few sizes as k, and k of 0, hold none out") {
  CHECK(held({1, 2, 3}, 3) == "...");
  CHECK(held({1, 2}, 3) == "..");
  CHECK(held({1, 2, 3, 4, 5, 6}, 0) == "......");
}

TEST_CASE("sizes count by their order of magnitude, not of mention, and points of one size alike") {
  CHECK(held({40, 10, 30, 30, 20, 50}, 3) == "..xx..");
}

TEST_CASE("each series has its own sizes") {
  const std::vector<SizedPoint> points = {{"ring", {1}}, {"ring", {2}},
                                          {"ring", {3}}, {"distributed", {3}},
                                          {"ring", {4}}, {"distributed", {4}}};
  CHECK(held_out(points, 3) == std::vector<bool>{false, false, true, false, false, false});
}

}  // namespace syncsim::hold_out_test
