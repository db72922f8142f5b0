#include "sim/scenario/crossing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "sim/base/memory.h"

namespace syncsim {
namespace {

// Below 0 where the first is faster.
double difference(const Contest& contest) {
  return static_cast<double>(contest.first.ps - contest.second.ps);
}

double meeting(const Contest& below, const Contest& above) {
  const double share = difference(below) / (difference(below) - difference(above));
  return static_cast<double>(below.bytes.count) +
         share * static_cast<double>((above.bytes - below.bytes).count);
}

std::string size_text(const LeadChange& change) {
  return rough_bytes(static_cast<std::uint64_t>(std::llround(change.at)));
}

std::string never_text(std::span<const Contest> contests) {
  for (const Contest& contest : contests)
    if (contest.first != contest.second)
      return fmt::format("never: the {} is faster throughout",
                         contest.first < contest.second ? "first" : "second");
  return "never: both are equally fast";
}

}  // namespace

std::vector<LeadChange> lead_changes(std::span<const Contest> contests) {
  std::vector<LeadChange> changes;
  const Contest* leader = nullptr;     // the last one with a leader
  const Contest* first_tie = nullptr;  // after it
  for (const Contest& contest : contests) {
    if (contest.first == contest.second) {
      if (first_tie == nullptr) first_tie = &contest;
      continue;
    }
    const bool second_leads = contest.second < contest.first;
    if (leader != nullptr && second_leads != (leader->second < leader->first)) {
      const double at = first_tie != nullptr ? static_cast<double>(first_tie->bytes.count)
                                             : meeting(*leader, contest);
      changes.push_back({leader->bytes, contest.bytes, at, second_leads});
    }
    leader = &contest;
    first_tie = nullptr;
  }
  return changes;
}

Crossing crossing_of(std::span<const Contest> contests) {
  const std::vector<LeadChange> changes = lead_changes(contests);
  if (changes.empty()) return {{}, never_text(contests)};
  if (changes.size() > 1) {
    std::vector<std::string> sizes;
    for (const LeadChange& change : changes) sizes.push_back(size_text(change));
    return {{}, fmt::format("{} times: {}", changes.size(), fmt::join(sizes, ", "))};
  }
  const LeadChange& change = changes.front();
  if (!change.to_second)
    return {{}, fmt::format("the first from {} on, not the second", size_text(change))};
  return {change.at, size_text(change),
          fmt::format(" (between {} and {})", to_string(change.below), to_string(change.above))};
}

}  // namespace syncsim
