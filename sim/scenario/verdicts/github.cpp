// A workflow command a failed claim, as GitHub documents them ("Workflow commands for GitHub
// Actions"): ::error file=F,line=L,title=T::MESSAGE, in which % and line ends, and in properties
// ':' and ',' too, are written as %XX. Then one line that counts.

#include <fmt/format.h>

#include "sim/base/json_line.h"
#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim {
namespace {

std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string property(const std::string& text) { return escaped(text, "%\r\n:,"); }

std::string command(const Claim& claim) {
  std::string text = "::error file=" + property(claim.file);
  if (const auto line = line_of(claim.file, claim.pointer)) text += fmt::format(",line={}", *line);
  return fmt::format("{},title={}::{}\n", text, property(claim_title(claim)),
                     escaped(failure_text(claim), "%\r\n"));
}

}  // namespace

std::string claims_github(std::span<const Claim> claims) {
  std::string text;
  for (const Claim& claim : claims)
    if (claim.decided && !claim.passed) text += command(claim);
  return text + Tally(claims).text() + "\n";
}

}  // namespace syncsim
