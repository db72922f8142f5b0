#pragma once
// Numbers a schedule's lanes, (source, destination, channel), by first use, so that nothing depends
// on a hash. Joins have no lane. Most schedules use their lanes over and over in the order in which
// they first did, so the lane after the last one is tried first; then the source's open-addressing
// table: linear probing, at most half full. Tables of one source stay in the cache while a schedule
// goes through its lanes; groups as sources have tables of their own. O(1); 12 bytes a lane, and 24
// to 48 of the table; 32 a source.

#include <cstddef>
#include <cstdint>
#include <utility>
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
    ParticipantId destination = 0;
    std::uint32_t channel = 0;
    std::uint32_t number = kNone;  // kNone: free
  };
  struct Source {
    std::vector<Slot> slots;
    std::uint32_t lanes = 0;
  };

  std::uint32_t look_up(const Lane& lane) {
    std::vector<Source>& sources = is_group(lane.source) ? groups_ : sources_;
    const std::uint32_t index = group_index(lane.source);  // a participant's is its id
    if (index >= sources.size()) sources.resize(index + std::size_t{1});
    Source& source = sources[index];
    if (2 * (std::size_t{source.lanes} + 1) > source.slots.size()) grow(source);
    Slot& slot = find(source, lane.destination, lane.channel);
    if (slot.number != kNone) return slot.number;
    ++source.lanes;
    slot = {lane.destination, lane.channel, count()};
    lanes_.push_back(lane);
    return slot.number;
  }
  // Where the lane is, or else the free slot where it belongs.
  static Slot& find(Source& source, ParticipantId destination, std::uint32_t channel) {
    const std::uint64_t end = std::uint64_t{channel} << 32 | destination;
    const std::size_t mask = source.slots.size() - 1;
    for (std::size_t at = end * 0x9e3779b97f4a7c15u >> 32 & mask;; at = (at + 1) & mask) {
      Slot& slot = source.slots[at];
      const bool same = slot.destination == destination && slot.channel == channel;
      if (same || slot.number == kNone) return slot;
    }
  }
  static void grow(Source& source) {
    const std::size_t size = source.slots.empty() ? kFirstSize : 2 * source.slots.size();
    const std::vector<Slot> old = std::exchange(source.slots, std::vector<Slot>(size));
    for (const Slot& slot : old)
      if (slot.number != kNone) find(source, slot.destination, slot.channel) = slot;
  }

  static constexpr std::size_t kFirstSize = 4;  // a power of two, as all sizes
  std::vector<Lane> lanes_;
  std::vector<Source> sources_;
  std::vector<Source> groups_;
  std::uint32_t last_ = 0;
};

}  // namespace syncsim
