#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/exec/processes/saying.h"

namespace syncsim {

std::string processes_text(std::uint64_t count) {
  return fmt::format("{} process{}", count, count == 1 ? "" : "es");
}

std::string joint_text(const std::vector<Saying>& sayings) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> errors;  // and whose they are
  for (std::size_t rank = 0; rank < sayings.size(); ++rank) {
    if (sayings[rank].state != Saying::State::failed) continue;
    const std::string& text = sayings[rank].error;
    auto same = std::find_if(errors.begin(), errors.end(),
                             [&](const auto& error) { return error.first == text; });
    if (same == errors.end()) same = errors.insert(errors.end(), {text, {}});
    same->second.push_back(rank);
  }
  if (errors.size() == 1 && errors[0].second.size() == sayings.size()) return errors[0].first;
  std::vector<std::string> lines;
  for (const auto& [text, ranks] : errors)
    lines.push_back(fmt::format("on {} {}: {}", ranks.size() == 1 ? "rank" : "ranks",
                                fmt::join(ranks, ", "), text));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace syncsim
