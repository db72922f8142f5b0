// A workflow command a failed claim or refused file, as GitHub documents them ("Workflow commands
// for GitHub Actions"): ::error file=F,line=L,title=T::MESSAGE, in which % and line ends, and in
// properties
// ':' and ',' too, are written as %XX. Then one line that counts.

#include <fmt/format.h>

#include "sim/base/json_line.h"
#include "sim/base/text.h"
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

std::string command(const std::string& file, const std::string& where, const std::string& title,
                    const std::string& message) {
  return fmt::format("::error file={}{},title={}::{}\n", property(file), where, property(title),
                     escaped(message, "%\r\n"));
}

std::string at_pointer(const std::string& file, const std::string& pointer) {
  const auto line = line_of(file, pointer);
  return line ? fmt::format(",line={}", *line) : "";
}

// Of a place in the file itself, "a.json:/expect/3" or "a.json:LINE:COLUMN".
std::string where(const std::string& file, const std::string& place) {
  if (!place.starts_with(file + ":")) return "";
  const std::string in_file = place.substr(file.size() + 1);
  if (in_file.starts_with('/')) return at_pointer(file, in_file == "/" ? "" : in_file);
  const std::vector<std::string_view> numbers = separated(in_file, ':');
  return numbers.size() == 2 ? fmt::format(",line={},col={}", numbers[0], numbers[1]) : "";
}

}  // namespace

std::string claims_github(Verdicts verdicts) {
  std::string text;
  for (const auto& [file, claims, refusal] : verdicts) {
    for (const Claim& claim : claims)
      if (claim.decided && !claim.passed)
        text +=
            command(file, at_pointer(file, claim.pointer), claim_title(claim), failure_text(claim));
    if (refusal) text += command(file, where(file, refusal->place), "refused", refusal->text());
  }
  return text + Tally(verdicts).text() + "\n";
}

}  // namespace syncsim
