// A prediction for people.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/prediction.h"

namespace syncsim {
namespace {

constexpr std::size_t kBoundWidth = 24;

std::string heading(const PredictedTable& table) {
  std::vector<std::string> facts = {table.collective + " of " + table.datatype,
                                    counted(static_cast<std::uint64_t>(table.ranks), "rank")};
  for (std::string& word : table.library.words()) facts.push_back(std::move(word));
  std::string text = fmt::format("{}: {}\n", table.topology, fmt::join(facts, ", "));
  for (const std::string& edit : table.edits) text += "  edit: " + edit + "\n";
  for (const std::string& assumed : table.library.assumed) text += "  assumed: " + assumed + "\n";
  return text;
}

// The verdict of a row, short: the ranges below have it in full.
std::string_view mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::as_expected:
      return "as expected";
    case Verdict::faster:
      return "faster";
    case Verdict::unexplained:
      return "unexplained";
  }
  return "";
}

std::string row_line(const PredictedRow& row) {
  return fmt::format("{:>10} {:>12} {:>12} {:>6.2f}  {:<16}  {:<{}}  {}\n", to_string(row.bytes),
                     figures::duration(row.measured * 1e-6),
                     figures::duration(row.predicted * 1e-6), row.ratio(),
                     choice_text(row.algorithm, row.protocol), binds_text(row.binds, kBoundWidth),
                     kBoundWidth, row.disturbed ? "disturbed" : mark_of(row.verdict));
}

std::string suspect_lines(const PredictedRange& range) {
  std::string text;
  const char* word = "suspect";
  for (const FoundSuspect& suspect : range.suspects) {
    text +=
        fmt::format("  {}: {} (leaves {})\n", word, suspect.what, figures::percent(suspect.error));
    text += "    check: " + suspect.check + "\n";
    if (!suspect.again.empty()) text += "    with: " + suspect.again + "\n";
    word = "or";
  }
  if (range.verdict != Verdict::as_expected && range.suspects.empty())
    text += "  no suspect explains it\n";
  return text;
}

std::string range_lines(const PredictedTable& table) {
  std::string text = fmt::format("\n{:<18} {:>5} {:>11}  verdict\n", "sizes", "rows", "mean ratio");
  for (const PredictedRange& range : table.ranges)
    text += fmt::format("{:<18} {:>5} {:>11.2f}  {}\n", range_name(range.size), range.rows,
                        range.ratio, to_string(range.verdict)) +
            suspect_lines(range);
  return text + "conclusion: " + table.conclusion() + "\n";
}

std::string table_text(const PredictedTable& table) {
  std::string text =
      heading(table) + fmt::format("{:>10} {:>12} {:>12} {:>6}  {:<16}  {:<{}}  {}\n", "size",
                                   "measured", "predicted", "ratio", "by", "binds", kBoundWidth,
                                   "verdict");
  for (const PredictedRow& row : table.rows) text += row_line(row);
  return text + range_lines(table) + "\n";
}

}  // namespace

std::string prediction_text(const Prediction& prediction) {
  std::string text;
  for (const PredictedTable& table : prediction.tables) text += table_text(table);
  for (const std::string& note : prediction.notes) text += note + "\n";
  const Errors errors = prediction.errors();
  text += fmt::format("{}, mean error {}, worst {}\n", counted(errors.rows, "row"),
                      figures::percent(errors.mean()), figures::percent(errors.worst));
  if (prediction.judged)
    text += fmt::format("within {}: {}\n", figures::percent(prediction.tolerance),
                        prediction.beyond() == 0
                            ? std::string("yes")
                            : fmt::format("NO, {} beyond", counted(prediction.beyond(), "row")));
  return within_page(text);
}

}  // namespace syncsim
