#include "sim/exec/nccl/nccl_cutting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sim/exec/nccl/nccl_graph.h"

namespace syncsim {
namespace {

constexpr int kManyNodes = 4;

// Of a chunk's largest size: where a call has fewer of them, it takes this one.
struct SmallerChunk {
  double times;
  double bytes;
};
constexpr std::array<SmallerChunk, 3> kSmallerChunks = {{{16, 131072}, {4, 65536}, {1, 32768}}};

int power_of_two(int at_least) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1, at_least))));
}

// The largest half, quarter ... of `channels` with which all ranks need no more than `room`.
int shared(int channels, int ranks, int room) {
  while (channels > 1 && channels * ranks > room) channels /= 2;
  return channels;
}

}  // namespace

double nvls_tree_piece(const NcclCutting& cutting, const NcclGraph& graph, int channels,
                       double bytes) {
  const double heads = std::min<double>(graph.ranks_per_node, cutting.nvls_heads);
  const double lanes = channels * heads;
  double chunk =
      graph.nodes >= kManyNodes ? cutting.nvls_tree_chunk_of_many : cutting.nvls_tree_chunk;
  for (const SmallerChunk& smaller : kSmallerChunks)
    if (bytes < smaller.times * lanes * chunk) chunk = std::min(chunk, smaller.bytes);
  return lanes * chunk;
}

int far_peer_channels(const NcclCutting& cutting, const NcclGraph& graph) {
  return cutting.peer_channels == 0 ? 0 : shared(2, graph.ranks, 4 * cutting.peer_channels);
}

int peer_channels(const NcclCutting& cutting, const NcclGraph& graph, double bytes) {
  if (cutting.peer_channels == 0 || graph.nodes > 1 || !graph.nvlink) return 0;
  const int all = std::min(cutting.peer_channels, power_of_two(2 * graph.links));
  const int of_peer = std::min(all, power_of_two(2 * graph.peer_links));
  const int least = shared(of_peer, graph.ranks, all);
  const int most = shared(of_peer, graph.ranks, 4 * all);
  int channels = least;
  while (channels <= most / 2 && bytes > channels * cutting.most_peer_part) channels *= 2;
  const double parts = std::ceil(bytes / cutting.least_peer_part);
  return static_cast<int>(std::clamp(parts, 1.0, static_cast<double>(channels)));
}

}  // namespace syncsim
