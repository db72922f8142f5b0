// Sets of ops that grow by one at a time and share what they have in common.

#include "sim/schedule/op_sets.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace syncsim::testing::op_sets_test {
namespace {

std::vector<OpId> members(const OpSets& sets, OpSet set) {
  std::vector<OpId> result;
  sets.append_to(result, set);
  return result;
}

OpSet of_first(OpSets& sets, OpId count) {
  OpSet set = kNoOps;
  for (OpId op = 0; op < count; ++op) set = sets.with(set, op);
  return set;
}

}  // namespace

TEST_CASE("a set holds its ops in the order in which they were added") {
  for (const OpId count : {1u, 2u, 5u, 6u, 7u, 12u, 13u, 100u}) {
    OpSets sets;
    std::vector<OpId> right(count);
    std::iota(right.begin(), right.end(), OpId{0});
    CAPTURE(count);
    CHECK(members(sets, of_first(sets, count)) == right);
  }
}

TEST_CASE("a set stays as it is when others grow from it") {
  // From every size of 2 to 13 on, two different sets grow.
  for (OpId count = 2; count <= 13; ++count) {
    OpSets sets;
    const OpSet set = of_first(sets, count);
    const OpSet one = sets.with(sets.with(set, 50), 51);
    const OpSet other = sets.with(sets.with(set, 60), 61);
    std::vector<OpId> right(count);
    std::iota(right.begin(), right.end(), OpId{0});
    CAPTURE(count);
    CHECK(members(sets, set) == right);
    right.insert(right.end(), {50, 51});
    CHECK(members(sets, one) == right);
    right[count] = 60;
    right[count + 1] = 61;
    CHECK(members(sets, other) == right);
  }
}

TEST_CASE("every set of two ops or more has a fan of its own, which knows the number of ops") {
  OpSets sets;
  std::vector<OpSet> grown{sets.with(sets.with(kNoOps, 0), 1)};
  for (OpId op = 2; op < 20; ++op) grown.push_back(sets.with(grown.back(), op));
  for (std::uint32_t i = 0; i < grown.size(); ++i) sets.fan(grown[i]).uses = 100 + i;
  for (std::uint32_t i = 0; i < grown.size(); ++i) {
    CHECK(sets.fan(grown[i]).uses == 100 + i);
    CHECK(sets.fan(grown[i]).ops == i + 2);
    CHECK(sets.fan(grown[i]).join == kNone);
  }
}

}  // namespace syncsim::testing::op_sets_test
