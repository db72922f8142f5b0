#include "sim/scenario/candidates.h"

#include <algorithm>

namespace syncsim {

std::vector<Candidate> candidates(const Strategy& strategy) {
  std::vector<Candidate> all = {{std::string(strategy.name)}};
  for (const ParameterRow& row : strategy.parameters) {
    std::vector<Candidate> more;
    for (const Candidate& so_far : all) {
      more.push_back(so_far);
      for (const std::string_view value : row.tried) {
        more.push_back(so_far);
        more.back().parameters.emplace(row.name, value);
      }
    }
    all = std::move(more);
  }
  return all;
}

std::vector<Candidate> candidates(CollectiveKind kind) {
  std::vector<Candidate> all;
  for (const Strategy& strategy : strategies().rows()) {
    if (!does(strategy, kind)) continue;
    const std::vector<Candidate> own = candidates(strategy);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const Candidate& candidate) { return candidate.parameters.empty(); });
  return all;
}

}  // namespace syncsim
