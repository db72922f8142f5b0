#include "sim/schedule/check.h"

#include <algorithm>

#include "sim/schedule/check_columns.h"
#include "sim/schedule/check_exact.h"
#include "sim/schedule/check_fingerprint.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/check_precedence.h"
#include "sim/schedule/check_race.h"
#include "sim/schedule/check_structure.h"

namespace syncsim {
namespace {

bool by_fingerprint(const Schedule& schedule, CheckMode mode) {
  if (mode == CheckMode::automatic) return schedule.ranks > kMostRanksExactly;
  return mode == CheckMode::fingerprint;
}

// Walks over all ops: each one's structure, its edges, its columns. Sweeping the columns takes as
// long as twice these.
constexpr std::uint64_t kWalksBefore = 3;
constexpr std::uint64_t kSweep = 6;
constexpr std::uint64_t kWalks = kWalksBefore + kSweep;

std::uint64_t steps_of(std::size_t swept, std::size_t transfers, std::uint64_t ops) {
  const double share =
      static_cast<double>(swept) / static_cast<double>(std::max(transfers, std::size_t{1}));
  return kWalksBefore * ops + static_cast<std::uint64_t>(share * static_cast<double>(kSweep * ops));
}

std::optional<Violation> check_columns(const Schedule& schedule, checking::Order& order,
                                       const CheckOptions& options, Pace& pace) {
  using namespace checking;
  const ChunkIds ids(schedule);
  const Roles roles(ids);
  const Columns columns(ids, order, pace);
  Precedence precedence(schedule, order, options.search_budget);
  RaceCheck races(ids, precedence, options.search_budget);
  ExactCheck exact(ids, roles);
  FingerprintCheck fingerprint(ids);
  const bool fast = by_fingerprint(schedule, options.mode);
  Column column(ids, roles);
  std::size_t swept = 0;  // transfers
  for (std::uint32_t index = 0; index < columns.count(); ++index) {
    column.load(columns, index);
    pace.at(steps_of(swept, columns.transfer_count(), schedule.ops.size()));
    swept += columns.transfers(index).size();
    if (auto violation = races.run(column)) return violation;
    if (fast && fingerprint.proves(column)) continue;
    if (auto violation = exact.run(column)) return violation;
  }
  return {};
}

}  // namespace

std::string_view to_string(Violation::Kind kind) {
  constexpr std::string_view kNames[] = {"structure", "cycle",   "race",  "doubled",
                                         "origin",    "missing", "budget"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<Violation> check(const Schedule& schedule, const CheckOptions& options) {
  Pace pace(options.watch, Stage::checking, schedule.ops.size(), kWalks);
  if (auto violation = checking::check_structure(schedule, pace)) return violation;
  checking::Order order(schedule);
  if (!order.complete()) return order.cycle();
  return check_columns(schedule, order, options, pace);
}

}  // namespace syncsim
