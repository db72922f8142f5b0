#include "sim/cli/plan_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/text.h"
#include "sim/schedule/plan_file.h"

namespace syncsim::cli {
namespace {

std::uint64_t chunks_of(const Schedule& schedule) {
  std::uint64_t chunks = 0;
  for (const PlacedCollective& placed : schedule.collectives) chunks += placed.chunk_count;
  return chunks;
}

std::string collectives_of(const Schedule& schedule, bool with_bytes) {
  std::vector<std::string> texts;
  for (const PlacedCollective& placed : schedule.collectives)
    texts.push_back(std::string(to_string(placed.collective.kind)) +
                    (with_bytes ? " of " + to_string(placed.collective.bytes) : ""));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

nlohmann::ordered_json plan_json(const PlanName& name, const Schedule& schedule) {
  nlohmann::ordered_json json = {{"plan", name.path}, {"format", name.format}};
  if (!schedule.collectives.empty()) {
    const Collective& first = schedule.collectives.front().collective;
    json["collective"] = to_string(first.kind);
    if (name.says_bytes()) json["bytes"] = first.bytes.count;
  }
  json["ranks"] = schedule.ranks;
  json["ops"] = schedule.ops.size();
  json["chunks"] = chunks_of(schedule);
  json["steps"] = longest_chain(schedule);
  return json;
}

std::string plan_text(const PlanName& name, const Schedule& schedule) {
  return fmt::format("{}: {} on {}, {}, {}, {}", name.path,
                     collectives_of(schedule, name.says_bytes()), counted(schedule.ranks, "rank"),
                     counted(schedule.ops.size(), "op"), counted(chunks_of(schedule), "chunk"),
                     counted(longest_chain(schedule), "step"));
}

}  // namespace syncsim::cli
