#pragma once
// The sections of p2pBandwidthLatencyTest, in any order, some missing. Everything around them
// (device list, notes, prompts) is passed over; the figures of a section must be whole: columns
// 0, 1, ..., as many rows, each with as many finite numbers, all sections of as many gpus (at most
// kMostP2pGpus). Of two runs the first counts. The latencies that the CPU sees, and those of reads,
// which are round trips, are checked and dropped.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

inline constexpr std::size_t kMostP2pGpus = 256;

struct P2pCell {
  double value = 0;
  int line = 0;
  int column = 0;
};

struct P2pTable {
  std::size_t gpus = 0;
  std::vector<P2pCell> cells;  // row by row; [i, j]: what i sends to j

  const P2pCell& at(std::size_t i, std::size_t j) const { return cells[i * gpus + j]; }
};

struct P2pSections {
  std::string file;
  int line = 0;  // of the first table
  std::size_t gpus = 0;
  std::optional<P2pTable> connectivity;  // 0 or 1
  // GB/s, with P2P disabled and enabled; one way, and both at once summed.
  std::optional<P2pTable> one_way_off, one_way_on, both_ways_off, both_ways_on;
  std::optional<P2pTable> reads;                    // one way, enabled, fetched by the receiver
  std::optional<P2pTable> latency_off, latency_on;  // us, as the GPU sees them
  std::vector<std::string> warnings;
};

// Throws InputError with its place.
P2pSections read_p2p_sections(std::string_view text, const std::string& file);

}  // namespace syncsim
