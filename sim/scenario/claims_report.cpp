// Writes verdicts down.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/scenario/claims.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

struct Tally {
  explicit Tally(std::span<const Claim> claims) {
    for (const Claim& claim : claims) ++(!claim.decided ? not_run : claim.passed ? passed : failed);
  }
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t not_run = 0;
};

std::string_view verdict(const Claim& claim) {
  if (!claim.decided) return "not run";
  return claim.passed ? "pass" : "FAIL";
}

// Lines of at most `width` characters, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string text, std::size_t width) {
  std::vector<std::string> lines;
  while (characters(text) > width) {
    const std::size_t most = prefix_of(text, width);
    std::size_t cut = text.rfind(' ', most);
    if (cut == std::string::npos || cut == 0) cut = most;
    lines.push_back(text.substr(0, cut));
    text.erase(0, text[cut] == ' ' ? cut + 1 : cut);
  }
  lines.push_back(text);
  return lines;
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
    constexpr std::size_t kWidth = 95;
    std::string result;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      std::string label = fmt::format("[{}]", i + 1);
      for (const std::string& line : wrapped(texts_[i], kWidth)) {
        result += fmt::format("{:<4} {}\n", label, line);
        label.clear();
      }
    }
    return result;
  }

 private:
  std::vector<std::string> texts_;
};

std::string what(const Claim& claim) {
  return claim.metric == "time" ? claim.name : fmt::format("{} ({})", claim.name, claim.metric);
}

std::string deviation_text(double deviation) {
  if (!std::isfinite(deviation)) return "-";
  if (deviation == 0) return "0 %";
  const double percent = deviation * 100;
  return std::abs(percent) < 1e-4 ? fmt::format("{:+.0e} %", percent)
                                  : fmt::format("{:+.4g} %", percent);
}

std::string expected_text(const Claim& claim) {
  return claim.tolerance.empty() ? claim.expected : claim.expected + " +- " + claim.tolerance;
}

constexpr std::size_t kNameWidth = 40;

std::string row(const std::string& name, const std::string& source, const std::string& expected,
                const std::string& actual, const std::string& off, const std::string& verdict) {
  const std::vector<std::string> lines = wrapped(name, kNameWidth);
  std::string text =
      fmt::format("{} {:<8} {:>25} {:>14} {:>10}  {}\n", padded(lines[0], kNameWidth), source,
                  expected, actual, off, verdict);
  for (std::size_t i = 1; i < lines.size(); ++i) text += fmt::format("  {}\n", lines[i]);
  return text;
}

}  // namespace

std::string claims_text(std::span<const Claim> claims) {
  References sources;
  std::string text = row("claim", "source", "expected", "simulated", "deviation", "verdict");
  for (const Claim& claim : claims) {
    const std::string source = sources.mark(claim.source);
    text += row(what(claim), source + sources.mark(claim.note), expected_text(claim), claim.actual,
                deviation_text(claim.deviation), std::string(verdict(claim)));
  }
  text += "\n" + sources.list();
  const Tally tally(claims);
  text += fmt::format("{} passed, {} failed", tally.passed, tally.failed);
  if (tally.not_run > 0) text += fmt::format(", {} not run", tally.not_run);
  return text + "\n";
}

std::string claims_json(std::span<const Claim> claims) {
  Json list = Json::array();
  for (const Claim& claim : claims) {
    Json entry = {{"file", claim.file},     {"name", claim.name},
                  {"source", claim.source}, {"note", claim.note},
                  {"metric", claim.metric}, {"expected", claim.expected},
                  {"actual", claim.actual}, {"tolerance", claim.tolerance},
                  {"deviation", nullptr},   {"passed", claim.passed}};
    if (!claim.decided) entry["passed"] = nullptr;
    if (std::isfinite(claim.deviation)) entry["deviation"] = claim.deviation;
    list.push_back(std::move(entry));
  }
  const Tally tally(claims);
  Json all = {{"claims", std::move(list)}, {"passed", tally.passed}, {"failed", tally.failed}};
  if (tally.not_run > 0) all["not_run"] = tally.not_run;
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
