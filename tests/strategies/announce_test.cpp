// What strategies announce, by which schedules too large are refused, beside what they emit.

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/schedule/lane_index.h"
#include "tests/support/runs.h"

namespace syncsim {
namespace {

struct Emitted {
  ScheduleSize announced;
  std::uint64_t transfers = 0;
  std::uint64_t moves = 0;
  std::uint64_t lanes = 0;
};

Emitted emit_on_dgx1v(const Strategy& strategy, CollectiveKind kind) {
  const Topology machine = testing::shelf_machine("dgx1v");
  const Parameters parameters(strategy.name, strategy.parameters, {});
  Emitted result;
  const Oversight oversight{nullptr, [&](const ScheduleSize& size) { result.announced = size; }};
  const Schedule schedule =
      emit(strategy, machine, machine.ranks(), {kind, 8, {64'000}}, parameters, oversight);
  LaneIndex lanes;
  for (const Op& op : schedule.ops) {
    result.transfers += op.kind != OpKind::join;
    result.moves += schedule.moves_data(op) ? op.chunk_count : 0;
    lanes.number(op);
  }
  result.lanes = lanes.count();
  return result;
}

}  // namespace

TEST_CASE("a strategy that announces its ops announces about what it emits") {
  constexpr std::uint64_t kRanks = 8;
  for (const Strategy& strategy : strategies().rows()) {
    for (const CollectiveKind kind : strategy.collectives) {
      CAPTURE(strategy.name);
      CAPTURE(to_string(kind));
      const Emitted emitted = emit_on_dgx1v(strategy, kind);
      if (emitted.announced.ops == 0) continue;
      CHECK(emitted.announced.ops >= emitted.transfers);
      CHECK(emitted.announced.ops <= emitted.transfers + 2 * kRanks);
      CHECK(emitted.announced.moves >= emitted.moves);
      CHECK(emitted.announced.lanes >= emitted.lanes);
    }
  }
}

TEST_CASE("the shipped strategies announce theirs for every collective") {
  for (const Strategy& strategy : strategies().rows())
    for (const CollectiveKind kind : strategy.collectives) {
      CAPTURE(strategy.name);
      CAPTURE(to_string(kind));
      CHECK(emit_on_dgx1v(strategy, kind).announced.ops > 0);
    }
}

}  // namespace syncsim
