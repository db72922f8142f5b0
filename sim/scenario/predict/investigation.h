#pragma once
// Why sizes take longer than the model says: every suspect is tried on the rows. One explains a
// range of sizes when
//   1. with it the mean |ln(measured / predicted)| is at most half of what it was, and
//   2. within the tolerance, and
//   3. ranges that are as expected without it stay within the tolerance with it.
// Of those that do, the nearest come first, by the mean over all ranges that they explain; one that
// explains several gains by it, and a fitted figure, which can hardly miss, comes first only where
// the others are clearly farther off.
// Of each range up to 8 rows are looked at, on machines of over 256 ranks 3.

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
};

// Fills in the suspects of the table's ranges that are unexplained.
void find_suspects(PredictedTable& table, const Investigated& of);

}  // namespace syncsim
