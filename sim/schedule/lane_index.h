#pragma once
// Numbers a schedule's lanes, (source, destination, channel), by first use, so that nothing depends
// on a hash. Joins have no lane. Where the possible lanes are few against the ops, a table of them
// all saves the hashing.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim {

class LaneIndex {
 public:
  explicit LaneIndex(const Schedule& schedule)
      : participants_(schedule.participants.size()), channels_(schedule.channels.size()) {
    const std::size_t possible = participants_ * participants_ * channels_;
    if (possible <= schedule.ops.size()) table_.assign(possible, kNone);
  }

  // The lane's number: `count()` before the call when the lane is new. kNone for a join.
  std::uint32_t number(const Op& op) {
    if (op.kind == OpKind::join) return kNone;
    if (!table_.empty()) {
      std::uint32_t& lane =
          table_[(op.source * participants_ + op.destination) * channels_ + op.channel];
      if (lane == kNone) lane = count_++;
      return lane;
    }
    const Key key{std::uint64_t{op.source} << 32 | op.destination, op.channel};
    const auto [found, added] = numbers_.try_emplace(key, count_);
    count_ += added;
    return found->second;
  }
  std::uint32_t count() const { return count_; }

 private:
  struct Key {
    std::uint64_t ends;
    std::uint16_t channel;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (key.ends ^ (std::uint64_t{key.channel} << 48)) * 0x9e3779b97f4a7c15u >> 11;
    }
  };
  std::size_t participants_;
  std::size_t channels_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> table_;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
};

}  // namespace syncsim
