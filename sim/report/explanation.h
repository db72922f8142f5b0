#pragma once
// What keeps a run from being faster, in three sentences: what binds, how far the run is from the
// lower bound, and which single change would help most. Each change was tried: the point was run
// again with it, the strategy and its parameters as they were.

#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

enum class ChangeKind { link, kind, latency };

struct TriedChange {
  ChangeKind kind = ChangeKind::link;
  std::string what;                // "gpu0-switch0", "every pcie link", "every latency"
  std::vector<std::string> edits;  // as --edit takes them
  Time time;                       // with it
  double speedup = 1;              // time without it / time
};

struct Explanation {
  std::string binds;
  std::string bound;
  std::string change;
  std::vector<TriedChange> tried;  // single links first, the busiest first
};

// "Doubling every pcie link would take it from 5.19 ms to 2.60 ms (2.00x); ...".
std::string change_sentence(Time time, const std::vector<TriedChange>& tried);

}  // namespace syncsim
