#include "sim/scenario/verdicts/verdicts.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"

namespace syncsim {

const NamedTable<VerdictFormat>& verdict_formats() {
  static const NamedTable<VerdictFormat> table(
      "format", {{"text", "a table to read", claims_text},
                 {"json", "one JSON object with a list of claims", claims_json},
                 {"junit", "JUnit XML, for CI servers", claims_junit},
                 {"github", "annotations of GitHub Actions", claims_github}});
  return table;
}

std::string Refusal::text() const { return place.empty() ? error : place + ": " + error; }

Tally::Tally(Verdicts verdicts) {
  for (const FileVerdict& verdict : verdicts) {
    for (const Claim& claim : verdict.claims)
      ++(!claim.decided ? not_run : claim.passed ? passed : failed);
    if (verdict.refusal) ++refused;
  }
}

std::string Tally::text() const {
  std::string text = fmt::format("{} passed, {} failed", passed, failed);
  if (not_run > 0) text += fmt::format(", {} not run", not_run);
  if (refused > 0) text += fmt::format(", {} refused", counted(refused, "file"));
  return text;
}

std::string claim_title(const Claim& claim) {
  return claim.metric == "time" ? claim.name : fmt::format("{} ({})", claim.name, claim.metric);
}

std::string place_of(const Claim& claim) { return claim.file + ":" + claim.pointer; }

std::string expected_text(const Claim& claim) {
  return claim.tolerance.empty() ? claim.expected : claim.expected + " +- " + claim.tolerance;
}

std::string deviation_text(double deviation) {
  if (!std::isfinite(deviation)) return "-";
  constexpr double kNoise = 1e-13;  // of a division
  if (std::abs(deviation) < kNoise) return "0 %";
  const double percent = deviation * 100;
  return std::abs(percent) < 1e-4 ? fmt::format("{:+.0e} %", percent)
                                  : fmt::format("{:+.4g} %", percent);
}

std::string failure_text(const Claim& claim) {
  const std::string text =
      fmt::format("expected {}, simulated {}", expected_text(claim), claim.actual);
  return std::isfinite(claim.deviation)
             ? fmt::format("{} ({})", text, deviation_text(claim.deviation))
             : text;
}

}  // namespace syncsim
