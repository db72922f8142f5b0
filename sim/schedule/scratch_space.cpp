#include "sim/schedule/scratch_space.h"

#include <algorithm>

namespace syncsim {
namespace {

constexpr std::int64_t kAlignment = 8;  // the largest element

bool has(const std::vector<bool>& given, ParticipantId rank) {
  return rank < given.size() && given[rank];
}

void give(std::vector<bool>& given, std::span<const ParticipantId> ranks) {
  for (const ParticipantId rank : ranks) {
    if (rank >= given.size()) given.resize(rank + std::size_t{1});
    given[rank] = true;
  }
}

}  // namespace

Slice ScratchSpace::find(const std::string& name, std::int64_t size,
                         std::span<const ParticipantId> ranks) {
  std::vector<Part>& parts = parts_[{name, size, ranks.size()}];
  const auto free = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
    return std::none_of(ranks.begin(), ranks.end(),
                        [&](ParticipantId rank) { return has(part.given, rank); });
  });
  if (free != parts.end()) {
    give(free->given, ranks);
    return free->slice;
  }
  if (!buffer_) buffer_ = buffers_.add_growing("scratch");
  Part& part = parts.emplace_back(Part{buffers_.claim(*buffer_, end_, size), {}});
  end_ += (size + kAlignment - 1) / kAlignment * kAlignment;
  give(part.given, ranks);
  return part.slice;
}

}  // namespace syncsim
