#include "sim/cli/progress_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/memory.h"

namespace syncsim::cli {
namespace {

// What a stage takes of a run, roughly: the shares that `./run bench` shows.
double usual_weight(Stage stage) {
  switch (stage) {
    case Stage::reading:
      return 0.2;
    case Stage::choosing:
      return 50;
    case Stage::emitting:
    case Stage::checking:
      return 0.6;
    case Stage::simulating:
      return 1;
  }
  return 1;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bar(double share) {
  constexpr std::size_t kCells = 20;
  const auto full = static_cast<std::size_t>(share * kCells);
  return fmt::format(" [{}{}]", std::string(full, '#'), std::string(kCells - full, ' '));
}

// In the order of the line; `use` says which to keep where not all fit.
struct Part {
  std::string text;
  int use;
};

std::vector<Part> parts_of(const ProgressLine& line) {
  const Progress& progress = line.progress;
  std::vector<Part> parts;
  if (line.points > 1)
    parts.push_back({fmt::format("point {} of {}: ", line.point, line.points), 4});
  parts.push_back({std::string(to_string(progress.stage)), 6});
  if (progress.total > 0)
    parts.push_back({fmt::format(" {:.0f} %", std::floor(share_of(progress) * 100)), 5});
  if (progress.total > 0) parts.push_back({bar(share_of(progress)), 0});
  if (progress.simulated.ps > 0)
    parts.push_back({fmt::format(", {} simulated", to_string(progress.simulated)), 2});
  if (line.stage_seconds > 0 && progress.done > 0 && progress.stage != Stage::choosing) {
    const double rate = static_cast<double>(progress.done) / line.stage_seconds;
    parts.push_back({fmt::format(", {} {}/s", rough_count(static_cast<std::uint64_t>(rate)),
                                 things_of(progress.stage)),
                     1});
  }
  if (line.seconds_left)
    parts.push_back({fmt::format(", {} left", duration(*line.seconds_left)), 3});
  return parts;
}

std::size_t length_of(const std::vector<Part>& parts) {
  std::size_t length = 0;
  for (const Part& part : parts) length += part.text.size();
  return length;
}

std::string fitted(std::vector<Part> parts, std::size_t width) {
  const std::size_t room = width == 0 ? 0 : width - 1;  // the last column may wrap
  while (parts.size() > 1 && length_of(parts) > room)
    parts.erase(std::min_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.use < b.use; }));
  std::string text;
  for (const Part& part : parts) text += part.text;
  return text.substr(0, room);
}

}  // namespace

double share_of(const Progress& progress) {
  if (progress.total == 0) return 0;
  return std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
}

std::string progress_text(const ProgressLine& line, std::size_t width) {
  return fitted(parts_of(line), width);
}

std::string progress_text(const SweepProgress& sweep, std::size_t width) {
  const double share = static_cast<double>(sweep.done) / static_cast<double>(sweep.points);
  std::vector<Part> parts = {{fmt::format("{} of {} points", sweep.done, sweep.points), 5},
                             {bar(share), 0}};
  const double rate = static_cast<double>(sweep.done - sweep.done_before) / sweep.seconds;
  if (rate > 0) {
    parts.push_back({fmt::format(", {:.{}f} points/s", rate, rate < 10 ? 1 : 0), 1});
    parts.push_back(
        {fmt::format(", {} left", duration(static_cast<double>(sweep.points - sweep.done) / rate)),
         3});
  }
  if (sweep.refused > 0) parts.push_back({fmt::format(", {} refused", sweep.refused), 2});
  return fitted(std::move(parts), width);
}

std::optional<double> seconds_left(const Elapsed& elapsed, std::span<const Stage> stages) {
  constexpr double kTooLittle = 0.01;
  const double share = share_of(elapsed.progress);
  if (share < kTooLittle) return std::nullopt;
  const Stage now = elapsed.progress.stage;
  const double stage = elapsed.stage_seconds / share;
  double left = stage - elapsed.stage_seconds;
  for (const Stage later : stages)
    if (later > now) left += stage * usual_weight(later) / usual_weight(now);
  const std::size_t later_points =
      elapsed.points - std::min(elapsed.points, elapsed.finished_points + 1);
  const double mean = elapsed.finished_points > 0
                          ? elapsed.finished_seconds / static_cast<double>(elapsed.finished_points)
                          : elapsed.point_seconds + left;
  return left + static_cast<double>(later_points) * mean;
}

}  // namespace syncsim::cli
