#pragma once
// Rings in the logs of NCCL and RCCL. What is read, wherever it stands in a line:
//   Channel 00/02 :    0   1   2   3   rank 0's list of a ring; also "Channel 00 :", "Ring 00 :"
//   Ring 00 : 3 -> 0 -> 1              from every rank: the one before it, itself, the next
// where a rank may be "3[1b000]". A list that the terminal wrapped goes on in the next line.
//   comm 0x5581 rank 0 nRanks 4 ...    how many ranks the lines of this thread are about
// Not read: "Channel 00/0 : 0[0] -> 1[1] via P2P", connections that rings and trees share.
//
// The pairs of both forms are put together; each channel must close into one ring of all ranks.
// Lists that are shorter because NCCL cuts its lines (after 20 ranks, later after 127 characters)
// give the pairs that they hold. Lines of communicators with another number of ranks are passed
// over; communicators with as many must have the same rings.

#include <string>
#include <string_view>
#include <vector>

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

struct RingLog {
  std::vector<RingStatement> statements;
  std::vector<int> ranks;
  int connection = 0;  // the first line of a connection; 0: none
};

// `ranks` decides where a list was wrapped inside of a number.
RingLog scan_ring_log(std::string_view text, int ranks);

// By channel, the order of its ring. Throws InputError.
std::vector<std::vector<int>> log_ring_orders(const RingLog& log, const std::string& file,
                                              int ranks);

}  // namespace syncsim
