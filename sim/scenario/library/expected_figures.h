#pragma once
// What should I get? The figures of a machine's collectives as its library would run them
// (library_model.h), beside the lower bound at line rates.

#include <optional>
#include <vector>

#include "sim/exec/cost_model/library_terms.h"
#include "sim/report/library_figures.h"
#include "sim/scenario/point.h"
#include "sim/scenario/run.h"

namespace syncsim {

struct FiguresQuery {
  Point point;                              // its collective and size are not looked at
  std::vector<CollectiveKind> collectives;  // empty: the usual ones that the model takes
  std::vector<Bytes> sizes;                 // empty: 1 KiB to 16 GiB in steps of four
  LibraryTerms terms;
};

// allreduce, all-gather, reduce-scatter and all-to-all.
const std::vector<CollectiveKind>& usual_collectives();

// Throws InputError with its place: where one rank is left, a size does not fit, or the model
// refuses a collective that was asked for, or all of the usual ones; some of these it leaves out
// and notes.
LibraryFigures expected_figures(const FiguresQuery& query, const RunSettings& settings);

}  // namespace syncsim
