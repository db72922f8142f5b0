// What strategies announce, by which schedules too large are refused, beside what they emit.

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/schedule/lane_index.h"
#include "tests/support/runs.h"

namespace syncsim::announce_test {
namespace {

struct Emitted {
  ScheduleSize announced;
  std::uint64_t transfers = 0;
  std::uint64_t moves = 0;
  std::uint64_t lanes = 0;
};

Emitted emit_on(const Topology& machine, const Strategy& strategy, CollectiveKind kind) {
  const auto ranks = static_cast<int>(machine.ranks().size());
  const Parameters parameters(strategy.name, strategy.parameters, {});
  Emitted result;
  const Oversight oversight{nullptr, [&](const ScheduleSize& size) { result.announced = size; }};
  const Schedule schedule = emit(strategy, machine, machine.ranks(), {kind, ranks, {ranks * 8'000}},
                                 parameters, oversight);
  LaneIndex lanes;
  for (const Op& op : schedule.ops) {
    result.transfers += op.kind != OpKind::join;
    result.moves += schedule.moves_data(op) ? op.chunk_count : 0;
    lanes.number(op);
  }
  result.lanes = lanes.count();
  return result;
}

// On eight GPUs, by all strategies.
Emitted emit_on_hgx(const Strategy& strategy, CollectiveKind kind) {
  return emit_on(testing::shelf_machine("hgx_h100"), strategy, kind);
}

}  // namespace

TEST_CASE("a strategy that announces its ops announces about what it emits") {
  constexpr std::uint64_t kRanks = 8;
  for (const Strategy& strategy : strategies().rows()) {
    for (const CollectiveKind kind : strategy.collectives) {
      CAPTURE(strategy.name);
      CAPTURE(to_string(kind));
      const Emitted emitted = emit_on_hgx(strategy, kind);
      if (emitted.announced.ops == 0) continue;
      CHECK(emitted.announced.ops >= emitted.transfers);
      CHECK(emitted.announced.ops <= emitted.transfers + 2 * kRanks);
      CHECK(2 * emitted.announced.moves >= emitted.moves);  // what follows may cut finer
      CHECK(emitted.announced.lanes >= emitted.lanes);
    }
  }
}

TEST_CASE("exchanges in pairs and on tori announce what they emit, whatever the number of ranks") {
  for (const char* name :
       {"bruck", "halving_doubling", "recursive_doubling", "swing", "torus_rings"})
    for (const int ranks : {2, 3, 6, 7, 13, 16, 24, 32}) {
      const Topology machine(testing::star(ranks));
      for (const CollectiveKind kind : strategies().at(name).collectives) {
        CAPTURE(name);
        CAPTURE(ranks);
        CAPTURE(to_string(kind));
        const Emitted emitted = emit_on(machine, strategies().at(name), kind);
        CHECK(emitted.announced.ops >= emitted.transfers);
        CHECK(emitted.announced.ops <= emitted.transfers + 2 * static_cast<std::uint64_t>(ranks));
        CHECK(emitted.announced.moves >= emitted.moves);
        CHECK(emitted.announced.lanes >= emitted.lanes);
        CHECK(emitted.announced.lanes <= 2 * emitted.lanes + 4 * static_cast<std::uint64_t>(ranks));
      }
    }
}

TEST_CASE("the shipped strategies announce theirs for every collective") {
  for (const Strategy& strategy : strategies().rows())
    for (const CollectiveKind kind : strategy.collectives) {
      CAPTURE(strategy.name);
      CAPTURE(to_string(kind));
      CHECK(emit_on_hgx(strategy, kind).announced.ops > 0);
    }
}

}  // namespace syncsim::announce_test
