#include "sim/schedule/check_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace syncsim::checking {
namespace {

using Result = std::optional<Violation>;

// Byte offsets count from the collective's first chunk.
struct Range {
  std::int64_t begin;
  std::int64_t end;
};

Range range_of(const Schedule& schedule, const PlacedCollective& placed, std::uint32_t chunk) {
  const auto& boundaries = schedule.buffers[placed.buffer].boundaries;
  const std::int64_t origin = boundaries[placed.first_chunk];
  return {boundaries[chunk] - origin, boundaries[chunk + 1] - origin};
}

// The last block that begins at or before the offset: the one that is not empty.
std::uint32_t block_at(const std::vector<std::int64_t>& blocks, std::int64_t offset) {
  const auto after = std::upper_bound(blocks.begin(), blocks.end(), offset);
  return static_cast<std::uint32_t>(after - blocks.begin() - 1);
}

class CollectiveChecks {
 public:
  CollectiveChecks(const Schedule& schedule, std::size_t index)
      : schedule_(schedule), placed_(schedule.collectives[index]), index_(index) {}

  Result run() const {
    for (const auto step :
         {&CollectiveChecks::own_figures, &CollectiveChecks::ranks, &CollectiveChecks::place,
          &CollectiveChecks::bytes, &CollectiveChecks::overlap, &CollectiveChecks::blocks})
      if (Result violation = (this->*step)()) return violation;
    return {};
  }

 private:
  Violation violation(const std::string& message, std::uint32_t chunk = kNone) const {
    const bool named = placed_.collective.kind <= kLastCollective;
    const std::string kind = named ? fmt::format(" ({})", to_string(placed_.collective.kind)) : "";
    return {Violation::Kind::structure, fmt::format("collective {}{}: {}", index_, kind, message),
            kNone, chunk};
  }

  Result own_figures() const {
    if (placed_.collective.kind > kLastCollective)
      return violation(fmt::format("kind {} is unknown; kinds are 0 to {}",
                                   static_cast<int>(placed_.collective.kind),
                                   static_cast<int>(kLastCollective)));
    try {
      validate(placed_.collective);
    } catch (const InputError& failure) {
      return violation(failure.what());
    }
    return {};
  }

  Result ranks() const {
    if (static_cast<std::uint32_t>(placed_.collective.ranks) == schedule_.ranks) return {};
    return violation(fmt::format("it is over {} ranks; the schedule has {}",
                                 placed_.collective.ranks, schedule_.ranks));
  }

  Result place() const {
    if (placed_.buffer >= schedule_.buffers.size())
      return violation(fmt::format("buffer {} does not exist; {}", placed_.buffer,
                                   there_are(schedule_.buffers.size())));
    const Buffer& buffer = schedule_.buffers[placed_.buffer];
    const std::uint64_t end = std::uint64_t{placed_.first_chunk} + placed_.chunk_count;
    if (end <= buffer.chunks()) return {};
    return violation(fmt::format("chunk {} does not exist; buffer {} has {}",
                                 std::max<std::uint64_t>(end, 1) - 1, buffer.name,
                                 buffer.chunks()));
  }

  Result bytes() const {
    const auto& boundaries = schedule_.buffers[placed_.buffer].boundaries;
    const std::int64_t held =
        boundaries[placed_.first_chunk + placed_.chunk_count] - boundaries[placed_.first_chunk];
    if (held == placed_.collective.buffer_bytes()) return {};
    return violation(fmt::format("it is over {} B; its chunks hold {} B",
                                 placed_.collective.buffer_bytes(), held));
  }

  // With the collectives before it.
  Result overlap() const {
    for (std::size_t other = 0; other < index_; ++other) {
      const PlacedCollective& earlier = schedule_.collectives[other];
      const std::uint32_t first = std::max(earlier.first_chunk, placed_.first_chunk);
      const std::uint32_t end = std::min(earlier.first_chunk + earlier.chunk_count,
                                         placed_.first_chunk + placed_.chunk_count);
      if (earlier.buffer == placed_.buffer && first < end)
        return violation(fmt::format("{} chunk {} belongs to collective {} already; place "
                                     "collectives on disjoint chunks",
                                     schedule_.buffers[placed_.buffer].name, first, other),
                         first);
    }
    return {};
  }

  Result blocks() const {
    if (!has_blocks(placed_.collective.kind)) return {};
    const std::vector<std::int64_t> blocks = placed_.collective.block_boundaries();
    for (std::uint32_t i = 0; i < placed_.chunk_count; ++i) {
      const Range range = range_of(schedule_, placed_, placed_.first_chunk + i);
      if (range.begin == range.end) continue;
      const std::uint32_t block = block_at(blocks, range.begin);
      if (range.end > blocks[block + 1])
        return straddles(i, block, block_at(blocks, range.end - 1));
    }
    return {};
  }

  Violation straddles(std::uint32_t i, std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t chunk = placed_.first_chunk + i;
    return violation(fmt::format("{} chunk {} straddles blocks {} and {}; cut chunks where "
                                 "blocks begin",
                                 schedule_.buffers[placed_.buffer].name, chunk, first, last),
                     chunk);
  }

  const Schedule& schedule_;
  const PlacedCollective& placed_;
  std::size_t index_;
};

}  // namespace

Roles::Roles(const ChunkIds& ids) : schedule_(ids.schedule()), assigned_(ids.count()) {
  for (std::uint32_t index = 0; index < schedule_.collectives.size(); ++index) {
    const PlacedCollective& placed = schedule_.collectives[index];
    const std::vector<std::int64_t> blocks = placed.collective.block_boundaries();
    for (std::uint32_t i = 0; i < placed.chunk_count; ++i) {
      const std::uint32_t chunk = placed.first_chunk + i;
      const Range range = range_of(schedule_, placed, chunk);
      if (range.begin == range.end) continue;
      assigned_[ids.id(placed.buffer, chunk)] = {index, block_at(blocks, range.begin)};
    }
  }
}

Role Roles::of(ChunkId chunk) const {
  const auto set = [](int rank) {
    return rank == Collective::kEveryRank ? RankSet{} : RankSet{static_cast<std::uint32_t>(rank)};
  };
  const Collective& placed = collective(chunk);
  const std::uint32_t block = assigned_[chunk].block;
  return {set(placed.contributor(block)), set(placed.holder(block))};
}

const Collective& Roles::collective(ChunkId chunk) const {
  return schedule_.collectives[assigned_[chunk].collective].collective;
}

std::optional<Violation> check_collectives(const Schedule& schedule) {
  for (std::size_t index = 0; index < schedule.collectives.size(); ++index)
    if (Result violation = CollectiveChecks(schedule, index).run()) return violation;
  return {};
}

}  // namespace syncsim::checking
