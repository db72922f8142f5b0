#include "sim/schedule/mirrored_cuts.h"

#include <algorithm>

namespace syncsim {
namespace {

// What `to` lacks of the cuts inside of `from`.
void collect(const Cuts& cuts, const Slice& from, const Slice& to, Cuts& missing) {
  const std::vector<std::int64_t>& inside = cuts[from.buffer];
  const std::vector<std::int64_t>& present = cuts[to.buffer];
  auto cut = std::upper_bound(inside.begin(), inside.end(), from.begin);
  for (; cut != inside.end() && *cut < from.end; ++cut) {
    const std::int64_t offset = *cut - from.begin + to.begin;
    if (!std::binary_search(present.begin(), present.end(), offset))
      missing[to.buffer].push_back(offset);
  }
}

// Whether there were any.
bool merge(Cuts& cuts, Cuts& missing) {
  bool any = false;
  for (std::size_t buffer = 0; buffer < cuts.size(); ++buffer) {
    any = any || !missing[buffer].empty();
    std::vector<std::int64_t>& all = cuts[buffer];
    all.insert(all.end(), missing[buffer].begin(), missing[buffer].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    missing[buffer].clear();
  }
  return any;
}

}  // namespace

void mirror_cuts(Cuts& cuts, std::span<const SlicePair> pairs, int most_rounds) {
  Cuts missing(cuts.size());
  for (int round = 0; round < most_rounds; ++round) {
    for (const SlicePair& pair : pairs) {
      collect(cuts, pair.source, pair.destination, missing);
      collect(cuts, pair.destination, pair.source, missing);
    }
    if (!merge(cuts, missing)) return;
  }
}

}  // namespace syncsim
