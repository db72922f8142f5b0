#pragma once
// What keeps a run from being faster, in three sentences: what binds, how far the run is from the
// lower bound, and which single change would help most. Each change was tried: the point was run
// again with it, the strategy and its parameters as they were.

#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

enum class ChangeKind { start, link, kind, latency };

struct TriedChange {
  ChangeKind kind = ChangeKind::link;
  std::string what;  // "gpu0-switch0", "every pcie link", "every latency", "rank 3 on time"
  std::vector<std::string> edits;  // as --edit takes them
  Time time;                       // with it
  double speedup = 1;              // without it / time
  std::string options = {};        // to be typed behind the command: --edit "..."
  // Of the machine as it is: the point's time, or less where what the strategy lays with the change
  // is faster there too, which the change does not bring.
  Time without = {};
};

struct Explanation {
  std::string binds;
  std::string bound;
  std::string change;
  std::string options;             // of that change; "" where none helps
  std::vector<TriedChange> tried;  // late ranks, then links, the busiest first, ...
};

// The fastest of a kind, of equal ones the first; nullptr where none was tried.
const TriedChange* best_of(const std::vector<TriedChange>& tried, ChangeKind kind);
// Of all kinds; nullptr where none helps.
const TriedChange* best_change(const std::vector<TriedChange>& tried);
// Whether a change brings as much as is worth telling.
bool helps(const TriedChange& change);

// "Doubling every pcie link would take it from 5.19 ms to 2.60 ms (2.00x); ...".
std::string change_sentence(Time time, const std::vector<TriedChange>& tried);

}  // namespace syncsim
