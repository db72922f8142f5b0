#include <doctest/doctest.h>

#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::findings_test {

TEST_CASE("what was found under a name for some ranks is not looked for again") {
  Findings findings;
  int searches = 0;
  const auto found = [&](std::string_view name, const std::vector<NodeId>& ranks) {
    return findings.of(name, ranks, [&] { return ++searches; });
  };
  CHECK(found("rings", {0, 1}) == 1);
  CHECK(found("rings", {0, 1}) == 1);
  CHECK(found("rings", {1, 0}) == 2);
  CHECK(found("trees", {0, 1}) == 3);
  CHECK(found("rings", {0, 1}) == 1);
  CHECK(searches == 3);
}

}  // namespace syncsim::findings_test
