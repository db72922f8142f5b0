#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/rank_list.h"
#include "tests/support/refusal.h"

namespace syncsim::rank_list_test {
namespace {

using Ranks = std::vector<int>;

std::string refusal(std::string_view text) {
  return testing::refusal_of([&] { parse_ranks(text); });
}

std::string bad(const std::string& text, const std::string& why) {
  return "ranks \"" + text + "\": " + why +
         "; write ranks and ranges such as \"0-3\" or \"0,2,5-7\"";
}

}  // namespace

TEST_CASE("ranks are numbers and ranges, in the order in which they stand") {
  CHECK(parse_ranks("0") == Ranks{0});
  CHECK(parse_ranks("0-3") == Ranks{0, 1, 2, 3});
  CHECK(parse_ranks("0,2,4-6") == Ranks{0, 2, 4, 5, 6});
  CHECK(parse_ranks("5,0-1") == Ranks{5, 0, 1});
  CHECK(parse_ranks("2-2") == Ranks{2});
}

TEST_CASE("a range may run downwards") {
  CHECK(parse_ranks("3-0") == Ranks{3, 2, 1, 0});
  CHECK(parse_ranks("1-0,2-3") == Ranks{1, 0, 2, 3});
}

TEST_CASE("no rank stands twice") {
  CHECK(refusal("0,1,0") == bad("0,1,0", "rank 0 stands twice"));
  CHECK(refusal("0-3,2") == bad("0-3,2", "rank 2 stands twice"));
}

TEST_CASE("what is no rank is refused") {
  const std::string missing = "a rank is missing or too large";
  for (const std::string text :
       {"", ",", "0,", "0,,1", "-1", "0--1", "0-", "a", "99999999999", "16777216"}) {
    CAPTURE(text);
    CHECK(refusal(text) == bad(text, missing));
  }
}

TEST_CASE("ranks that follow each other are written as ranges, which are read again") {
  const std::vector<std::size_t> ranks = {0, 1, 2, 6, 8, 9};
  CHECK(ranges_of(ranks) == std::vector<std::string>{"0-2", "6", "8-9"});
  CHECK(ranges_of({}).empty());
  CHECK(parse_ranks("0-2,6,8-9") == Ranks{0, 1, 2, 6, 8, 9});
}

TEST_CASE("what follows a rank is named") {
  CHECK(refusal("0-3x") == bad("0-3x", "unexpected \"x\""));
  CHECK(refusal("0 1") == bad("0 1", "unexpected \" 1\""));
  CHECK(refusal("0-1-2") == bad("0-1-2", "unexpected \"-2\""));
}

}  // namespace syncsim::rank_list_test
