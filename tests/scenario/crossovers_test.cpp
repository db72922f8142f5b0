// The sizes at which the fastest strategy changes, of winners that a formula names.

#include "sim/scenario/crossovers.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace syncsim::crossovers_test {
namespace {

Report won_by(const std::string& strategy, Bytes bytes) {
  Report report;
  report.facts.strategy = strategy;
  report.facts.collective = {CollectiveKind::allreduce, 4, bytes, "float32"};
  return report;
}

// a below 7 kB, b below 300 kB, then c.
Report winner_at(Bytes bytes) {
  return won_by(bytes.count < 7'000 ? "a" : bytes.count < 300'000 ? "b" : "c", bytes);
}

Winners winners_at(const std::vector<std::int64_t>& sizes, const WinnerAt& at = winner_at) {
  Winners winners;
  for (const std::int64_t size : sizes) winners.sizes.push_back(at({size}));
  add_crossovers(winners, at);
  return winners;
}

void check_between(const Crossover& crossover, std::int64_t change) {
  const std::int64_t below = crossover.below.facts.collective.bytes.count;
  const std::int64_t above = crossover.above.facts.collective.bytes.count;
  CHECK(below < change);
  CHECK(above >= change);
  CHECK(static_cast<double>(above) <= kCrossoverFactor * static_cast<double>(below));
  CHECK(below % 4 == 0);
  CHECK(above % 4 == 0);
}

}  // namespace

TEST_CASE("each change of the winner is found to within the factor, third winners too") {
  const Winners winners = winners_at({1'000, 1'000'000});
  REQUIRE(winners.crossovers.size() == 2);
  check_between(winners.crossovers[0], 7'000);
  CHECK(winners.crossovers[0].below.facts.strategy == "a");
  CHECK(winners.crossovers[0].above.facts.strategy == "b");
  check_between(winners.crossovers[1], 300'000);
  CHECK(winners.crossovers[1].above.facts.strategy == "c");
  CHECK(winners.sizes.size() == 2);
}

TEST_CASE("between sizes of one winner nothing is run") {
  int runs = 0;
  const Winners winners = winners_at({8'000, 16'000, 200'000}, [&](Bytes bytes) {
    ++runs;
    return winner_at(bytes);
  });
  CHECK(winners.crossovers.empty());
  CHECK(runs == 3);
}

TEST_CASE("where no element lies between, or one size is 0, both sizes are told as they are") {
  CHECK(winners_at({0, 1'000'000}).crossovers.size() == 1);
  const Winners close = winners_at({6'996, 7'000});
  REQUIRE(close.crossovers.size() == 1);
  CHECK(close.crossovers[0].below.facts.collective.bytes == Bytes{6'996});
  const auto at = [](Bytes bytes) { return won_by(bytes.count < 8 ? "a" : "b", bytes); };
  CHECK(winners_at({4, 8}, at).crossovers.size() == 1);
}

TEST_CASE("crossovers found before an interruption stay") {
  Winners winners;
  for (const std::int64_t size : {1'000, 100'000, 1'000'000})
    winners.sizes.push_back(winner_at({size}));
  const auto stop_above = [](Bytes bytes) {
    if (bytes.count > 100'000) throw std::runtime_error("stopped");
    return winner_at(bytes);
  };
  CHECK_THROWS(add_crossovers(winners, stop_above));
  CHECK(winners.crossovers.size() == 1);
}

}  // namespace syncsim::crossovers_test
