#pragma once
// Why sizes take longer than the model says, or less: every suspect is tried on the rows. One
// explains a range of sizes when
//   1. with it the mean |ln(measured / predicted)| is at most half of what it was, and
//   2. within the tolerance, and
//   3. ranges that are as expected without it stay within the tolerance with it.
// Of those that do, the nearest come first. One that explains several ranges gains by it: one cause
// is likelier than two. A fitted figure, which can hardly miss, comes first only where the others
// are clearly farther off; less clearly so a cap where the network's stack is known to cap flows.
// Ranges that are as expected, but hardly slow enough, are asked about as those that are faster.
// Which variants are tried on more than one size trials.h says. Of each range up to 8 rows are
// looked at, of over 32 ranks 3; of over 64 ranks some nodes stand for all.

#include "sim/base/side_by_side.h"
#include "sim/report/prediction.h"
#include "sim/scenario/library/library_model.h"
#include "sim/scenario/setting.h"

namespace syncsim {

struct Investigated {
  const Point& point;
  const Setting& setting;
  LibraryTerms terms;   // with what was assumed filled in
  std::string busiest;  // the link that binds the largest size; may be empty
  const RunSettings& settings;
  double tolerance = 0;
  const SideBySide& side_by_side;
};

// Fills in the suspects of the table's ranges that are not as expected.
void find_suspects(PredictedTable& table, const Investigated& of);

}  // namespace syncsim
