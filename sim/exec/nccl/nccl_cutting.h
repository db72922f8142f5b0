#pragma once
// How NCCL cuts what a call sends: chunks of the trees that go on from NVLink's switches, and
// channels by which two gpus of a node reach each other. Sources beside the constants.

namespace syncsim {

struct NcclGraph;

// topologies/rates/nccl.json, "cutting"; 0 where a library has no such thing, or nothing is known.
struct NcclCutting {
  double nvls_tree_chunk = 0;          // bytes, of a channel and a head
  double nvls_tree_chunk_of_many = 0;  // the same from 4 nodes on
  int nvls_heads = 0;                  // gpus of a node that trees go on from, at most
  int peer_channels = 0;               // of a gpu, to all of its peers
  double least_peer_part = 0;          // bytes of a channel, where two gpus send to each other
  double most_peer_part = 0;           // of more than that more channels take part
};

// Bytes of a call that NVLS trees move at a time: a chunk on each channel of each head, the smaller
// the fewer of them the call has (calcCollChunking). 0: not known.
double nvls_tree_piece(const NcclCutting& cutting, const NcclGraph& graph, int channels,
                       double bytes);

// Channels by which a gpu sends so many bytes to a peer of its node over NVLink
// (ncclTopoComputeP2pChannels, and how enqueue.cc shares them among ranks). 0: not known.
int peer_channels(const NcclCutting& cutting, const NcclGraph& graph, double bytes);
// The same to a peer of another node: two, or one among many ranks (ncclTopoGetNchannels).
int far_peer_channels(const NcclCutting& cutting, const NcclGraph& graph);

}  // namespace syncsim
