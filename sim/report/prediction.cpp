#include "sim/report/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace syncsim {
namespace {

// Ranges one after the other that get the same sentence.
struct Passage {
  std::string sizes;
  std::string verdict;
};

std::string sentence(const PredictedRange& range) {
  std::string text(to_string(range.verdict));
  const bool slow = range.verdict == Verdict::unexplained;
  if (range.suspects.empty()) return slow ? text + ", nor by any suspect" : text;
  const FoundSuspect& best = range.suspects.front();
  if (range.verdict == Verdict::as_expected) text += ", on the fast side";
  return text +
         (slow && best.cause == Cause::machine ? " as it is said, but as with " : "; fits: ") +
         best.what;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"as expected", "faster than the model",
                                                      "unexplained by topology"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Verdict verdict_of(double ratio, double tolerance) {
  if (std::abs(ratio - 1) <= tolerance) return Verdict::as_expected;
  return ratio < 1 ? Verdict::faster : Verdict::unexplained;
}

bool PredictedRange::on_the_fast_side(double tolerance) const {
  constexpr double kMostOfTolerance = 2.0 / 3;
  return verdict == Verdict::as_expected && ratio < 1 - tolerance * kMostOfTolerance;
}

std::string_view to_string(Cause cause) {
  constexpr std::array<std::string_view, 3> kNames = {"machine", "software", "fitted"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view range_name(SizeClass size) {
  constexpr std::array<std::string_view, kSizeClasses> kNames = {"up to 64 KiB", "64 KiB to 64 MiB",
                                                                 "from 64 MiB", "all sizes"};
  return kNames[static_cast<std::size_t>(size)];
}

Verdict PredictedTable::verdict() const {
  Verdict worst = Verdict::as_expected;
  for (const PredictedRange& range : ranges) worst = std::max(worst, range.verdict);
  return worst;
}

std::string PredictedTable::conclusion() const {
  std::vector<Passage> passages;
  for (const PredictedRange& range : ranges) {
    const std::string verdict = sentence(range);
    if (!passages.empty() && passages.back().verdict == verdict)
      passages.back().sizes += fmt::format(" and {}", range_name(range.size));
    else
      passages.push_back({std::string(range_name(range.size)), verdict});
  }
  if (passages.size() == 1) return passages.front().verdict;
  std::string text;
  for (const Passage& passage : passages)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", passage.sizes, passage.verdict);
  return text;
}

Errors Prediction::errors() const {
  Errors errors;
  for (const PredictedTable& table : tables)
    for (const PredictedRow& row : table.rows) errors.add(std::abs(row.error()));
  return errors;
}

std::size_t Prediction::beyond() const {
  std::size_t count = 0;
  for (const PredictedTable& table : tables)
    for (const PredictedRow& row : table.rows) count += row.verdict == Verdict::as_expected ? 0 : 1;
  return count;
}

const NamedTable<PredictionFormat>& prediction_formats() {
  static const NamedTable<PredictionFormat> table(
      "format", {{"text", "rows, ranges of sizes with suspects, a conclusion", prediction_text},
                 {"json", "all of it, one object", prediction_json},
                 {"csv", "a line a row", prediction_csv}});
  return table;
}

}  // namespace syncsim
