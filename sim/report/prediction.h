#pragma once
// Measured times beside what a library's model says of them, row by row; and of sizes where they
// part, why that may be. ratio = measured / predicted; errors are |predicted / measured - 1|, as in
// validate.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/report/library_setup.h"
#include "sim/report/validation_report.h"

namespace syncsim {

enum class Verdict : std::uint8_t { as_expected, faster, unexplained };
// "as expected", "faster than the model", "unexplained by topology".
std::string_view to_string(Verdict verdict);
// A ratio up to 1 + tolerance away is as expected.
Verdict verdict_of(double ratio, double tolerance);

// What a suspect changes: the machine, how the library runs on it, or neither: a figure fitted to
// the rows themselves.
enum class Cause : std::uint8_t { machine, software, fitted };
std::string_view to_string(Cause cause);

struct PredictedRow {
  std::string place;  // "log.txt:17"
  Bytes bytes;
  double measured = 0;   // us
  double predicted = 0;  // us
  std::string algorithm = {};
  std::string protocol = {};
  int channels = 0;        // 0: not said
  std::string binds = {};  // "host launch", "latency", "channels", or a link
  Verdict verdict = Verdict::as_expected;
  bool disturbed = false;  // other sizes beside it show that something took part of its time

  double ratio() const { return measured / predicted; }
  double error() const { return predicted / measured - 1; }
};

// What would make the model say what was measured.
struct FoundSuspect {
  std::string name;   // of suspects(): "nics_missing"
  std::string what;   // "half the NICs missing"
  std::string check;  // where people would see it
  std::string again;  // options that say it to the program; empty: there are none
  Cause cause = Cause::machine;
  double error = 0;  // mean |ln ratio| of the range's rows that is left
};

struct PredictedRange {
  SizeClass size = SizeClass::all;
  std::size_t rows = 0;
  std::size_t disturbed = 0;  // of those
  double ratio = 1;           // geometric mean
  double outside = 0;         // mean |ln ratio|
  Verdict verdict = Verdict::as_expected;
  std::vector<FoundSuspect> suspects = {};  // best first; empty: none explains it

  // As expected, but so near to being faster that it is asked what would be.
  bool on_the_fast_side(double tolerance) const;
};

struct PredictedTable {
  std::string topology;
  std::vector<std::string> edits = {};
  std::string collective = {};
  std::string datatype = {};
  int ranks = 0;
  LibrarySetup library = {};
  std::vector<PredictedRow> rows = {};
  std::vector<PredictedRange> ranges = {};  // that have rows, small ones first

  Verdict verdict() const;  // of the ranges, the worst
  std::string conclusion() const;
};

struct Prediction {
  std::vector<PredictedTable> tables;  // at least one
  std::vector<std::string> notes;
  double tolerance = 0;
  bool judged = false;  // whether rows beyond the tolerance are a failure

  Errors errors() const;
  std::size_t beyond() const;  // rows that are not as expected
};

// "up to 64 KiB", "64 KiB to 64 MiB", "from 64 MiB".
std::string_view range_name(SizeClass size);

struct PredictionFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(const Prediction& prediction);
};
const NamedTable<PredictionFormat>& prediction_formats();

std::string prediction_text(const Prediction& prediction);
std::string prediction_json(const Prediction& prediction);  // one object
std::string prediction_csv(const Prediction& prediction);   // a line a row

}  // namespace syncsim
