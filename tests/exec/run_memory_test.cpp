// What runs are said to need, and the refusals that come of it.

#include "sim/exec/run_memory.h"

#include <doctest/doctest.h>

#include <sstream>

#include "sim/engine/run_memory.h"
#include "sim/exec/executor.h"
#include "sim/exec/replay.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::run_memory_test {
namespace {

using testing::refusal_of;

struct Stop : Watch {
  bool goes_on(const Progress&) override { return false; }
};

Traffic traffic_on(const Topology& machine, int flows, const ReadingOptions& options = {}) {
  std::stringstream text("start,source,destination,bytes\n");
  text.seekp(0, std::ios::end);
  for (int flow = 0; flow < flows; ++flow) text << flow << " us,gpu0,gpu1,1 MB\n";
  return read_traffic(text, "f.csv", machine, options);
}

}  // namespace

TEST_CASE("a simulation takes the engine, its network, 28 bytes an op and 40 a lane") {
  const SimulationSize size{
      .ops = 1'000, .lanes = 10, .routes = 5, .uses_a_route = 4, .resources = 20};
  CHECK(simulation_bytes(size) ==
        engine::run_bytes({1'000, 10, 40, 20, 5}) + engine::network_bytes(5, 20) + 28'000 + 400);
}

TEST_CASE("a run takes the machine and whichever of emission, proof and simulation takes most") {
  const MachineSize machine{.nodes = 5, .links = 8};
  const std::uint64_t fixed = 5'000'000 + 5 * 160 + 8 * 470;
  CHECK(machine_bytes(machine) == fixed);
  const ScheduleSize long_lanes{
      .ranks = 4, .ops = 1'000, .edges = 1'500, .lanes = 4, .chunks = 4, .moves = 1'000};
  CHECK(peak_bytes(long_lanes, machine, true) ==
        fixed + schedule_bytes(long_lanes) +
            simulation_bytes({.ops = 1'000, .lanes = 4, .routes = 4}));
  const ScheduleSize many_moves{
      .ranks = 4, .ops = 1'000, .edges = 1'500, .lanes = 4, .chunks = 40, .moves = 40'000};
  CHECK(peak_bytes(many_moves, machine, true) ==
        fixed + schedule_bytes(many_moves) + check_bytes(many_moves));
  CHECK(peak_bytes(many_moves, machine, false) < peak_bytes(many_moves, machine, true));
  const ScheduleSize many_cells{
      .ranks = 4'000, .ops = 1'000, .edges = 1'500, .lanes = 4, .chunks = 4'000, .moves = 1'000};
  CHECK(peak_bytes(many_cells, machine, true) == fixed + emission_bytes(many_cells));
}

TEST_CASE("traffic whose replay there is no memory for is refused while it is read") {
  const Topology machine(testing::star(2, Bandwidth{1e9}));
  const auto read = [&](std::uint64_t bytes) {
    return refusal_of([&] {
      traffic_on(machine, 5'000, {.memory = {bytes, "there is too little"}});
    });
  };
  CHECK(read(replay_bytes(5'000, size_of(machine))) == "accepted");
  CHECK(read(replay_bytes(3'000, size_of(machine))) ==
        "f.csv: a replay of 4.1 k flows needs about 6.6 MB, there is too little; split the traffic "
        "into smaller files, or allow more with --memory");
}

TEST_CASE("reading stops when the watch says so") {
  const Topology machine(testing::star(2, Bandwidth{1e9}));
  Stop stop;
  CHECK_THROWS_AS(traffic_on(machine, 5, {.watch = &stop}), Interrupted);
}

TEST_CASE("what is there is reckoned again before the engine is set up") {
  const Topology machine(testing::star(2, Bandwidth{1e9}));
  const Traffic traffic = traffic_on(machine, 1'000);
  ExecutionOptions options;
  options.memory = {100'000, "there is too little"};
  // 1,000 flows: 210 bytes a lane, 96 of uses, 48 of the flow, 40 of the op
  CHECK(refusal_of([&] { replay(traffic, machine, options); }) ==
        "a replay of 1.0 k flows needs about 395 kB, there is too little; split the traffic into "
        "smaller files, or allow more with --memory");
  testing::HandMade made(testing::collective_of(CollectiveKind::broadcast, 2, 1), 1);
  for (int op = 0; op < 1'000; ++op) made.copy(0, 1, 0);
  options.memory = {1'000, "no"};
  CHECK(refusal_of([&] { execute_simulated(made.build(), machine, options); }) ==
        "the simulation needs about 74 kB (1.0 k ops on 1 lanes), no; run fewer ranks, chunks or "
        "background flows, or allow more with --memory");
}

TEST_CASE("a replay that is stopped says which flows are finished") {
  struct StopLater : Watch {
    bool goes_on(const Progress& progress) override { return progress.done < 64; }
  } watch;
  const Topology machine(testing::star(2, Bandwidth{1e12}));
  const Traffic traffic = traffic_on(machine, 1'000);  // each is through in its microsecond
  ExecutionOptions options;
  options.watch = &watch;
  const Replay stopped = replay(traffic, machine, options);
  CHECK(stopped.stopped);
  CHECK(stopped.finished == 64);
  CHECK(stopped.has(63));
  CHECK(!stopped.has(64));
  CHECK(stopped.reached == stopped.finishes[63]);
  CHECK(!replay(traffic, machine, {}).stopped);
}

}  // namespace syncsim::run_memory_test
