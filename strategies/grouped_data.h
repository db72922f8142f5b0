#pragma once
// How the data of a collective is shared in a hierarchy, chunk by chunk.
//   rails   Every rank of a group has a shard. A rail is one rank a group that have the same shard;
//           where groups differ in size, that have a part of their shards in common.
//   leader  The leaders of the groups, with all of the data, are the only rail.
// Where blocks belong to ranks, they are laid out so that a rail's or a group's lie side by side.

#include <optional>
#include <vector>

#include "strategies/groups.h"
#include "strategies/shares.h"

namespace syncsim::strategy {

enum class Across : std::uint8_t { rails, leader };

// A slice and its parts, one for each of some ranks. No parts: equal shares.
struct Shared {
  Slice data;
  std::vector<Slice> parts = {};
};
struct Rail {
  std::vector<int> ranks;  // by group
  Shared shared;
};
struct Chunk {
  Slice data;
  std::vector<Shared> of_group;  // what scatters and gathers inside are about
  std::vector<Rail> rails;
};

class GroupedData {
 public:
  // Keeps references. `leaders` are ranks, by group. With blocks, rails are of equal groups only.
  GroupedData(ScheduleBuilder& builder, const Groups& groups, const std::vector<int>& leaders,
              Across across, int chunks);
  GroupedData(const GroupedData&) = delete;
  GroupedData& operator=(const GroupedData&) = delete;

  const std::vector<Chunk>& chunks() const { return chunks_; }
  // Before all else, and after it: copies within ranks.
  void lay_out() const;
  void bring_back() const;

 private:
  std::uint64_t copies_back() const;
  void announce_copies(std::uint64_t copies) const;
  Chunk chunk_of(const Slice& slice) const;
  Chunk chunk_of(const std::vector<Slice>& pieces) const;
  std::vector<int> order() const;
  std::vector<Rail> common_rails(const std::vector<Shared>& of_group) const;

  ScheduleBuilder& builder_;
  const Groups& groups_;
  const std::vector<int>& leaders_;
  Across across_;
  Fold all_;
  std::optional<Shares> blocks_;
  std::vector<Chunk> chunks_;
};

}  // namespace syncsim::strategy
