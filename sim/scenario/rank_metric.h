#pragma once
// Metrics of one rank of training steps, all times: rank.N.step, .compute, .waiting, .for_ranks,
// .transfer, .pause, .finish (report/step_report.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/step_report.h"

namespace syncsim {

struct RankMetric {
  int rank = 0;
  Time (*read)(const RankStep& rank) = nullptr;
};

// Absent where the name is none.
std::optional<RankMetric> rank_metric(std::string_view name);
// What a misspelt one may be.
std::vector<std::string> rank_metrics_like(std::string_view name);
// Throws InputError where the run has no such rank.
const RankStep& rank_of(const RankMetric& metric, const StepReport& step);

}  // namespace syncsim
