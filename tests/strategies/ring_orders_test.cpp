#include "strategies/ring_orders.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"

namespace syncsim::strategy::ring_orders_test {
namespace {

using testing::refusal_of;

std::string refusal(std::string_view text) {
  return refusal_of([&] { parse_rings(text, 4); });
}

// The message for a ring of four ranks.
std::string bad(const std::string& ring, const std::string& why) {
  return "ring \"" + ring + "\" " + why +
         "; name each of the ranks 0 to 3 once, separated by commas, such as \"0,1,2\" or "
         "\"0,1,2 x2\"";
}

}  // namespace

TEST_CASE("a ring is written as its ranks in order") {
  CHECK(parse_rings("0,3,1,2", 4) == std::vector<Ring>{{{0, 3, 1, 2}, 1}});
  CHECK(parse_rings("0", 1) == std::vector<Ring>{{{0}, 1}});
}

TEST_CASE("a ring may begin at any rank") {
  CHECK(parse_rings("2,0,1,3", 4) == std::vector<Ring>{{{2, 0, 1, 3}, 1}});
}

TEST_CASE("rings are separated by semicolons, each with a multiplicity after its x") {
  CHECK(parse_rings("0,1,2,3 x2; 0,2,1,3;0,1,3,2x1000", 4) ==
        std::vector<Ring>{{{0, 1, 2, 3}, 2}, {{0, 2, 1, 3}, 1}, {{0, 1, 3, 2}, 1000}});
}

TEST_CASE("blanks around ranks, x and semicolons mean nothing") {
  CHECK(parse_rings(" 0 ,1,\t2 , 3  x 2 ; 0,2,1,3 ", 4) ==
        std::vector<Ring>{{{0, 1, 2, 3}, 2}, {{0, 2, 1, 3}, 1}});
}

TEST_CASE("a ring names every rank") {
  CHECK(refusal("0,1,2") == bad("0,1,2", "leaves out rank 3"));
  CHECK(refusal("0,1,2,3; 0,2,3") == bad("0,2,3", "leaves out rank 1"));
}

TEST_CASE("a ring names no rank twice") {
  CHECK(refusal("0,1,2,1,3") == bad("0,1,2,1,3", "names rank 1 twice"));
}

TEST_CASE("a ring names ranks only") {
  CHECK(refusal("0,1,2,4") == bad("0,1,2,4", "names \"4\", which is no rank"));
  CHECK(refusal("0,-1,2,3") == bad("0,-1,2,3", "names \"-1\", which is no rank"));
  CHECK(refusal("0,1,gpu2,3") == bad("0,1,gpu2,3", "names \"gpu2\", which is no rank"));
  CHECK(refusal("0,1,,3") == bad("0,1,,3", "names \"\", which is no rank"));
  CHECK(refusal("0,1,2.5,3") == bad("0,1,2.5,3", "names \"2.5\", which is no rank"));
  CHECK(refusal("0,1,99999999999,3") ==
        bad("0,1,99999999999,3", "names \"99999999999\", which is no rank"));
}

TEST_CASE("an empty ring is no ring") {
  CHECK(refusal("") == bad("", "names \"\", which is no rank"));
  CHECK(refusal("0,1,2,3;") == bad("", "names \"\", which is no rank"));
}

TEST_CASE("there are at most 1,024 rings, counted before they are read") {
  std::string many = "0,1,2,3";
  for (int i = 1; i < 1024; ++i) many += ";0,1,2,3";
  CHECK(parse_rings(many, 4).size() == 1024);
  CHECK(refusal(many + ";0,1,2,3") == "gives 1025 rings; give at most 1024");
  CHECK(refusal(std::string(1'999'999, ';')) == "gives 2000000 rings; give at most 1024");
}

TEST_CASE("a multiplicity is a whole number from 1 to 1000") {
  const std::string why = "has no multiplicity between 1 and 1000 after its x";
  CHECK(refusal("0,1,2,3 x0") == bad("0,1,2,3 x0", why));
  CHECK(refusal("0,1,2,3 x1001") == bad("0,1,2,3 x1001", why));
  CHECK(refusal("0,1,2,3 x") == bad("0,1,2,3 x", why));
  CHECK(refusal("0,1,2,3 x2x3") == bad("0,1,2,3 x2x3", why));
}

TEST_CASE("a rank may name the nics by which the ring comes to it and goes from it") {
  CHECK(parse_rings("nic1>0,1 > nic2, nic1>2>nic0,3 x2", 4) ==
        std::vector<Ring>{{{0, 1, 2, 3}, 2, {{1, -1}, {-1, 2}, {1, 0}, {-1, -1}}}});
}

TEST_CASE("nics are nic and a number, one before the rank and one behind it") {
  const auto no_nic = [](const std::string& text) {
    return "names \"" + text + "\", which is no nic such as nic0";
  };
  CHECK(refusal("0>1,1,2,3") == bad("0>1,1,2,3", no_nic("1")));
  CHECK(refusal("nic>0,1,2,3") == bad("nic>0,1,2,3", no_nic("nic")));
  CHECK(refusal("nic-1>0,1,2,3") == bad("nic-1>0,1,2,3", no_nic("nic-1")));
  CHECK(refusal("0,1,2,3>nic9999999") == bad("0,1,2,3>nic9999999", no_nic("nic9999999")));
  CHECK(refusal("nic0>0>nic1>nic2,1,2,3") ==
        bad("nic0>0>nic1>nic2,1,2,3", "names \"nic0>0>nic1>nic2\", which is no rank"));
  CHECK(refusal("nic0,1,2,3") == bad("nic0,1,2,3", "names \"nic0\", which is no rank"));
}

}  // namespace syncsim::strategy::ring_orders_test
