#pragma once
// A schedule as a JSON file: one of the two formats of a plan. What is read is what was written, to
// the bit; the same schedule always gives the same text.
//   "format"        "syncsim plan 1"
//   "ranks"         how many; "participants": node names, ranks first, then helpers
//   "groups"        lists of participants; as an end of an op, group g is 2147483648 + g
//   "buffers"       {"name", "boundaries" in bytes, "relaxed" where true}; the first holds the data
//   "channels"      {"weight", "maximum_bytes_per_second", "plane"}, each left out where usual
//   "nics"          {"channel", "participant", "out", "in"}; "durations_ps"; "phases"; "notes"
//   "collectives"   {"collective", "ranks", "bytes", "datatype", "root", "buffer", "first_chunk",
//                   "chunk_count"}
//   "op_columns"    names what stands where in "ops"; what it leaves out is 0
//   "ops"           a list each: its columns, then the numbers of the ops that wait for it
// The ops come last and are read one by one: 1 M of them take their text and 36 MB.

#include <ostream>
#include <string>
#include <string_view>

#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr std::string_view kPlanFormat = "syncsim plan 1";

void write_schedule(const Schedule& schedule, std::ostream& out);

// `name` begins the places of its InputErrors, which go down to the op and column. The result
// passes check_structure.
Schedule read_schedule(std::string_view text, const std::string& name);

}  // namespace syncsim
