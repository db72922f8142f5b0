#pragma once
// The tables of nccl-tests, read back: what people paste, and what `run --format nccl-tests`
// writes.
//   #       size         count      type   redop    root     time   algbw   busbw #wrong     time
//   ...
//      1048576        262144     float     sum      -1    61.50   17.05   25.57      0    60.88 ...
// The last head line above a row names its columns: with or without redop and root, "#wrong" or the
// older "error", one half or both (out of place, in place); columns of other names are passed over.
// Rows without a head are told by their shape. Other lines (comments, logs) are passed over, and so
// is what mpirun, srun or a log write before a line ("[1,0]<stdout>:", "0:", times of day). Rows
// that give no time (the test failed there, or the line breaks off) are kept apart. A text may hold
// several tables: each row knows the collective that the lines above it name ("Collective test
// starting: all_reduce_perf", or the command line). Times are microseconds, bandwidths 10^9
// bytes/s.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/schedule/collective.h"

namespace syncsim {

struct NcclTestsHalf {
  double microseconds = 0;
  double algbw = 0;             // GB/s
  double busbw = 0;             // GB/s
  std::optional<double> wrong;  // values out of bounds, or the largest error; none: not checked
};

struct NcclTestsRow {
  std::size_t line = 0;    // from 1
  std::string collective;  // "all_reduce", where a line above says it
  Bytes bytes;
  std::int64_t count = 0;   // elements; of all-gather and the like each rank's
  std::string type;         // "float", "half", ...
  std::string operation;    // "sum"; "none" or "" where nothing is added up
  std::optional<int> root;  // -1 where there is none
  std::optional<NcclTestsHalf> out_of_place;
  std::optional<NcclTestsHalf> in_place;
};

struct NcclTestsTable {
  std::string collective;  // as "all_reduce_perf", of the last one that the text says
  int ranks = 0;           // as its lines of devices number them; 0: it has none
  std::optional<int> gpus_of_thread = {};  // -g, where the text says it
  bool graphs = false;                     // -G
  std::string library_version = {};        // "2.27.3", where the text says it
  std::vector<NcclTestsRow> rows;
  std::vector<NcclTestsRow> broken;     // without a time
  std::optional<double> average_busbw;  // GB/s, as the text gives it
  std::optional<std::int64_t> out_of_bounds;
};

// Throws InputError at `name` for a text without a row, and at "NAME:LINE" for a figure that no
// table holds.
NcclTestsTable read_nccl_tests(std::string_view text, const std::string& name);

// "all_reduce_perf": a word where two of ours have a hyphen.
std::string nccl_test(CollectiveKind kind);
// "float32" -> "float": nccl-tests' name of a datatype.
std::string_view nccl_type(std::string_view datatype);
// "float" -> "float32"; of types that we have not, one of the same size: "uint8" -> "int8". Empty
// for what is no type.
std::string_view datatype_of(std::string_view nccl_type);

}  // namespace syncsim
