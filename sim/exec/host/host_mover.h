#pragma once
// What ops do to host memory. Any number of threads may do ops at once that their schedule lets run
// at once: additions into one chunk, and whatever reaches into a relaxed buffer, exclude each other
// chunk by chunk. Integers and whole numbers add up to the same in any order.

#include <array>
#include <mutex>

#include "sim/exec/host/host_memory.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

class HostMover {
 public:
  // Keeps references.
  HostMover(const Schedule& schedule, const RunData& data, HostMemory& memory)
      : schedule_(schedule), data_(data), memory_(memory) {}

  // All of a copy or a reduce; of a compute what it produces. Nothing for others.
  void perform(const Op& op);

 private:
  void produce(const Op& op);
  void copy_whole(const Op& op, ParticipantId from, ParticipantId to);
  void move_chunk(const Op& op, const CellPlace& from, const CellPlace& to);
  bool is_relaxed(std::uint8_t buffer) const { return schedule_.buffers[buffer].relaxed; }
  std::size_t bytes(const CellPlace& cell, std::uint32_t chunks) const;
  std::mutex& lock_of(const CellPlace& cell);

  const Schedule& schedule_;
  const RunData& data_;
  HostMemory& memory_;
  std::array<std::mutex, 1024> locks_;  // of chunks, by a hash
};

}  // namespace syncsim
