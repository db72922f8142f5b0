// The progress bar: its line, and where it is drawn.

#include "sim/cli/progress_text.h"

#include <doctest/doctest.h>

#include "tests/cli/child.h"

namespace syncsim::cli::progress_test {
namespace {

constexpr Stage kStages[] = {Stage::emitting, Stage::checking, Stage::simulating};

ProgressLine line() {
  return {{Stage::simulating, 4'200'000, 10'000'000, Time{12'300'000'000}}, 3, 12, 0.5, 14.2};
}

}  // namespace

TEST_CASE("the line says point, stage, percent, simulated time, speed and time left") {
  CHECK(progress_text(line(), 120) ==
        "point 3 of 12: simulating 42 % [########            ], 12.3000 ms simulated, 8.4 M ops/s, "
        "15 s left");
}

TEST_CASE("what does not fit is left out, the least useful first, and never a column too much") {
  CHECK(progress_text(line(), 80) ==
        "point 3 of 12: simulating 42 %, 12.3000 ms simulated, 8.4 M ops/s, 15 s left");
  CHECK(progress_text(line(), 70) ==
        "point 3 of 12: simulating 42 %, 12.3000 ms simulated, 15 s left");
  CHECK(progress_text(line(), 45) == "point 3 of 12: simulating 42 %, 15 s left");
  CHECK(progress_text(line(), 40) == "point 3 of 12: simulating 42 %");
  CHECK(progress_text(line(), 20) == "simulating 42 %");
  CHECK(progress_text(line(), 8) == "simulat");
  for (std::size_t width = 0; width < 130; ++width)
    CHECK(progress_text(line(), width).size() <= (width == 0 ? 0 : width - 1));
}

TEST_CASE("a sweep's line says how many points are done, their rate and the time left") {
  const SweepProgress sweep{
      .done = 37, .points = 120, .done_before = 16, .refused = 3, .seconds = 10};
  CHECK(progress_text(sweep, 120) ==
        "37 of 120 points [######              ], 2.1 points/s, 40 s left, 3 refused");
  CHECK(progress_text(sweep, 60) == "37 of 120 points, 2.1 points/s, 40 s left, 3 refused");
  CHECK(progress_text(sweep, 45) == "37 of 120 points, 40 s left, 3 refused");
  CHECK(progress_text({.done = 16, .points = 120, .done_before = 16, .seconds = 1}, 120) ==
        "16 of 120 points [##                  ]");
  CHECK(progress_text({.done = 120, .points = 240, .seconds = 1}, 60) ==
        "120 of 240 points, 120 points/s, 1 s left");
}

TEST_CASE("what is not known is not shown") {
  CHECK(progress_text({{Stage::reading, 5'000, 0, {}}, 0, 1, 0.5, {}}, 80) ==
        "reading, 10 k flows/s");
  CHECK(progress_text({{Stage::emitting, 0, 50, {}}, 1, 1, 0, {}}, 80) ==
        "emitting 0 % [                    ]");
  // more than was expected
  CHECK(progress_text({{Stage::emitting, 60, 50, {}}, 1, 1, 60, 4'000}, 80) ==
        "emitting 100 % [####################], 1 ops/s, 1 h 6 min left");
}

TEST_CASE("time left: the stage in proportion, later stages by their usual weight") {
  // half of the proof took 3 s: 3 s more, and 6 s x 1 / 0.6 of simulation
  const Elapsed elapsed{.progress = {Stage::checking, 50, 100, {}},
                        .stage_seconds = 3,
                        .point_seconds = 8,
                        .finished_points = 0,
                        .finished_seconds = 0,
                        .points = 1};
  CHECK(*seconds_left(elapsed, kStages) == doctest::Approx(13));
  Elapsed several = elapsed;  // the two later ones take as long as this one
  several.points = 3;
  CHECK(*seconds_left(several, kStages) == doctest::Approx(13 + 2 * 21));
  several.points = 12;  // nine finished ones took 1 s each, two are to come
  several.finished_points = 9;
  several.finished_seconds = 9;
  CHECK(*seconds_left(several, kStages) == doctest::Approx(13 + 2));
}

TEST_CASE("no time is told while too little is done, or while no total is known") {
  CHECK(!seconds_left({.progress = {Stage::emitting, 0, 100, {}}}, kStages));
  CHECK(!seconds_left({.progress = {Stage::emitting, 100, 0, {}}}, kStages));
}

}  // namespace syncsim::cli::progress_test

namespace syncsim::testing::progress_test {
namespace {

const Arguments kRunBoth = {"run", "s.json", "--memory", "1 TB"};

// What stands on the terminal after all: later text over earlier one.
std::string shown(const std::string& text) {
  std::string screen;
  std::string row;
  std::size_t column = 0;
  for (const char c : text) {
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      screen += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
      row.clear();
    } else {
      row.resize(std::max(row.size(), column + 1), ' ');
      row[column++] = c;
    }
  }
  return screen;
}

}  // namespace

TEST_CASE("on a terminal a slow run draws a bar that fits, and wipes it in the end") {
  const TemporaryFolder folder;
  folder.write("s.json", small_and_large_ring());
  Child child(folder, kRunBoth, Terminal(60));
  child.wait_until([&] { return child.terminal_text().find(" left") != std::string::npos; });
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  const std::string& text = child.terminal_text();
  CHECK(text.starts_with("\rpoint 2 of 2: "));
  CHECK(text.find('\x1b') == std::string::npos);
  for (std::size_t begin = 0; begin < text.find("\rsyncsim: ");) {
    const std::size_t end = text.find('\r', begin + 1);
    CHECK(end - begin <= 60);
    begin = end;
  }
  CHECK(shown(text).starts_with("syncsim: interrupted in point 2 of 2"));
  CHECK(child.out().starts_with("star of 4: "));
}

TEST_CASE("a quick run draws nothing on a terminal") {
  const TemporaryFolder folder;
  Child child(folder, {"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 B"},
              Terminal(80));
  CHECK(child.exit_code() == 0);
  CHECK(child.terminal_text() == "");
}

TEST_CASE("--no-progress draws nothing on a terminal, however long it takes") {
  const TemporaryFolder folder;
  folder.write("s.json", small_and_large_ring());
  Child child(folder, with(kRunBoth, {"--no-progress"}), Terminal(80));
  child.wait_until([&] { return child.cpu_seconds() > 0.7; });
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  CHECK(child.terminal_text().starts_with("syncsim: interrupted"));
}

TEST_CASE("where stderr is no terminal nothing is drawn") {
  const TemporaryFolder folder;
  folder.write("s.json", small_and_large_ring());
  Child child(folder, kRunBoth);
  child.wait_until([&] { return child.cpu_seconds() > 0.7; });
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  CHECK(child.err().starts_with("syncsim: interrupted"));
}

}  // namespace syncsim::testing::progress_test
