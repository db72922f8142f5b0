#include "sim/cli/rank_strategies.h"

#include <doctest/doctest.h>

#include <new>

namespace syncsim::cli::rank_strategies_test {
namespace {

// What is left out where a race ends so.
template <class Race>
std::vector<LeftOut> left_out_by(Race&& race) {
  std::vector<Report> reports;
  std::vector<LeftOut> left_out;
  add_or_leave_out("ring", reports, left_out, race);
  CHECK(reports.empty());
  return left_out;
}

}  // namespace

TEST_CASE("a winner is ranked") {
  std::vector<Report> reports;
  std::vector<LeftOut> left_out;
  add_or_leave_out("ring", reports, left_out, [] {
    Race race;
    race.winner.emplace();
    race.winner->time = Time{5};
    return race;
  });
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].time == Time{5});
  CHECK(left_out.empty());
}

TEST_CASE("whatever goes wrong with a strategy, it is left out and says why") {
  const auto unfit = left_out_by([] { return Race{{}, {{"ring", {}, {}, "has no CPU"}}}; });
  const auto refused = left_out_by([]() -> Race { throw InputError("is wrong", "mend it"); });
  const auto large = left_out_by([]() -> Race { throw std::bad_alloc(); });
  const auto broken = left_out_by([]() -> Race { throw InternalError("bytes got lost"); });
  REQUIRE((unfit.size() == 1 && refused.size() == 1 && large.size() == 1 && broken.size() == 1));
  CHECK(unfit[0].why == "has no CPU");
  CHECK(refused[0].why == "is wrong; mend it");
  CHECK(large[0].why == "out of memory; ask for fewer ranks or chunks");
  CHECK(broken[0].why == "internal error: bytes got lost");
  CHECK((!unfit[0].broken && !refused[0].broken && !large[0].broken && broken[0].broken));
}

TEST_CASE("an interrupt ends the ranking") {
  CHECK_THROWS_AS(left_out_by([]() -> Race { throw Interrupted({}); }), Interrupted);
}

}  // namespace syncsim::cli::rank_strategies_test
