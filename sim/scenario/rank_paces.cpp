#include "sim/scenario/rank_paces.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/text_file.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostTraceBytes = 1 << 24;

Paces steady_paces(const Point& point, std::size_t ranks) {
  const Training& training = *point.training;
  const auto require_rank = [&](int rank, const std::string& place) {
    if (std::cmp_greater_equal(rank, ranks))
      throw InputError(fmt::format("rank {} is not in the run", rank),
                       fmt::format("name ranks of the run, 0 to {}", ranks - 1), place);
  };
  std::vector<RankPace> each(ranks);
  for (const auto& [rank, speed] : training.speeds) {
    require_rank(rank, point.place("speeds"));
    each[static_cast<std::size_t>(rank)].factor = 1 / speed;
  }
  Paces paces(static_cast<std::size_t>(training.step.steps), each);
  for (const Pause& pause : training.pauses) {
    require_rank(pause.rank, pause.place);
    if (pause.step >= training.step.steps)
      throw InputError(fmt::format("step {} is not run", pause.step),
                       fmt::format("name steps 0 to {}", training.step.steps - 1), pause.place);
    paces[static_cast<std::size_t>(pause.step)][static_cast<std::size_t>(pause.rank)].pause +=
        pause.time;
  }
  return paces;
}

Jitter jitter_of(const Point& point) {
  const JitterField& field = point.training->jitter;
  Jitter jitter = field.jitter;
  if (!field.trace_file.empty())
    jitter.trace = at_file(point, "jitter", field.trace_file, [&] {
      return read_jitter_trace(
          read_text_file(field.trace_file, kMostTraceBytes, "a CSV file of factors and delays"),
          field.trace_file);
    });
  return jitter;
}

// All steps one after the other on the slowest rank of each.
void require_time(const Point& point, const Setting& setting, const Paces& paces) {
  const Time step =
      setting.model->forward() + setting.model->backward() + point.training->step.update;
  double sum = 0;
  for (const auto& ranks : paces) {
    double longest = 0;
    for (const RankPace& pace : ranks)
      longest = std::max(longest, static_cast<double>(step.ps) * pace.factor * pace.jitter +
                                      static_cast<double>(pace.pause.ps));
    sum += longest;
  }
  constexpr double kMost = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 2);
  if (sum <= kMost) return;
  const char* const field = point.training->speeds.empty() ? "jitter" : "speeds";
  throw InputError(fmt::format("the steps compute longer than {}",
                               to_string(Time{std::numeric_limits<std::int64_t>::max() / 2})),
                   "take faster ranks, or fewer steps", point.place(field));
}

}  // namespace

Paces paces_of(const Point& point, const Setting& setting) {
  const Training& training = *point.training;
  if (training.speeds.empty() && training.pauses.empty() && training.jitter.empty()) return {};
  Paces paces = steady_paces(point, setting.ranks.size());
  add_jitter(jitter_of(point), point.seed, paces);
  require_time(point, setting, paces);
  return paces;
}

}  // namespace syncsim
