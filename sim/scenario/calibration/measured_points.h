#pragma once
// What was measured, and what it was: points read from files of any of these forms, told by what
// they look like:
//   - runs of executors, as `syncsim execute --format json` writes them, which say all of a point;
//   - tables (measured_table.h), which say sizes and times, and perhaps the collective; the rest is
//     said beside;
//   - matrices of p2pBandwidthLatencyTest: a transfer a pair, of as many bytes as that test copies;
//     both at once; and of one element for its latency.
// Points of one series differ in their size alone. What was measured several times is one point,
// with the median.

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/point.h"

namespace syncsim {

struct MeasuredFile {
  std::string name;  // for places
  std::string text;
};

// What tables do not say.
struct TableTerms {
  Point point;  // the machine too, of all points
  bool has_collective = false;
  bool in_place = false;  // take the times of in-place runs
};

// One transfer between two gpus of the machine, in file order; or one each way.
struct PairTransfer {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t gpus = 0;  // that the machine must have
  bool both_ways = false;
};

struct MeasuredPoint {
  std::string place;
  Point point;                            // its bytes too
  std::optional<PairTransfer> pair = {};  // in place of the point's schedule
  int ranks = 0;                          // that it says; 0: it does not
  std::string series = {};
  double seconds = 0;
  int times = 1;
};

struct MeasuredPoints {
  std::vector<MeasuredPoint> points;
  std::vector<std::string> notes;
};

// Throws InputError with its place: for what is none of these, for terms that tables need and lack,
// and for those that nothing needs.
MeasuredPoints read_measured(const std::vector<MeasuredFile>& files, const TableTerms& terms);

}  // namespace syncsim
