// Verdicts as a table, with sources and notes below.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim {
namespace {

std::string_view verdict(const Claim& claim) {
  if (!claim.decided) return "not run";
  return claim.passed ? "pass" : "FAIL";
}

// fmt's own padding counts the columns that a terminal takes, two for some scripts.
std::string padded(const std::string& text, std::size_t width) {
  const std::size_t length = characters(text);
  return text + std::string(width - std::min(width, length), ' ');
}

// Numbers texts by first use: [1], [2], ... Empty texts have no number.
class References {
 public:
  std::string mark(const std::string& text) {
    if (text.empty()) return "";
    auto found = std::find(texts_.begin(), texts_.end(), text);
    if (found == texts_.end()) found = texts_.insert(found, text);
    return fmt::format("[{}]", found - texts_.begin() + 1);
  }
  std::string list() const {
    const std::size_t label_width =
        std::max<std::size_t>(4, fmt::formatted_size("[{}]", texts_.size()));
    std::string result;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      std::string label = fmt::format("[{}]", i + 1);
      for (const std::string& line : wrapped(texts_[i], kPageWidth - label_width - 1)) {
        result += fmt::format("{:<{}} {}\n", label, label_width, line);
        label.clear();
      }
    }
    return result;
  }

 private:
  std::vector<std::string> texts_;
};

constexpr std::size_t kNameWidth = 31;
constexpr std::size_t kExpectedWidth = 21;
constexpr std::size_t kSimulatedWidth = 14;

std::string row(const std::string& name, const std::string& source, const std::string& expected,
                const std::string& actual, const std::string& off, std::string_view verdict) {
  const std::vector<std::string> lines = wrapped(name, kNameWidth);
  std::string text =
      fmt::format("{} {:<10} {:>{}} {:>{}} {:>11}  {}\n", padded(lines[0], kNameWidth), source,
                  expected, kExpectedWidth, actual, kSimulatedWidth, off, verdict);
  for (std::size_t i = 1; i < lines.size(); ++i) text += fmt::format("  {}\n", lines[i]);
  return text;
}

// What is too long for its column stands below, and where a claim that failed is written.
std::string row_of(const Claim& claim, const std::string& references) {
  std::string below;
  const auto cell = [&](std::string_view what, const std::string& text, std::size_t width) {
    if (characters(text) <= width) return text;
    below += fmt::format("  {}: {}\n", what, text);
    return std::string();
  };
  const std::string expected = cell("expected", expected_text(claim), kExpectedWidth);
  const std::string actual = cell("simulated", claim.actual, kSimulatedWidth);
  if (claim.decided && !claim.passed) below += fmt::format("  at {}\n", one_line(place_of(claim)));
  return row(claim_title(claim), references, expected, actual, deviation_text(claim.deviation),
             verdict(claim)) +
         within_page(below);
}

}  // namespace

std::string claims_text(Verdicts verdicts) {
  References sources;
  std::string text = row("claim", "source", "expected", "simulated", "deviation", "verdict");
  for (const FileVerdict& file : verdicts) {
    for (const Claim& claim : file.claims) {
      const std::string source = sources.mark(claim.source);
      text += row_of(claim, source + sources.mark(claim.note));
    }
  }
  text += "\n" + sources.list();
  return text + Tally(verdicts).text() + "\n";
}

}  // namespace syncsim
