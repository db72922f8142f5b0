// Other programs as filters.

#include <doctest/doctest.h>

#include "sim/base/filter_program.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::filter_program_test {
namespace {

constexpr std::chrono::seconds kLong{60};

}  // namespace

TEST_CASE("what a program reads is the input, what it writes the output, whatever their size") {
  std::string text(3'000'000, 'x');
  text[1'234'567] = '\0';
  const Filtered cat = run_filter({"cat"}, text, kLong);
  CHECK(cat.started);
  CHECK(cat.in_time);
  CHECK(cat.exit_code == 0);
  CHECK(cat.out == text);
  CHECK(cat.err == "");
}

TEST_CASE("words of a command go through no shell") {
  CHECK(run_filter({"printf", "%s", "$HOME; `id` \"'*\\"}, "", kLong).out == "$HOME; `id` \"'*\\");
}

TEST_CASE("a program's failure, its messages and its signal are told") {
  const Filtered failed = run_filter({"sh", "-c", "echo out; echo no >&2; exit 7"}, "", kLong);
  CHECK(failed.exit_code == 7);
  CHECK(failed.out == "out\n");
  CHECK(failed.err == "no\n");
  CHECK(run_filter({"sh", "-c", "kill -9 $$"}, "", kLong).exit_code == -9);
}

TEST_CASE("a program that is not there is not started") {
  CHECK(!run_filter({"no-such-program"}, "", kLong).started);
}

TEST_CASE("a file that is no program is refused") {
  CHECK(refusal_of([] { run_filter({"/etc/passwd"}, "", kLong); }) ==
        "\"/etc/passwd\" cannot be run: Permission denied; check the limits of processes, files "
        "and disk space");
}

TEST_CASE("a program that takes too long is ended") {
  const Filtered slow = run_filter({"sleep", "600"}, "", std::chrono::milliseconds(50));
  CHECK(slow.started);
  CHECK(!slow.in_time);
  CHECK(slow.exit_code == -9);
}

}  // namespace syncsim::testing::filter_program_test
