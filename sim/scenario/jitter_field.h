#pragma once
// The field "jitter" of training steps: any of
//   {"lognormal": 0.1, "exponential": "2 ms", "trace": "FILE.csv"}
// or "trace": [[1, 1.2], ["3 ms", 1]], by step and rank (sim/workload/jitter.h).

#include "sim/base/json_reader.h"
#include "sim/workload/jitter.h"

namespace syncsim {

struct JitterField {
  Jitter jitter;                // but for a trace that lies in a file
  std::string trace_file = {};  // its path; empty: none
  bool by_chance = false;       // something is drawn, so that seeds differ

  bool empty() const { return !by_chance && trace_file.empty() && jitter.trace.empty(); }
};

JitterField read_jitter(const JsonReader& json);

}  // namespace syncsim
