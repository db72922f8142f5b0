#pragma once
// The rows of a measured table that are of one collective, and what they were taken on: what the
// file says (measured_table.h, published_table.h), and on top of it what is said beside.

#include <string>
#include <vector>

#include "sim/exec/cost_model/library_terms.h"
#include "sim/scenario/calibration/measured_points.h"

namespace syncsim {

struct MeasuredSeries {
  Point point;  // machine, edits, ranks, collective, datatype, root; the first row's bytes
  LibraryTerms terms = {};  // that the file says
  int ranks = 0;            // that the file says; 0: it does not
  struct Row {
    std::string place;
    Bytes bytes;
    double microseconds = 0;
  };
  std::vector<Row> rows = {};  // at least one, as they stand in the file
};

struct MeasuredSeriesFile {
  std::vector<MeasuredSeries> series;  // by collective, datatype and root, in order; at least one
  std::vector<std::string> notes;
};

// `beside`: its machine, where it names one, stands in place of the file's with its edits and
// ranks; its ranks, in place of the file's; its edits come on top. Its collective is that of rows
// that do not say theirs, and chooses rows of one that do. Throws InputError with its place.
MeasuredSeriesFile read_series(const MeasuredFile& file, const TableTerms& beside);

}  // namespace syncsim
