#pragma once
// What a schedule has to compute. Every rank holds one buffer ("data", in place; `bytes` is
// nccl-tests' size: for all-gather and reduce-scatter n times the per-rank count). For a byte at
// offset x, two facts say all:
//   contributors(x): the ranks whose initial data makes up the value; others hold nothing there;
//   holders(x):      the ranks that must end with exactly that sum, each contributor once.
//   allreduce, barrier  all           -> all
//   reduce              all           -> root
//   broadcast           root          -> all
//   reduce_scatter      all           -> rank b
//   all_gather          rank b        -> all
//   gather              rank b        -> root
//   scatter             root          -> rank b
//   all_to_all          rank b / n    -> rank b mod n
//   send_recv           rank b        -> rank b + 1 mod n
// where b is the block of the buffer that x lies in. Blocks are n parts, part r beginning at
// element floor(elements x r / n), so that sizes need not divide. What is different on every rank,
// and goes to another, has blocks of its own for each rank, so that the buffer is n times `bytes`:
// row r of all-to-all is rank r's data in n parts, one for each rank; block r of send-recv is all
// of it. A barrier is an allreduce, of one element where no
// size is given, as PyTorch does it over NCCL.

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/base/units.h"

namespace syncsim {

enum class CollectiveKind : std::uint8_t {
  allreduce,
  reduce,
  broadcast,
  reduce_scatter,
  all_gather,
  gather,
  scatter,
  all_to_all,
  send_recv,
  barrier
};
inline constexpr CollectiveKind kLastCollective = CollectiveKind::barrier;
// owner: one rank for each block.
enum class Who : std::uint8_t { all, root, owner };

struct CollectiveRow {
  std::string_view name;  // as in reports: "allreduce", "reduce-scatter", "all-gather"
  std::string_view description;
  CollectiveKind kind;
  Who contributors;
  Who holders;
};
const NamedTable<CollectiveRow>& collectives();
const CollectiveRow& row(CollectiveKind kind);
std::string_view to_string(CollectiveKind kind);
// Also nccl-tests' spellings: all_reduce, reduce_scatter, all_gather, allgather, ...
CollectiveKind parse_collective(std::string_view text);

struct DatatypeRow {
  std::string_view name;  // int8, float16, bfloat16, int32, float32, int64, float64
  std::string_view description;
  std::int64_t size;  // bytes
};
const NamedTable<DatatypeRow>& datatypes();

struct Collective {
  CollectiveKind kind = CollectiveKind::allreduce;
  int ranks = 1;
  Bytes bytes;
  std::string_view datatype = "float32";
  int root = 0;

  std::int64_t element_size() const;
  std::int64_t elements() const { return bytes.count / element_size(); }
  // Of the data buffer: `bytes`, or n times as much.
  std::int64_t buffer_bytes() const;
  // Offsets in the buffer: block b is [result[b], result[b + 1]).
  std::vector<std::int64_t> block_boundaries() const;
  // The one rank that contributes to a block, or must hold it; kEveryRank where all do.
  static constexpr int kEveryRank = -1;
  int contributor(std::int64_t block) const;
  int holder(std::int64_t block) const;
};

// Whether every rank ends with the sum over all: allreduce, barrier.
bool sums_everywhere(CollectiveKind kind);
// Whether the blocks of a buffer go different ways.
bool has_blocks(CollectiveKind kind);
// Whether one rank alone has, or ends with, the data: broadcast, reduce, gather, scatter.
bool is_rooted(CollectiveKind kind);
// Whether every rank has blocks of its own in a buffer of n times `bytes`.
bool is_pairwise(CollectiveKind kind);

// Throws InputError for no ranks, a size that is no multiple of the element, a root out of range,
// a buffer beyond 2^62 bytes.
void validate(const Collective& collective);

// busbw = algbw x factor, as nccl-tests defines it (PERFORMANCE.md): allreduce 2(n-1)/n;
// reduce-scatter, all-gather, all-to-all, gather, scatter (n-1)/n; broadcast, reduce, send-recv 1.
// One rank: 0 where the formula says so. A barrier counts as an allreduce.
double busbw_factor(CollectiveKind kind, int ranks);

}  // namespace syncsim
