#include "sim/scenario/predict/disturbed_rows.h"

#include <doctest/doctest.h>

namespace syncsim::disturbed_rows_test {

// Of 8 B, 16 B, ... by the model 10 us each; those beyond 20 % are unexplained.
std::vector<std::size_t> disturbed_of(const std::vector<double>& measured) {
  std::vector<PredictedRow> rows;
  for (const double time : measured) {
    PredictedRow row;
    row.bytes = Bytes{8 << rows.size()};
    row.measured = time;
    row.predicted = 10;
    row.verdict = time > 12 ? Verdict::unexplained : Verdict::as_expected;
    rows.push_back(row);
  }
  mark_disturbed(rows);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].disturbed) found.push_back(i);
  return found;
}

using Rows = std::vector<std::size_t>;

TEST_CASE("a row is disturbed where a larger size takes less by far, or its neighbours do well") {
  CHECK(disturbed_of({10, 10, 50, 10, 10}) == Rows{2});
  CHECK(disturbed_of({50, 50, 50, 10, 10}) == Rows{0, 1, 2});  // larger ones take less
  CHECK(disturbed_of({10, 10, 10, 10, 50}) == Rows{4});        // its neighbour does well
}

TEST_CASE("rows that are off like their neighbours, or as expected, are not disturbed") {
  CHECK(disturbed_of({50, 50, 50, 50}).empty());
  CHECK(disturbed_of({10, 11, 12, 10}).empty());
  CHECK(disturbed_of({14, 17, 21, 26}).empty());  // ever slower, each by less than 1.3 times
  CHECK(disturbed_of({50, 10}).empty());          // two say nothing
}

}  // namespace syncsim::disturbed_rows_test
