#pragma once
// Numbers a schedule's lanes, (source, destination, channel), by first use, so that nothing depends
// on a hash. Joins have no lane.

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "sim/schedule/schedule.h"

namespace syncsim {

class LaneIndex {
 public:
  // The lane's number: `count()` before the call when the lane is new. kNone for a join.
  std::uint32_t number(const Op& op) {
    if (op.kind == OpKind::join) return kNone;
    const Key key{std::uint64_t{op.source} << 32 | op.destination, op.channel};
    return numbers_.try_emplace(key, count()).first->second;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()); }

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
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
};

}  // namespace syncsim
