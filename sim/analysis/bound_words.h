#pragma once
// What binds, in words for people: sides of cuts and parts of partitions as ranges of ranks, and
// the links between them.

#include <string>
#include <vector>

#include "sim/analysis/cut_oracle.h"
#include "sim/analysis/partition_bound.h"

namespace syncsim {

// "rank 3 (gpu3)", "rank 3 (gpu3), which comes at 5 ms".
std::string rank_words(const BoundQuery& query, std::size_t rank);

// "ranks 0-3 | 4-7, 6 links of 25 GB/s". For what enters S the sides change places.
std::string words_of(const BoundQuery& query, const TerminalSet& inside, Flow flow);

// "8 parts of one rank, 1.2 TB/s out of them", "3 parts: ranks 0-3 | 4-7 | 8-11, 75 GB/s out of
// them".
std::string words_of(const Partition& partition, std::size_t ranks, double unit, Flow flow);

}  // namespace syncsim
