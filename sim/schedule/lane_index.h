#pragma once
// Numbers a schedule's lanes, (source, destination, channel), by first use, so that nothing depends
// on a hash. Joins have no lane. Most schedules use their lanes over and over in the order in which
// they first did, so the lane after the last one is tried first; then an open-addressing table:
// linear probing, at most half full. O(1); 12 bytes a lane, and 16 to 32 of the table.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim {

class LaneIndex {
 public:
  // The lane's number: `count()` before the call when the lane is new. kNone for a join.
  std::uint32_t number(const Op& op) {
    if (op.kind == OpKind::join) return kNone;
    const Lane lane{op.source, op.destination, op.channel};
    const std::uint32_t likely = last_ + 1 < count() ? last_ + 1 : 0;
    last_ = likely < count() && lanes_[likely] == lane ? likely : look_up(lane);
    return last_;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(lanes_.size()); }

 private:
  struct Lane {
    ParticipantId source = 0;
    ParticipantId destination = 0;
    std::uint32_t channel = 0;
    bool operator==(const Lane&) const = default;
  };
  struct Slot {
    std::uint32_t hash = 0;        // of the lane: tells most lanes apart without looking at them
    std::uint32_t number = kNone;  // kNone: free
  };

  std::uint32_t look_up(const Lane& lane) {
    if (2 * (lanes_.size() + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(lane);
    std::size_t at = hash & mask();
    for (; slots_[at].number != kNone; at = (at + 1) & mask())
      if (slots_[at].hash == hash && lanes_[slots_[at].number] == lane) return slots_[at].number;
    slots_[at] = {hash, count()};
    lanes_.push_back(lane);
    return slots_[at].number;
  }
  static std::uint32_t hash_of(const Lane& lane) {
    const std::uint64_t ends = std::uint64_t{lane.source} << 32 | lane.destination;
    const std::uint64_t mixed = (ends ^ std::uint64_t{lane.channel} << 48) * 0x9e3779b97f4a7c15u;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    slots_.assign(slots_.empty() ? kFirstSize : 2 * slots_.size(), {});
    for (std::uint32_t number = 0; number < count(); ++number) {
      const std::uint32_t hash = hash_of(lanes_[number]);
      std::size_t at = hash & mask();
      while (slots_[at].number != kNone) at = (at + 1) & mask();
      slots_[at] = {hash, number};
    }
  }

  static constexpr std::size_t kFirstSize = 64;  // a power of two, as all sizes
  std::vector<Lane> lanes_;
  std::vector<Slot> slots_;
  std::uint32_t last_ = 0;
};

}  // namespace syncsim
