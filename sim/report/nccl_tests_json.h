#pragma once
// What nccl-tests writes to a file with -J (since 2.17): {"args": ["./all_reduce_perf", ...],
// "nccl_version": 22703, "config": {"nthreads": 1, "ngpus": 8, "graph": 0, "devices": [{"rank": 0,
// ...}, ...]}, "results": [{"size": 8, "count": 2, "type": "float", "redop": "sum", "root": " -1",
// "out_of_place": {"time": 61.5, "alg_bw": ..., "bus_bw": ..., "nwrong": ...}, "in_place": ...},
// ...]}. Keys that are not listed are passed over.

#include "sim/base/json_reader.h"
#include "sim/report/nccl_tests_table.h"

namespace syncsim {

// Whether JSON is of this form.
bool holds_nccl_tests(const JsonReader& json);

// Lines are numbers of results, from 1. Throws InputError at its place.
NcclTestsTable read_nccl_tests(const JsonReader& json);

}  // namespace syncsim
