#pragma once
// Rings in the logs of NCCL and RCCL. What is read, wherever it stands in a line:
//   Channel 00/02 :    0   1   2   3   rank 0's list of a ring; also "Channel 00 :", "Ring 00 :"
//   Ring 00 : 3 -> 0 -> 1              from every rank: the one before it, itself, the next
// where a rank may be "3[1b000]". A list that the terminal wrapped goes on in the next line.
//   comm 0x5581 rank 0 nRanks 4 ...    how many ranks the lines of this thread are about
//   Channel 00/0 : 7[7] -> 8[0] [send] via NET/IB/3/GDRDMA     the NIC of a ring's step
// Connections do not make rings, as trees have them too; a ring's come before a tree's, so that of
// several for one step the first counts.
//
// The pairs of both forms are put together; each channel must close into one ring of all ranks.
// Lists that are shorter because NCCL cuts its lines (after 20 ranks, later after 127 characters)
// give the pairs that they hold. Lines of communicators with another number of ranks are passed
// over; communicators with as many must have the same rings.

#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/import/nccl_rings.h"

namespace syncsim {

// What one line says of one channel.
struct RingStatement {
  int channel = 0;
  int channels = 0;       // "00/02" says of how many; 0: not said
  int communicator = 0;   // its number of ranks; 0: not said
  int line = 0;           // of the log
  std::size_t first = 0;  // of RingLog::ranks
  std::size_t count = 0;
  bool is_hop = false;  // previous, rank, next: no whole turn
};

// By which nic a rank sends to another, or receives from it.
struct NetStatement {
  int channel = 0;
  int communicator = 0;  // as above
  int from = 0;
  int to = 0;
  bool sends = false;
  int nic = 0;
  int line = 0;
};

struct RingLog {
  std::vector<RingStatement> statements;
  std::vector<NetStatement> nets;
  std::vector<int> ranks;
  int connection = 0;  // the first line of a connection; 0: none
};

// `ranks` decides where a list was wrapped inside of a number.
RingLog scan_ring_log(std::string_view text, int ranks);

// A ring a channel. Throws InputError.
std::vector<Ring> log_rings(const RingLog& log, const std::string& file, const RingRanks& ranks);

}  // namespace syncsim
