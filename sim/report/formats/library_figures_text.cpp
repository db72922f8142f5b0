// What one should get, for people: a table a collective.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/library_figures.h"

namespace syncsim {
namespace {

constexpr std::size_t kChoiceWidth = 16;
constexpr std::size_t kBindsWidth = 22;  // to the end of the page

std::string heading(const LibraryFigures& figures) {
  std::vector<std::string> facts = {counted(static_cast<std::uint64_t>(figures.ranks), "rank"),
                                    figures.datatype};
  for (std::string& word : figures.library.words()) facts.push_back(std::move(word));
  std::string text = fmt::format("{}: {}\n", figures.topology, fmt::join(facts, ", "));
  for (const std::string& edit : figures.edits) text += "  edit: " + edit + "\n";
  for (const std::string& assumed : figures.library.assumed) text += "  assumed: " + assumed + "\n";
  return text;
}

std::string line(const LibraryFigures& figures, CollectiveKind kind, const LibraryFigure& figure) {
  return fmt::format(
      "{:>9} {:>8.2f} {:>8.2f} {:>11} {:>11} {:>4.0f} %  {:<{}}  {}\n", to_string(figure.bytes),
      figures.busbw(kind, figure) * 1e-9, figures.algbw(figure) * 1e-9,
      figures::duration(figure.microseconds * 1e-6), figures::duration(figure.bound * 1e-6),
      100 * figure.bound / figure.microseconds, choice_text(figure.algorithm, figure.protocol),
      kChoiceWidth, binds_text(figure.binds, kBindsWidth));
}

std::string table(const LibraryFigures& figures, const CollectiveFigures& collective) {
  std::string text =
      fmt::format("\n{}, bandwidths in GB/s\n{:>9} {:>8} {:>8} {:>11} {:>11} {:>6}  {:<{}}  {}\n",
                  to_string(collective.kind), "size", "busbw", "algbw", "time", "least time",
                  "share", "by", kChoiceWidth, "binds");
  for (const LibraryFigure& figure : collective.sizes)
    text += line(figures, collective.kind, figure);
  return text;
}

}  // namespace

std::string figures_text(const LibraryFigures& figures) {
  std::string text = heading(figures);
  for (const CollectiveFigures& collective : figures.collectives)
    text += table(figures, collective);
  for (const std::string& note : figures.notes) text += "\n" + note + "\n";
  return within_page(text);
}

}  // namespace syncsim
