// Ranks that vary from step to step.

#include "sim/workload/jitter.h"

#include <doctest/doctest.h>

#include "sim/base/random.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::jitter_test {
namespace {

Paces jittered(const Jitter& jitter, std::uint32_t seed, std::size_t steps, std::size_t ranks) {
  Paces paces(steps, std::vector<RankPace>(ranks));
  add_jitter(jitter, seed, paces);
  return paces;
}

std::string refused(const std::string& text) {
  return refusal_of([&] { read_jitter_trace(text, "t.csv"); });
}

constexpr Time kMillisecond{1'000'000'000};

}  // namespace

TEST_CASE("a rank's jitter in a step is the same with more ranks, more steps and other jitter") {
  const Paces few = jittered({.lognormal = 0.2}, 3, 2, 2);
  const Paces many = jittered({.lognormal = 0.2, .exponential = kMillisecond}, 3, 9, 5);
  for (std::size_t step = 0; step < 2; ++step)
    for (std::size_t rank = 0; rank < 2; ++rank) {
      CHECK(few[step][rank].jitter == many[step][rank].jitter);
      CHECK(few[step][rank].pause == Time{});
      CHECK(many[step][rank].pause > Time{});
    }
  CHECK(few[0][0].jitter != few[0][1].jitter);
  CHECK(few[0][0].jitter != few[1][0].jitter);
  CHECK(few[0][0].jitter != jittered({.lognormal = 0.2}, 4, 2, 2)[0][0].jitter);
}

TEST_CASE("factors and delays are drawn from their distributions") {
  const Paces paces = jittered({.lognormal = 0.25, .exponential = kMillisecond}, 9, 40, 4);
  CHECK(paces[17][2].jitter == mean_one_lognormal(Chance(9, 1).uniform(17, 2), 0.25));
  CHECK(static_cast<double>(paces[17][2].pause.ps) ==
        doctest::Approx(standard_exponential(Chance(9, 2).uniform(17, 2)) * 1e9).epsilon(1e-9));
}

TEST_CASE("jitter comes on top of a rank's speed and pauses") {
  Paces paces(1, std::vector<RankPace>(1, {.factor = 2, .pause = kMillisecond}));
  add_jitter({.trace = {{{1.5, {}}, {1, {}}}}}, 0, paces);
  add_jitter({.trace = {{{1, kMillisecond}}}}, 0, paces);
  CHECK(paces[0][0].factor == 2);
  CHECK(paces[0][0].jitter == 1.5);
  CHECK(paces[0][0].pause == kMillisecond + kMillisecond);
}

TEST_CASE("a trace says factors and delays, and begins again when it is used up") {
  const JitterTrace trace =
      read_jitter_trace("# rank 0, rank 1\n1.5, \"3 ms\"\n\n2,0.5\n", "t.csv");
  REQUIRE(trace.size() == 2);
  const Paces paces = jittered({.trace = trace}, 0, 3, 3);
  CHECK(paces[0][0].jitter == 1.5);
  CHECK(paces[0][1].pause == Time{3 * kMillisecond.ps});
  CHECK(paces[0][1].jitter == 1);
  CHECK(paces[0][2].jitter == 1.5);
  CHECK(paces[1][1].jitter == 0.5);
  CHECK(paces[2][0].jitter == 1.5);
}

TEST_CASE("a wrong trace is refused where it is wrong") {
  CHECK(refused("") ==
        "t.csv: holds no steps; write one a line: a factor or a delay for each rank");
  CHECK(
      refused("1,1\n# more\n1\n") ==
      "t.csv:3: the line has 1 field, the first has 2; write a factor or a delay for each rank in "
      "every line");
  CHECK(refused("1,fast\n") ==
        "t.csv:1:2: \"fast\" is neither a factor nor a delay; write such as 1.05 or 3 ms");
  CHECK(refused("1,,1\n") ==
        "t.csv:1:2: \"\" is neither a factor nor a delay; write such as 1.05 or 3 ms");
  CHECK(refused("1,1\n1,-2\n") ==
        "t.csv:2:2: \"-2\" is neither a factor nor a delay; write such as 1.05 or 3 ms");
  CHECK(refused("0\n") ==
        "t.csv:1:1: \"0\" is no factor; write a number from 1e-06 to 1000000, or a delay such as 3 "
        "ms");
  CHECK(refused("1.2.3\n").starts_with("t.csv:1:1: \"1.2.3\" is no factor; "));
  CHECK(refused("2 s\n").starts_with("t.csv:1:1: "));
}

}  // namespace syncsim::testing::jitter_test
