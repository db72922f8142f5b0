#include "sim/topology/id_range.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/json_support.h"

namespace syncsim::id_range_test {
namespace {

using Ids = std::vector<std::string>;

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { expand_range(text); });
}

std::string malformed(const std::string& text) {
  return '"' + text +
         R"(" has a malformed range; )"
         R"(write the first and last number in brackets, as in "gpu[0-3]")";
}

}  // namespace

TEST_CASE("a range stands for every number between its bounds, which are part of it") {
  CHECK(expand_range("gpu[0-3]") == Ids{"gpu0", "gpu1", "gpu2", "gpu3"});
  CHECK(expand_range("gpu[9-11]") == Ids{"gpu9", "gpu10", "gpu11"});
  CHECK(expand_range("gpu[7-7]") == Ids{"gpu7"});
}

TEST_CASE("text without a range stands for itself") {
  CHECK(expand_range("cpu0") == Ids{"cpu0"});
  CHECK(range_size("cpu0") == 1);
}

TEST_CASE("several ranges multiply, the last one fastest") {
  CHECK(expand_range("node[0-1]/gpu[0-2]x") == Ids{"node0/gpu0x", "node0/gpu1x", "node0/gpu2x",
                                                   "node1/gpu0x", "node1/gpu1x", "node1/gpu2x"});
  CHECK(range_size("a[0-99]b[0-99]c[0-99]") == 1'000'000);
}

TEST_CASE("a size is the number of ids") {
  for (const std::string text : {"gpu[0-3]", "x[5-17]", "a[0-2]b[1-4]", "cpu0"})
    CHECK(range_size(text) == static_cast<std::int64_t>(expand_range(text).size()));
}

TEST_CASE("malformed ranges are refused and told how to be written") {
  for (const std::string text :
       {"gpu[0-3", "gpu0-3]", "gpu[]", "gpu[3]", "gpu[-]", "gpu[0-]", "gpu[-3]", "gpu[a-b]",
        "gpu[0,3]", "gpu[0-3]]", "gpu[[0-3]]", "gpu[0-1-2]", "gpu[0 - 3]", "gpu[+0-3]"})
    CHECK(refusal(text) == malformed(text));
}

TEST_CASE("a range runs upwards and without leading zeros") {
  CHECK(refusal("gpu[3-0]") == R"("gpu[3-0]" has a range that runs backwards; write [0-3])");
  CHECK(refusal("gpu[00-15]") ==
        R"("gpu[00-15]" has a range with leading zeros; write numbers as in "gpu[0-3]")");
}

TEST_CASE("a range is refused from one id above the most nodes, by its size alone") {
  CHECK(range_size("gpu[1-4000000]") == kMostNodes);
  for (const std::string text : {"gpu[0-4000000]", "gpu[0-99999999999]",
                                 "gpu[0-9223372036854775807]", "gpu[0-99999999999999999999]",
                                 "a[0-1999999]b[0-2]", "a[0-99999]b[0-99999]c[0-99999]d[0-99999]"})
    CHECK(refusal(text) ==
          '"' + text + "\" stands for more than 4000000 nodes; one file may hold 4000000");
}

TEST_CASE("an id is at most 200 characters long") {
  CHECK(range_size(std::string(200, 'x')) == 1);
  CHECK(refusal(std::string(201, 'x')) ==
        "a node id of 201 characters is too long; write at most 200");
}

}  // namespace syncsim::id_range_test
