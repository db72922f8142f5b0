#pragma once
// What a schedule has to compute. Every rank holds one buffer of `bytes` bytes ("data", in place;
// nccl-tests' size: for all-gather and reduce-scatter n times the per-rank count). For a byte at
// offset x, two facts say all:
//   contributors(x): the ranks whose initial data makes up the value; others hold nothing there;
//   holders(x):      the ranks that must end with exactly that sum, each contributor once.
//   allreduce        all           -> all
//   reduce           all           -> root
//   broadcast        root          -> all
//   reduce_scatter   all           -> owner(x)
//   all_gather       owner(x)      -> all
// owner(x) is the rank whose part of the buffer x lies in; part r begins at element
// floor(elements x r / n), so that sizes need not divide.

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
  all_gather
};
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
  // n + 1 offsets in bytes: part r is [result[r], result[r + 1]).
  std::vector<std::int64_t> part_boundaries() const;
};

// Throws InputError for no ranks, a size that is no multiple of the element, a root out of range.
void validate(const Collective& collective);

// busbw = algbw x factor, as nccl-tests defines it (PERFORMANCE.md): allreduce 2(n-1)/n;
// reduce-scatter, all-gather (n-1)/n; broadcast, reduce 1. One rank: 0 for the first three, as
// the formula says.
double busbw_factor(CollectiveKind kind, int ranks);

}  // namespace syncsim
