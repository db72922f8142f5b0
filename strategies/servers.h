#pragma once
// Aggregation on servers that own a shard of the data each: what parameter_server and byteps share.
// In pieces that follow each other, so that results leave while gradients still come:
//   add up        ranks of one worker send each other parts of the piece, each adds up its own
//   to the CPU    and sends it to the worker's CPU, if the way leads through one
//   push          every part goes to the shard's server, which adds up
//   update        and may take its time for it
//   pull          the server sends the parts back
//   from the CPU
//   hand out      and they go to the worker's other ranks
// A worker of one rank has push and pull only. Where the server is one of a worker's ranks, the
// others send to it. Of a reduce the root alone pulls, of a broadcast the root alone pushes.

#include <cstdint>
#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

// A server and its shard: how much of the data in proportion, and of a port's bandwidth a transfer.
struct Server {
  ParticipantId participant = 0;
  int weight = 1;
  std::uint16_t channel = kPush;  // of pushes; pulls have the next one

  static constexpr std::uint16_t kAddUp = 0;
  static constexpr std::uint16_t kHandOut = 1;
  static constexpr std::uint16_t kPush = 2;
  static constexpr std::uint16_t kPull = 3;
  static constexpr std::uint16_t kToCpu = 6;  // behind those of a second kind of servers
  static constexpr std::uint16_t kFromCpu = 7;
  static constexpr std::uint16_t kUpdate = 8;
};

// Ranks that add up among themselves first.
using Worker = std::vector<ParticipantId>;

// How a worker's sum gets to the servers and back, and what they do with it.
struct ServerSteps {
  bool on_one = false;  // a worker's first rank adds up and hands out all, else each rank a part
  std::vector<ParticipantId> cpus = {};  // by worker, through which it goes; empty: through none
  Time update = {};                      // of all data on one server; shares go by bytes
};

// The parameter `chunks`, pieces of a shard. auto: pieces of the data of 4,096,000 bytes, at most
// 256, as BytePS cuts tensors (BYTEPS_PARTITION_BYTES, byteps/common/global.cc); no more than the
// overheads of pushes are worth (overheads.h).
int piece_count(const StrategyInput& input, const std::vector<Server>& servers,
                const ScheduleBuilder& builder);

// Collectives whose data is whole: allreduce, reduce, broadcast, barrier. A rank alone moves
// nothing.
void emit_through_servers(const std::vector<Worker>& workers, const std::vector<Server>& servers,
                          int pieces, ScheduleBuilder& builder, const ServerSteps& steps = {});

}  // namespace syncsim::strategy
