#include "sim/topology/import/p2p_matrix_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/import/pasted_text.h"

namespace syncsim {
namespace {

struct Range {
  double least;
  double most;
  std::string_view right;
};
constexpr Range kConnectivity = {0, 1, "write 0 or 1"};
constexpr Range kRate = {1e-6, 1e6, "write GB/s above zero, as in 24.5"};
constexpr Range kLatency = {0, 1e6, "write microseconds, as in 2.5"};

struct Section {
  std::optional<P2pTable> P2pSections::*table;  // null: checked and dropped
  Range range;
};

bool holds(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// What the line announces, if it is a heading such as "P2P=Disabled Latency Matrix (us)".
std::optional<Section> section_of(std::string_view heading) {
  if (heading.size() > 100 || !holds(heading, "Matrix")) return std::nullopt;
  if (heading.starts_with("P2P Connectivity"))
    return Section{&P2pSections::connectivity, kConnectivity};
  const bool on = holds(heading, "P2P=Enabled");
  const bool reads = holds(heading, "Reads");
  if (!on && !holds(heading, "P2P=Disabled")) return std::nullopt;
  if (heading.starts_with("P2P=") && holds(heading, "Latency") && reads)
    return Section{nullptr, kLatency};
  if (heading.starts_with("P2P=") && holds(heading, "Latency"))
    return Section{on ? &P2pSections::latency_on : &P2pSections::latency_off, kLatency};
  if (heading.starts_with("Unidirectional") && reads) return Section{&P2pSections::reads, kRate};
  if (heading.starts_with("Unidirectional"))
    return Section{on ? &P2pSections::one_way_on : &P2pSections::one_way_off, kRate};
  if (heading.starts_with("Bidirectional"))
    return Section{on ? &P2pSections::both_ways_on : &P2pSections::both_ways_off, kRate};
  return std::nullopt;
}

// "D\D", "GPU" or "CPU" before the numbers of the columns.
bool heads_columns(std::string_view word) {
  return word == "GPU" || word == "CPU" ||
         (word.size() >= 3 && word.size() <= 4 && word.starts_with('D') && word.ends_with('D'));
}

std::optional<double> parse_figure(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

class P2pReader {
 public:
  P2pReader(std::string_view text, const std::string& file) : text_(text) { sections_.file = file; }

  P2pSections read() {
    while (text_.next_line()) read_line();
    end_section();
    if (sections_.gpus == 0)
      throw InputError("holds no matrix of p2pBandwidthLatencyTest",
                       R"(paste its output, from "P2P Connectivity Matrix" on)", sections_.file);
    return std::move(sections_);
  }

 private:
  InputError error(const PastedWord& word, std::string wrong, std::string right) const {
    return InputError(std::move(wrong), std::move(right), place_of(sections_.file, word));
  }

  void read_line() {
    if (const auto section = section_of(text_.rest())) {
      end_section();
      section_ = section;
      heading_ = text_.next_word();
      empty_ = true;
      return;
    }
    const PastedWord first = text_.next_word();
    if (!section_ || !heads_columns(first.text)) return;
    const std::size_t columns = read_columns(first);
    P2pTable table = read_rows(columns);
    empty_ = false;
    if (first.text == "CPU" || section_->table == nullptr) return;
    auto& place = sections_.*section_->table;
    if (place) return warn_of_second_run();
    place = section_->table == &P2pSections::reads ? transposed(table) : std::move(table);
  }

  void warn_of_second_run() {
    if (sections_.warnings.empty())
      sections_.warnings.push_back(place_of(sections_.file, heading_) +
                                   ": a second run of the test; took the first only");
  }

  void end_section() const {
    if (section_ && empty_) throw error(heading_, "this section holds no matrix", "paste it whole");
  }

  // How many there are.
  std::size_t read_columns(const PastedWord& first) {
    std::size_t count = 0;
    for (PastedWord word = text_.next_word(); !word.text.empty();
         word = text_.next_word(), ++count) {
      if (count == kMostP2pGpus)
        throw error(word, fmt::format("there are more than {} columns", kMostP2pGpus),
                    "import one machine at a time");
      if (word.text != std::to_string(count))
        throw error(word, fmt::format("column {} is called {}", count, in_quotes(word.text)),
                    "number the columns from 0");
    }
    if (count == 0) throw error(first, "there are no columns", "number them from 0");
    if (sections_.gpus == 0) {
      sections_.gpus = count;
      sections_.line = first.line;
    }
    if (count != sections_.gpus)
      throw error(first,
                  fmt::format("there are {} columns and {} in line {}", count, sections_.gpus,
                              sections_.line),
                  "give every matrix the same gpus");
    return count;
  }

  P2pTable read_rows(std::size_t columns) {
    P2pTable table{columns, {}};
    for (std::size_t row = 0; row < columns; ++row) {
      const bool more = text_.next_line();
      const PastedWord label =
          more ? text_.next_word() : PastedWord{"", heading_.line, heading_.column};
      if (label.text != std::to_string(row))
        throw error(label, fmt::format("here row {} should stand", row),
                    fmt::format("give the matrix {} rows", columns));
      for (std::size_t column = 0; column < columns; ++column)
        table.cells.push_back(read_cell(row, column, columns));
      if (const PastedWord word = text_.next_word(); !word.text.empty())
        throw error(word, fmt::format("row {} has more figures than the {} columns", row, columns),
                    "give every row a figure for each column");
    }
    return table;
  }

  P2pCell read_cell(std::size_t row, std::size_t column, std::size_t columns) {
    const PastedWord word = text_.next_word();
    if (word.text.empty())
      throw error(word, fmt::format("row {} has {} figures for {} columns", row, column, columns),
                  "give every row a figure for each column");
    const auto value = parse_figure(word.text);
    const Range& range = section_->range;
    const bool whole = section_->table != &P2pSections::connectivity || word.text.size() == 1;
    if (!value || *value < range.least || *value > range.most || !whole)
      throw error(word, in_quotes(word.text) + " is none of this matrix' figures",
                  std::string(range.right));
    return {*value, word.line, word.column};
  }

  // Of reads a row is the receiver.
  static P2pTable transposed(const P2pTable& table) {
    P2pTable result = table;
    for (std::size_t i = 0; i < table.gpus; ++i)
      for (std::size_t j = 0; j < table.gpus; ++j)
        result.cells[i * table.gpus + j] = table.at(j, i);
    return result;
  }

  PastedText text_;
  P2pSections sections_;
  std::optional<Section> section_;  // where we are
  PastedWord heading_;
  bool empty_ = false;  // the section, so far
};

}  // namespace

P2pSections read_p2p_sections(std::string_view text, const std::string& file) {
  return P2pReader(text, file).read();
}

}  // namespace syncsim
