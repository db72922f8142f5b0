#pragma once
// Staged reductions: a message is copied into a staging buffer at its destination and added from
// there when it is whole, as MPI libraries do. What a strategy calls a reduce becomes two ops:
// 1. Every lane (source, destination, channel) that reduces into a buffer has a place of its own at
//    the destination, as large as the buffer up to the last byte that is added to (a buffer may
//    still be growing); a message lies there where it will lie in the buffer. So reduces into one
//    range commute as before, and nothing is cut that was not cut.
// 2. A lane's next message may arrive while one is added; one into the same range waits for that.
// 3. Sums at one participant and channel are made one after the other, in the order of emission.
// 4. The strategy's op is the sum. Its edges lead to the copy, which begins the two, and come from
//    the sum, or from the copy where only the sender is waited for.
// How many places a buffer needs is measured in a pass that writes no ops (OpEmitter).

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/schedule/buffers.h"

namespace syncsim {

class Staging {
 public:
  static constexpr std::size_t kMostLanes = 1'000'000;

  struct Lane {
    ParticipantId source;
    ParticipantId destination;
    std::uint16_t channel;
  };

  // The first pass measures.
  void begin_pass();
  bool measuring() const { return pass_ == 1; }

  // Where a message into `destination` lies first. Throws InputError for more lanes, or larger
  // buffers, than there may be.
  Slice place(Buffers& buffers, const Lane& lane, const Slice& destination);
  void staged(OpId arrival, OpId sum) { arrivals_.emplace_back(sum, arrival); }
  // The copy that brings what `op` adds; of other ops, the op itself.
  OpId arrival_of(OpId op) const;
  // How many sums there will be; the second call in a pass says none, they are counted.
  std::uint64_t take_expected() { return std::exchange(expected_, 0); }

 private:
  std::uint32_t number_of(const Lane& lane, std::uint8_t buffer);
  Slice places_for(Buffers& buffers, std::uint8_t buffer) const;

  int pass_ = 0;
  std::uint64_t sums_ = 0;                                         // that the first pass met
  std::uint64_t expected_ = 0;                                     // of them, not yet taken
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> numbers_;  // of a lane into a buffer
  std::map<std::pair<std::uint8_t, ParticipantId>, std::uint32_t> lanes_at_;
  std::map<std::uint8_t, std::uint32_t> most_lanes_;  // at one participant, by buffer
  std::map<std::uint8_t, std::int64_t> extent_;       // of what is added to, by buffer
  std::map<std::uint8_t, Slice> staging_of_;          // in this pass, by buffer
  std::vector<std::pair<OpId, OpId>> arrivals_;       // (sum, copy) of this pass, ascending
};

}  // namespace syncsim
