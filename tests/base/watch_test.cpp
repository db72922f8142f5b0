#include "sim/base/watch.h"

#include <doctest/doctest.h>

#include "tests/support/counting_watch.h"

#include <vector>

namespace syncsim::watch_test {
namespace {}  // namespace

TEST_CASE("a pace looks at the beginning and then every 4096 steps") {
  testing::CountingWatch diary(1'000);
  Pace pace(&diary, Stage::checking, 10'000);
  for (std::uint64_t step = 0; step < 10'000; ++step) pace.at(step);
  std::vector<std::uint64_t> done;
  for (const Progress& progress : diary.seen) done.push_back(progress.done);
  CHECK(done == std::vector<std::uint64_t>{0, 4'096, 8'192});
  CHECK(diary.seen[1].stage == Stage::checking);
  CHECK(diary.seen[1].total == 10'000);
}

TEST_CASE("where a stage walks several times over its things, each step is a part of one") {
  testing::CountingWatch diary(1'000);
  Pace pace(&diary, Stage::checking, 8'192, 4);
  pace.at_thing(4'096, 0);
  pace.at_thing(4'097, 0);  // between looks, whatever came before
  pace.at_thing(4'096, 3);
  REQUIRE(diary.seen.size() == 3);
  CHECK(diary.seen[1].done == 1'024);
  CHECK(diary.seen[2].done == (3 * 8'192 + 4'096) / 4);
}

TEST_CASE("a watch that says stop ends the stage, which tells how far it came") {
  testing::CountingWatch diary(2);
  Pace pace(&diary, Stage::emitting, 9'000);
  pace.at(4'095);
  try {
    pace.at(4'100);
    FAIL("it went on");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.progress.done == 4'100);
    CHECK(interrupted.progress.total == 9'000);
    CHECK(interrupted.delivered == Bytes{});
    CHECK(std::string(interrupted.what()) == "interrupted while emitting");
  }
}

TEST_CASE("without a watch a pace does nothing") {
  Pace pace(nullptr, Stage::reading, 0);
  pace.at(1'000'000);
  pace.at_thing(4'096, 7);
}

}  // namespace syncsim::watch_test
