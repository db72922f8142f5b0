#include "sim/report/formats/csv_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncsim::csv {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string(2, '"') : std::string(1, c);
  return quoted + "\"";
}

std::string line(std::span<const std::string> fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace syncsim::csv
