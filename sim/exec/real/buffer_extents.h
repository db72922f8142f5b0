#pragma once
// Which bytes of each participant's buffers a real run needs: from the first to the last that the
// schedule touches there, or that matter at its begin or end. All lie in one piece of memory, what
// stays in one place of several (a device's memory, say) side by side.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/exec/real/run_data.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

class BufferExtents {
 public:
  // `places` numbers from 0, by participant, where each one's buffers stay; empty: all in place 0.
  // Of one participant alone where `only` says so: nothing of the others.
  BufferExtents(const Schedule& schedule, const RunData& data,
                std::span<const std::uint32_t> places = {}, ParticipantId only = kNone);

  struct Extent {
    std::int64_t begin = 0;  // in the buffer
    std::int64_t end = 0;
    std::uint64_t at = 0;  // in the memory
  };
  const Extent& of(ParticipantId participant, std::uint8_t buffer) const {
    return extents_[std::size_t{participant} * buffers_ + buffer];
  }
  std::uint64_t total() const { return place_begins_.back(); }
  // Where in the memory a place's part begins, and its bytes. 0 bytes where no participant is.
  std::uint64_t begin_of(std::uint32_t place) const { return place_begins_[place]; }
  std::uint64_t bytes_of(std::uint32_t place) const {
    return place_begins_[place + std::size_t{1}] - place_begins_[place];
  }

 private:
  void include(const Schedule& schedule, const CellPlace& first, std::uint32_t chunks);
  void lay_out(std::span<const std::uint32_t> places);

  std::size_t buffers_;
  ParticipantId only_;
  std::vector<Extent> extents_;
  std::vector<std::uint64_t> place_begins_;  // and the end of the last
};

}  // namespace syncsim
