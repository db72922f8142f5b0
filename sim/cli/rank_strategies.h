#pragma once
// Every strategy that does a point's collective, each at its best, ranked; and plans among them.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/supervisor.h"
#include "sim/report/comparison.h"
#include "sim/scenario/race.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {

// The point's own strategy does not matter. `supervisor` is told of every run; how many there are:
std::size_t runs_to_rank(const std::vector<std::string>& plans);
// Throws Interrupted.
Comparison rank_strategies(const Point& point, const std::vector<std::string>& plans,
                           const RunSettings& settings, Supervisor& supervisor);

// Ranks what the race of one strategy comes to, or leaves it out with why: whatever goes wrong with
// one says nothing of the others. Throws Interrupted.
void add_or_leave_out(std::string_view strategy, std::vector<Report>& reports,
                      std::vector<LeftOut>& left_out, const std::function<Race()>& run);

// Throws Interrupted in place of going on to the next point.
void begin_point(Supervisor& supervisor);

}  // namespace syncsim::cli
