// The visible list of strategies: one row each, by family. `list`, did-you-mean, the checks and the
// laws all read it.

#include <utility>

#include "strategies/strategies.h"

namespace syncsim {
namespace {

const std::vector<CollectiveKind> kSums = {
    CollectiveKind::allreduce,      CollectiveKind::reduce,     CollectiveKind::broadcast,
    CollectiveKind::reduce_scatter, CollectiveKind::all_gather, CollectiveKind::barrier};
const std::vector<CollectiveKind> kWhole = {CollectiveKind::allreduce, CollectiveKind::reduce,
                                            CollectiveKind::broadcast, CollectiveKind::barrier};
const std::vector<CollectiveKind> kWholeOrBlocks = {
    CollectiveKind::allreduce, CollectiveKind::reduce,  CollectiveKind::broadcast,
    CollectiveKind::gather,    CollectiveKind::scatter, CollectiveKind::barrier};
const std::vector<CollectiveKind> kEveryCollective = {
    CollectiveKind::allreduce,      CollectiveKind::reduce,     CollectiveKind::broadcast,
    CollectiveKind::reduce_scatter, CollectiveKind::all_gather, CollectiveKind::gather,
    CollectiveKind::scatter,        CollectiveKind::all_to_all, CollectiveKind::send_recv,
    CollectiveKind::barrier};
const std::vector<CollectiveKind> kWithoutRoot = {
    CollectiveKind::allreduce, CollectiveKind::reduce_scatter, CollectiveKind::all_gather,
    CollectiveKind::barrier};

// Of the strategies that cross a torus.
const ParameterRow kStarts = {
    "starts",
    "each",
    "each: an equal share of the data begins in each dimension; first: all begins in the first",
    {"first"}};
const ParameterRow kDirections = {
    "directions",
    "both",
    "both, or one: with both, half of every share goes the other way round",
    {"one"}};

const ParameterRow kTreeChunks = {
    "chunks",
    "auto",
    "pieces that follow each other; auto: sqrt(hops x size / 64 KiB, or the "
    "overhead's bytes), from 1 to 256",
    {"1", "8", "64", "256"}};
const ParameterRow kPieces = {
    "chunks",
    "auto",
    "pieces of a shard that follow each other; auto: of the data one each 4,096,000 B, up to 256",
    {"1", "8", "32"}};
const ParameterRow kTogether = {
    "order", "together",
    "together: a rank sends to, or gets from, all at once; sequential: from one at a time"};

const ParameterRow kRings = {
    "rings", "auto",
    "rank orders such as \"0,1,2,3 x2; 0,2,1,3\", with nics \"nic0>0,1>nic1\"; auto: found in the "
    "machine"};
const ParameterRow kRingDirections = {
    "directions", "one", "one, or both: half of the data runs against the ring", {"both"}};
const ParameterRow kRingChunks = {
    "chunks",
    "auto",
    "pieces a ring's data is cut into; auto: one a rank; 1: the naive ring",
    {"16", "64", "256"}};

// Through nodes that add up for all.
std::vector<Strategy> through_hubs() {
  return {
      {"byteps",
       "every machine, with GPUs or without, adds up what keeps all NICs busy (BytePS, Theorem 1)",
       {{"cpus", "auto",
         "machines without ranks that add up: how many, or their first CPUs, such as "
         "\"host[4-7]/cpu0\"; auto: all of them"},
        kPieces},
       kWhole,
       strategy::emit_byteps},
      {"central_cpu",
       "every rank sends to a CPU, which adds up and sends back",
       {{"cpu", "auto", "node that aggregates; auto: the machine's first CPU"}, kTogether},
       kEveryCollective,
       strategy::emit_central_cpu},
      {"central_gpu",
       "every rank sends to one GPU, which adds up and sends back",
       {{"root", "auto", "rank that aggregates; auto: the collective's root"}, kTogether},
       kEveryCollective,
       strategy::emit_central_gpu},
      {"parameter_server",
       "workers push shards of the data to servers, which add up, and pull the sums",
       {{"servers", "auto",
         "how many, or nodes such as \"cpu0,host[4-7]/gpu*\"; auto: the first CPU of every machine "
         "without ranks, else of every machine with ranks, else the GPUs"},
        {"weights", "equal", "of the servers' shards, such as \"7,4,4,4\""},
        {"workers", "auto",
         "ranks: each pushes its data; machines: GPUs of one add up first; auto: machines, where "
         "there are several"},
        {"inside", "spread",
         "spread: each GPU of a machine adds up a part; one: its first GPU all of it"},
        {"via", "gpus", "gpus: who adds up pushes and pulls; cpu: by way of the machine's CPU"},
        {"update", "none", "time that updating all data takes one server, such as \"3 ms\""},
        {"max_rate", "none",
         "what one push or pull gets at most, such as \"13.7 Gbit/s\" of a TCP stream"},
        kPieces},
       kWhole,
       strategy::emit_parameter_server},
  };
}

// Ranks exchange with each other, all at once or in rounds.
std::vector<Strategy> exchanges() {
  return {
      {"bruck",
       "parts are handed on 1, 2, 4, ... ranks away: ceil(lg n) steps for any n ranks",
       {},
       {CollectiveKind::all_gather, CollectiveKind::all_to_all},
       strategy::emit_bruck},
      {"distributed",
       "each GPU aggregates its own partition of the data, all at once",
       {},
       kEveryCollective,
       strategy::emit_distributed},
      {"halving_doubling",
       "halves, quarters, ... of the data are exchanged in pairs (Rabenseifner); parts stay whole",
       {},
       kSums,
       strategy::emit_halving_doubling},
      {"one_shot",
       "every rank sends its data straight to all that need it, and each adds up by itself",
       {kTogether},
       kEveryCollective,
       strategy::emit_one_shot},
      {"recursive_doubling",
       "each rank exchanges all it has with ranks 1, 2, 4, ... away: few steps, many bytes",
       {},
       kWithoutRoot,
       strategy::emit_recursive_doubling},
  };
}

std::vector<Strategy> rings() {
  return {
      {"chain",
       "data goes from rank to rank along a path, sums come back, chunk behind chunk",
       {{"path", "auto",
         "rank order such as \"0,3,2,1\"; auto: the first ring found in the machine, cut at the "
         "root"},
        kTreeChunks},
       kWholeOrBlocks,
       strategy::emit_chain},
      {"naive_ring",
       "the whole buffer goes around a ring, added up on one lap, handed on during the next",
       {{"ring", "auto",
         "rank order such as \"0,3,2,1\"; auto: the first ring found in the machine"}},
       kWhole,
       strategy::emit_naive_ring},
      {"ring",
       "chunks travel around rings found in the machine",
       {kRings, kRingDirections, kRingChunks},
       kSums,
       strategy::emit_ring},
      {"scatter_allgather",
       "parts go out over a binomial tree and then around rings, or back that way (van de Geijn)",
       {kRings, kRingDirections, kRingChunks, {"order", "sequential", kTogether.description}},
       {CollectiveKind::reduce, CollectiveKind::broadcast},
       strategy::emit_scatter_allgather},
  };
}

std::vector<Strategy> tori() {
  return {
      {"swing",
       "halving and doubling with near ranks first, over all links of a torus",
       {{"dimensions", "auto",
         "lengths of the torus, powers of two such as \"4x4\"; auto: the machine's, or one "
         "dimension"},
        kStarts,
        kDirections},
       kWithoutRoot,
       strategy::emit_swing},
      {"torus_rings",
       "rings along each dimension of a torus in turn, over all of its links",
       {{"dimensions", "auto",
         "lengths of the torus such as \"4x4x4\", the last dimension's ranks next to each other; "
         "auto: the machine's, or two as equal as can be"},
        kStarts,
        kDirections},
       kWithoutRoot,
       strategy::emit_torus_rings},
  };
}

std::vector<Strategy> trees() {
  return {
      {"binary_tree",
       "sums go up one binary tree of the ranks and results down it, chunk behind chunk",
       {kTreeChunks, kTogether},
       kWhole,
       strategy::emit_binary_tree},
      {"binomial_tree",
       "the number of ranks that have been reached doubles with every step",
       {{"chunks", "1", kTreeChunks.description, {"8", "64"}},
        {"order", "sequential", kTogether.description, {"together"}}},
       kWholeOrBlocks,
       strategy::emit_binomial_tree},
      {"double_binary_tree",
       "half of the data on each of two trees; every rank is a leaf of one, inner in the other",
       {kTreeChunks, kTogether},
       kWhole,
       strategy::emit_double_binary_tree},
      {"node_trees",
       "a chain of ranks in each node, two binary trees across nodes for each ring (NCCL's tree)",
       {kRings, kRingDirections, kTreeChunks, kTogether},
       {CollectiveKind::allreduce, CollectiveKind::barrier},
       strategy::emit_node_trees},
      {"packed_trees",
       "spanning trees packed into the machine, chunks travelling up and down all of them at once",
       {{"trees", "auto",
         "trees for each root (of an allreduce: in all); auto: as few as come near the most, "
         "with 64 KiB each"},
        {"chunks", "auto",
         "pieces of a tree's share; auto: up to 128 a level it passes, of at least 4 KiB, so "
         "that there are at most some millions of transfers"}},
       kSums,
       strategy::emit_packed_trees,
       256},
  };
}

// Boxes of it, or its switches.
std::vector<Strategy> by_parts_of_the_machine() {
  return {
      {"hierarchical",
       "one strategy inside of boxes or other groups, another across them, chunk behind chunk",
       {{"inner",
         "ring",
         "strategy inside of groups, such as \"ring(directions=both)\"",
         {"distributed"}},
        {"outer", "ring", "strategy across groups", {"double_binary_tree", "one_shot"}},
        {"groups", "auto",
         "sizes such as 8 or 4x8, or ranks such as \"0-3;4-7\"; auto: the machine's boxes, in one "
         "box the GPUs near each CPU"},
        {"across", "auto",
         "rails: all ranks, each with its shard; leader: one a group, with all data; auto: rails "
         "where the inner strategy scatters and gathers"},
        {"chunks",
         "auto",
         "pieces that follow each other; auto: sqrt(size / (groups - 1) / 2 MiB), from 1 to 64",
         {"1", "8", "64"}}},
       kSums,
       strategy::emit_hierarchical},
      {"in_network",
       "switches add up what all ranks send and send the sum to all of them (NVLS, SHARP)",
       {{"algorithm", "auto",
         "nvls: each rank reads the sum of its part and sends it to all; sharp: a switch holds the "
         "sum; auto: nvls where switches on NVLink reduce"},
        {"chunks",
         "auto",
         "pieces that follow each other; auto: sqrt(size / 64 KiB) of a part, from 1 to 256",
         {"1", "8", "64", "256"}}},
       kSums,
       strategy::emit_in_network},
  };
}

std::vector<Strategy> rows() {
  std::vector<Strategy> all;
  for (const auto family : {through_hubs, exchanges, rings, tori, trees, by_parts_of_the_machine})
    for (Strategy& strategy : family()) all.push_back(std::move(strategy));
  return all;
}

}  // namespace

const NamedTable<Strategy>& strategies() {
  static const NamedTable<Strategy> table("strategy", rows());
  return table;
}

}  // namespace syncsim
