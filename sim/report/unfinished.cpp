#include "sim/report/unfinished.h"

#include <fmt/format.h>

#include "sim/base/memory.h"

namespace syncsim {

std::string progress_so_far(const Progress& progress, const std::string& things) {
  std::string text = fmt::format("while {}: {}", to_string(progress.stage), progress.done);
  const bool foretold = progress.stage == Stage::emitting;  // by what strategies announce
  if (progress.total > 0) text += fmt::format(" of {}{}", foretold ? "about " : "", progress.total);
  text += " " + things + " done";
  if (progress.stage == Stage::simulating)
    text += fmt::format(", {} simulated", to_string(progress.simulated));
  return text;
}

std::string Unfinished::text() const {
  std::string text =
      fmt::format("point {} of {} ({}, {})", point, points, strategy, to_string(bytes));
  if (!progress) return "before " + text;
  text += " " + progress_so_far(*progress, std::string(things_of(progress->stage)));
  if (progress->stage == Stage::simulating)
    text += fmt::format(", {} delivered", rough_bytes(static_cast<std::uint64_t>(delivered.count)));
  return "in " + text;
}

}  // namespace syncsim
