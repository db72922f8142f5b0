#include "sim/scenario/predict/disturbed_rows.h"

#include <algorithm>
#include <limits>
#include <map>

namespace syncsim {
namespace {

constexpr double kFar = 1.3;

// The rows of a size.
struct AtSize {
  double least = std::numeric_limits<double>::infinity();        // us
  double least_above = std::numeric_limits<double>::infinity();  // of larger sizes
  double ratio = 0;                                              // the largest
  double beside = 0;                                             // of the sizes next to it
};

std::map<Bytes, AtSize> by_size(const std::vector<PredictedRow>& rows) {
  std::map<Bytes, AtSize> sizes;
  for (const PredictedRow& row : rows) {
    AtSize& at = sizes[row.bytes];
    at.least = std::min(at.least, row.measured);
    at.ratio = std::max(at.ratio, row.ratio());
  }
  AtSize* smaller = nullptr;
  for (auto& [bytes, at] : sizes) {
    if (smaller != nullptr) {
      at.beside = smaller->ratio;
      smaller->beside = std::max(smaller->beside, at.ratio);
    }
    smaller = &at;
  }
  double least = std::numeric_limits<double>::infinity();
  for (auto at = sizes.rbegin(); at != sizes.rend(); ++at) {
    at->second.least_above = least;
    least = std::min(least, at->second.least);
  }
  return sizes;
}

}  // namespace

void mark_disturbed(std::vector<PredictedRow>& rows) {
  const std::map<Bytes, AtSize> sizes = by_size(rows);
  if (sizes.size() < 3) return;  // two show no more than that one of them is off
  for (PredictedRow& row : rows) {
    const AtSize& at = sizes.at(row.bytes);
    row.disturbed = row.verdict == Verdict::unexplained &&
                    (row.measured > kFar * at.least_above || row.ratio() > kFar * at.beside);
  }
}

}  // namespace syncsim
