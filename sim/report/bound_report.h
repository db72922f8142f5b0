#pragma once
// The lower bounds of a collective on a machine, as they are printed: for the ranks by themselves,
// and where more of the machine can add up, with it. JSON keys are stable.

#include <string>
#include <vector>

#include "sim/analysis/bounds.h"

namespace syncsim {

// The bounds when these nodes add up beside the ranks.
struct BoundSet {
  std::string adding_up;  // "the ranks", "the ranks and the switches", "the ranks and the CPUs"
  std::vector<LowerBound> bounds;  // the largest first
};

struct BoundReport {
  std::string topology;
  std::vector<std::string> edits;
  Collective collective;
  Rates rates = Rates::line;
  std::vector<BoundSet> sets;  // the ranks' first
};

// `query.helpers` is not used: sets are made for the switches that reduce and for the CPUs, where
// there are some and they matter (allreduce).
BoundReport bound_report(const BoundQuery& query, std::vector<std::string> edits = {});

std::string bound_text(const BoundReport& report);
std::string bound_json(const BoundReport& report);

}  // namespace syncsim
