#include "sim/schedule/check.h"

#include "sim/schedule/check_columns.h"
#include "sim/schedule/check_exact.h"
#include "sim/schedule/check_fingerprint.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/check_precedence.h"
#include "sim/schedule/check_race.h"
#include "sim/schedule/check_structure.h"

namespace syncsim {
namespace {

constexpr std::uint32_t kMostRanksExactly = 4'096;  // in automatic mode

bool by_fingerprint(const Schedule& schedule, CheckMode mode) {
  if (mode == CheckMode::automatic) return schedule.ranks > kMostRanksExactly;
  return mode == CheckMode::fingerprint;
}

std::optional<Violation> check_columns(const Schedule& schedule, checking::Order& order,
                                       const CheckOptions& options) {
  using namespace checking;
  const ChunkIds ids(schedule);
  const Roles roles(ids);
  const Columns columns(ids, order);
  Precedence precedence(schedule, order, options.search_budget);
  RaceCheck races(ids, precedence, options.search_budget);
  ExactCheck exact(ids, roles);
  FingerprintCheck fingerprint(ids);
  const bool fast = by_fingerprint(schedule, options.mode);
  Column column(ids, roles);
  for (std::uint32_t index = 0; index < columns.count(); ++index) {
    column.load(columns, index);
    if (auto violation = races.run(column)) return violation;
    if (fast && fingerprint.proves(column)) continue;
    if (auto violation = exact.run(column)) return violation;
  }
  return {};
}

}  // namespace

std::optional<Violation> check(const Schedule& schedule, const CheckOptions& options) {
  if (auto violation = checking::check_structure(schedule)) return violation;
  checking::Order order(schedule);
  if (!order.complete()) return order.cycle();
  return check_columns(schedule, order, options);
}

}  // namespace syncsim
