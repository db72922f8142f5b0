#include "sim/report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace syncsim {
namespace {

constexpr double kHelps = 1.01;

std::string doing(const TriedChange& change) {
  return (change.kind == ChangeKind::latency ? "Halving " : "Doubling ") + change.what;
}

std::string effect(Time before, const TriedChange& change) {
  return fmt::format("from {} to {} ({:.2f}x)", to_string(before), to_string(change.time),
                     change.speedup);
}

// The fastest, of equal ones the first.
const TriedChange* best_of(const std::vector<TriedChange>& tried, ChangeKind kind) {
  const TriedChange* best = nullptr;
  for (const TriedChange& change : tried)
    if (change.kind == kind && (best == nullptr || change.time < best->time)) best = &change;
  return best;
}

// What single links do, beside a change of many.
std::string of_single_links(Time before, const std::vector<TriedChange>& tried) {
  const TriedChange* best = best_of(tried, ChangeKind::link);
  if (best == nullptr) return "";
  if (best->speedup >= kHelps)
    return fmt::format("; of single links {} helps most, {}", best->what, effect(before, *best));
  const auto links = std::count_if(tried.begin(), tried.end(), [](const TriedChange& change) {
    return change.kind == ChangeKind::link;
  });
  return links == 1 ? fmt::format("; {} alone helps by less than 1 %", best->what)
                    : fmt::format("; none of the {} busiest links alone helps by 1 %", links);
}

}  // namespace

std::string change_sentence(Time time, const std::vector<TriedChange>& tried) {
  const TriedChange* best = nullptr;
  for (const ChangeKind kind : {ChangeKind::link, ChangeKind::kind, ChangeKind::latency}) {
    const TriedChange* each = best_of(tried, kind);
    if (each != nullptr && (best == nullptr || each->time < best->time)) best = each;
  }
  if (best == nullptr || best->speedup < kHelps)
    return "No single change helps by 1 %: neither twice the bandwidth of one of the busiest links "
           "or of all of a kind, nor half the latencies.";
  const std::string alone = best->kind == ChangeKind::link ? " alone" : "";
  return fmt::format("{}{} would take it {}{}.", doing(*best), alone, effect(time, *best),
                     alone.empty() ? of_single_links(time, tried) : "");
}

}  // namespace syncsim
