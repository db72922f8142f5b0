#pragma once
// Runs one participant's part of a schedule, by one thread that never waits in MPI.
// 1. An op is sent once the source's own predecessors are finished, and received once the
//    destination's are: each side knows of those that it takes part in. What a side sends is
//    finished for it when MPI has taken the bytes, what it receives when they lie in place and, of
//    a reduce, are added. What comes before its place is free waits in MPI's memory, uncounted.
// 2. Ops travel in pieces of at most 32 KiB, a few of a lane at once. MPI sends such messages
//    without asking first; larger ones wait for an answer that, on a full-duplex network, queues
//    behind what flows the other way: measured, pairs then send by turns.
// 3. Both sides hand a lane's pieces to MPI in the same order, and MPI matches messages of one
//    sender and tag in order, so pieces need no numbers. The tag is the channel,
//    the communicator that of all processes: nothing else is sent there while ops run.
// 4. Additions take place one after the other, in the order of their arrival.
// No deadlock: take the unfinished op that comes first in an order that edges and lanes allow. What
// it waits for is finished on both sides, as is all that is ahead of it on its lane, so both have
// handed its pieces to MPI, which moves them.

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/exec/host/host_memory.h"
#include "sim/exec/host/host_mover.h"
#include "sim/exec/mpi/mpi.h"
#include "sim/exec/mpi/part.h"
#include "sim/exec/processes/patience.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

class MpiCourier {
 public:
  // Keeps references.
  MpiCourier(const Schedule& schedule, const OwnPart& part, HostMemory& memory, HostMover& mover,
             const ElementType& type);
  static std::uint64_t needed_bytes(const OwnPart& part);

  using Clock = std::chrono::steady_clock;
  // An empty message on every lane: MPI opens connections when they are first used, which may take
  // it a second.
  void greet(Patience& patience);
  // Every op of the part once. Throws Interrupted; it is of no more use then.
  void run(Patience& patience);
  // Of the last run, by op of the part, from its begin.
  const std::vector<OpTimes>& times() const { return times_; }
  Clock::time_point began() const { return began_; }

 private:
  static constexpr std::uint32_t kAtOnce = 4;                     // pieces of a lane
  static constexpr std::int64_t kPiece = std::int64_t{32} << 10;  // whole elements of any type

  struct Piece {
    std::uint32_t own = 0;  // an index into the part's ops, as below
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    bool last = false;  // of its op
    bool arrived = false;
  };
  struct Lane {
    std::uint32_t head = kNone;  // the op whose pieces come next
    std::int64_t offset = 0;     // of its next piece
    std::array<Piece, kAtOnce> pieces;
    std::uint32_t front = 0;  // the oldest piece
    std::uint32_t count = 0;
    std::byte* staging = nullptr;  // for so many pieces, where some are added
  };
  struct Ticket {
    std::uint32_t lane = 0;
    std::uint32_t slot = 0;
  };
  struct Timer {
    Time due;
    std::uint32_t own;
    bool operator>(const Timer& other) const { return due > other.due; }
  };

  static std::uint64_t staging_of(const OwnLane& lane);
  const Op& op(std::uint32_t own) const { return schedule_.ops[part_.ops[own].op]; }
  Time now() const;
  void begin();
  bool start_ready();
  void start_local(std::uint32_t own);
  bool fire_timers();
  void send_or_receive(std::uint32_t lane);
  void post(std::uint32_t lane);
  std::byte* place_of(const Piece& piece);
  bool collect();
  void take(Ticket ticket);
  void put(const Lane& lane, std::uint32_t slot);
  void finish(std::uint32_t own);
  Clock::time_point next_due() const;

  const Schedule& schedule_;
  const OwnPart& part_;
  HostMemory& memory_;
  HostMover& mover_;
  const ElementType& type_;
  LargeVector<std::byte> staging_;

  Clock::time_point began_;
  std::size_t done_ = 0;
  std::vector<OpTimes> times_;
  std::vector<std::uint32_t> left_;  // of each op's waits
  std::vector<std::uint32_t> ready_;
  std::vector<Lane> lanes_;
  std::vector<Timer> timers_;  // a heap
  std::vector<MPI_Request> requests_;
  std::vector<Ticket> tickets_;  // whose the requests are
  std::vector<int> indices_;     // of requests that are over
};

}  // namespace syncsim
