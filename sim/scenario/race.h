#pragma once
// Candidates run one after the other on one setting, for the fastest. Same input, same result: no
// clock and no thread has a say.
// 1. Of equal times the first candidate wins.
// 2. A candidate is cut short at twice the time of the fastest so far, so what came within that
//    factor is known exactly.
// 3. Left out: what refuses the machine or the size; schedules of more than kMostOpsTried transfers
//    or kMostLanesTried lanes; strategies on more ranks than their rows say.
// 4. The winner is proved, not all that ran. At most two schedules are held at a time.

#include <optional>
#include <span>
#include <vector>

#include "sim/report/choice.h"
#include "sim/scenario/candidates.h"
#include "sim/scenario/run.h"
#include "sim/scenario/setting.h"

namespace syncsim {

inline constexpr std::uint64_t kMostOpsTried = 1u << 22;
inline constexpr std::uint64_t kMostLanesTried = 1u << 18;  // 512 ranks, all to all

struct Race {
  std::optional<Report> winner;
  std::vector<Tried> tried;  // the fastest first, then those that did not finish, as they were run
};

// The point's own strategy does not matter. Throws Interrupted when the watch says so.
Race race(const Point& point, const Setting& setting, std::span<const Candidate> candidates,
          const RunSettings& settings);

}  // namespace syncsim
