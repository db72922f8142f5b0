#pragma once
// Rings read of logs and graph files written as text.

#include <string>
#include <vector>

#include "sim/topology/import/nccl_rings.h"
#include "sim/topology/ring_text.h"
#include "tests/support/refusal.h"

namespace syncsim::testing {

// "0,1,2,3 x2; 0,3,2,1"
inline std::string rings_in(const std::string& text, int ranks) {
  return rings_text(read_nccl_rings(text, "nccl.log", ranks));
}

inline std::string rings_refusal(const std::string& text, int ranks) {
  return refusal_of([&] { read_nccl_rings(text, "nccl.log", ranks); });
}

}  // namespace syncsim::testing
