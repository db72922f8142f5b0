#pragma once
// Numbers a schedule's lanes, (source, destination, channel), by first use, so that nothing depends
// on a hash. Joins have no lane. An open-addressing table: linear probing, at most half full.

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
    if (2 * (std::size_t{count_} + 1) > slots_.size()) grow();
    Slot& slot = find({op.source, op.destination, op.channel, kNone});
    if (slot.number != kNone) return slot.number;
    slot = {op.source, op.destination, op.channel, count_};
    return count_++;
  }
  std::uint32_t count() const { return count_; }

 private:
  struct Slot {
    ParticipantId source = 0;
    ParticipantId destination = 0;
    std::uint32_t channel = 0;
    std::uint32_t number = kNone;  // kNone: free
  };

  // Where the lane is, or else the free slot where it belongs.
  Slot& find(const Slot& lane) {
    const std::uint64_t ends = std::uint64_t{lane.source} << 32 | lane.destination;
    const std::uint64_t mixed = (ends ^ std::uint64_t{lane.channel} << 48) * 0x9e3779b97f4a7c15u;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = mixed >> 32 & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      const bool same = slot.source == lane.source && slot.destination == lane.destination &&
                        slot.channel == lane.channel;
      if (same || slot.number == kNone) return slot;
    }
  }
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? kFirstSize : 2 * old.size(), {});
    for (const Slot& slot : old)
      if (slot.number != kNone) find(slot) = slot;
  }

  static constexpr std::size_t kFirstSize = 64;  // a power of two, as all sizes
  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

}  // namespace syncsim
