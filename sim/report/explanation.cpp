#include "sim/report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace syncsim {
namespace {

constexpr double kHelps = 1.01;

bool better(const TriedChange& a, const TriedChange& b) { return a.speedup > b.speedup; }

std::string doing(const TriedChange& change) {
  if (change.kind == ChangeKind::start) return "Having " + change.what;
  return (change.kind == ChangeKind::latency ? "Halving " : "Doubling ") + change.what;
}

std::string effect(Time before, const TriedChange& change) {
  const std::string laid_anew =
      change.without < before ? fmt::format(" of the {} that what is then laid takes without it",
                                            to_string(change.without))
                              : "";
  return fmt::format("from {} to {} ({:.2f}x{})", to_string(before), to_string(change.time),
                     change.speedup, laid_anew);
}

// What single links do, beside a change of many.
std::string of_single_links(Time time, const std::vector<TriedChange>& tried) {
  const TriedChange* best = best_of(tried, ChangeKind::link);
  if (best == nullptr) return "";
  if (helps(*best))
    return fmt::format("; of single links {} helps most, {}", best->what, effect(time, *best));
  const auto links = std::count_if(tried.begin(), tried.end(), [](const TriedChange& change) {
    return change.kind == ChangeKind::link;
  });
  return links == 1 ? fmt::format("; {} alone helps by less than 1 %", best->what)
                    : fmt::format("; none of the {} busiest links alone helps by 1 %", links);
}

}  // namespace

const TriedChange* best_of(const std::vector<TriedChange>& tried, ChangeKind kind) {
  const TriedChange* best = nullptr;
  for (const TriedChange& change : tried)
    if (change.kind == kind && (best == nullptr || better(change, *best))) best = &change;
  return best;
}

bool helps(const TriedChange& change) { return change.speedup >= kHelps; }

const TriedChange* best_change(const std::vector<TriedChange>& tried) {
  const TriedChange* best = nullptr;
  for (const ChangeKind kind :
       {ChangeKind::start, ChangeKind::link, ChangeKind::kind, ChangeKind::latency}) {
    const TriedChange* each = best_of(tried, kind);
    if (each != nullptr && (best == nullptr || better(*each, *best))) best = each;
  }
  return best != nullptr && helps(*best) ? best : nullptr;
}

std::string change_sentence(Time time, const std::vector<TriedChange>& tried) {
  const TriedChange* best = best_change(tried);
  if (best == nullptr)
    return "No single change helps by 1 %: neither twice the bandwidth of one of the busiest links "
           "or of all of a kind, nor half the latencies.";
  const bool many = best->kind == ChangeKind::kind || best->kind == ChangeKind::latency;
  const std::string alone = best->kind == ChangeKind::link ? " alone" : "";
  return fmt::format("{}{} would take it {}{}.", doing(*best), alone, effect(time, *best),
                     many ? of_single_links(time, tried) : "");
}

}  // namespace syncsim
