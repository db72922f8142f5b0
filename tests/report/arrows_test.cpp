// Dependencies as arrows.

#include "sim/report/arrows.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/support/schedules.h"

namespace syncsim::arrows_test {
namespace {

using Pairs = std::vector<std::pair<OpId, OpId>>;

Pairs pairs(const Arrows& arrows) {
  Pairs result;
  for (const Arrow& arrow : arrows.all()) result.emplace_back(arrow.from, arrow.to);
  return result;
}

Timeline finished_at(const std::vector<std::int64_t>& finishes) {
  Timeline timeline;
  for (const std::int64_t finish : finishes) timeline.ops.push_back({{}, {}, {finish}});
  return timeline;
}

testing::HandMade three_copies() {
  testing::HandMade plan(testing::collective_of(CollectiveKind::broadcast, 4, 4), 4);
  for (std::uint32_t chunk = 0; chunk < 3; ++chunk) plan.copy(0, 1, chunk);
  return plan;
}

}  // namespace

TEST_CASE("each edge between ops that carry is an arrow") {
  testing::HandMade plan = three_copies();
  plan.edge(0, 1);
  plan.edge(0, 2);
  plan.edge(1, 2);
  CHECK(pairs(Arrows(plan.build(), finished_at({1, 2, 3}))) == Pairs{{0, 1}, {0, 2}, {1, 2}});
}

TEST_CASE("of what a join waited for the last alone has arrows, through joins of joins too") {
  testing::HandMade plan = three_copies();  // ops 0, 1, 2
  const OpId first = plan.join(1);
  const OpId second = plan.join(1);
  const OpId last = plan.copy(1, 2, 0);
  for (const OpId op : {0u, 1u, 2u}) plan.edge(op, first);
  plan.edge(first, second);
  plan.edge(second, last);
  CHECK(pairs(Arrows(plan.build(), finished_at({1, 3, 2, 3, 3, 4}))) == Pairs{{1, last}});
}

TEST_CASE("a join that waits for nothing has no arrows") {
  testing::HandMade plan = three_copies();
  plan.edge(plan.join(1), plan.copy(1, 2, 0));
  CHECK(pairs(Arrows(plan.build(), finished_at({1, 2, 3, 0, 4}))).empty());
}

TEST_CASE("arrows are found by either end, under one number") {
  testing::HandMade plan = three_copies();
  plan.edge(0, 2);
  plan.edge(1, 2);
  const Arrows arrows(plan.build(), finished_at({1, 2, 3}));
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (const OpId op : {0u, 1u, 2u}) {
    arrows.from(op, [&](std::size_t number, const Arrow&) { from.push_back(number); });
    arrows.to(op, [&](std::size_t number, const Arrow&) { to.push_back(number); });
  }
  CHECK(from == std::vector<std::size_t>{0, 1});
  CHECK(to == std::vector<std::size_t>{0, 1});
}

}  // namespace syncsim::arrows_test
