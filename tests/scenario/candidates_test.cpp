// What a choice among strategies tries.

#include "sim/scenario/candidates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/schedule/check.h"
#include "tests/support/runs.h"

namespace syncsim::candidates_test {
namespace {

using testing::Task;

std::vector<std::string> texts(const std::vector<Candidate>& candidates) {
  std::vector<std::string> result;
  for (const Candidate& candidate : candidates) {
    std::string text = candidate.strategy;
    for (const auto& [name, value] : candidate.parameters) text += " " + name + "=" + value;
    result.push_back(text);
  }
  return result;
}

}  // namespace

TEST_CASE("every strategy that does a collective is a candidate at its defaults, by name, first") {
  for (const auto& row : collectives().rows()) {
    const std::vector<Candidate> all = candidates(row.kind);
    std::vector<std::string> defaults;
    for (const Candidate& candidate : all)
      if (candidate.parameters.empty()) defaults.push_back(candidate.strategy);
    std::vector<std::string> expected;
    for (const Strategy& strategy : strategies().rows())
      if (does(strategy, row.kind)) expected.emplace_back(strategy.name);
    CHECK(defaults == expected);
    CHECK(std::is_partitioned(all.begin(), all.end(), [](const Candidate& candidate) {
      return candidate.parameters.empty();
    }));
  }
}

TEST_CASE("tried values are combined, each parameter's default among them, the first slowest") {
  const Strategy strategy{
      "s", "", {{"a", "1", "", {"2"}}, {"b", "x", "", {"y", "z"}}}, {}, nullptr};
  CHECK(texts(candidates(strategy)) ==
        std::vector<std::string>{"s", "s b=y", "s b=z", "s a=2", "s a=2 b=y", "s a=2 b=z"});
}

TEST_CASE("tried values differ from the default and from each other") {
  for (const Strategy& strategy : strategies().rows()) {
    for (const ParameterRow& row : strategy.parameters) {
      CAPTURE(row.name);
      std::set<std::string_view> values(row.tried.begin(), row.tried.end());
      CHECK(values.size() == row.tried.size());
      CHECK(!values.contains(row.default_value));
    }
  }
}

TEST_CASE("every candidate emits a schedule that passes its proof, on 5 ranks of a star") {
  const Topology machine =
      testing::with_abilities(testing::star_with_cpu(5, Bandwidth{16e9}).parts());
  for (const auto& row : collectives().rows()) {
    for (const Candidate& candidate : candidates(row.kind)) {
      if (candidate.parameters.empty()) continue;  // every_strategy_test
      const Task task{candidate.strategy, {row.kind, 5, {1'003}, "int8"}, candidate.parameters};
      CAPTURE(texts({candidate}).front());
      CHECK(!check(testing::emitted(machine, task)));
    }
  }
}

}  // namespace syncsim::candidates_test
