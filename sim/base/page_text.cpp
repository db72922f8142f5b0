#include "sim/base/page_text.h"

#include <algorithm>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

// How much of a line that is too long stays on it: up to the last blank that fits; of a list that
// would leave half of the page empty up to its last comma that does; else up to the first blank.
std::size_t kept_of(std::string_view line, std::size_t begin) {
  const std::size_t fits = prefix_of(line, kPageWidth);
  const std::size_t blank = line.rfind(' ', fits);
  const std::size_t comma = line.rfind(',', fits - 1);
  const bool has_blank = blank != line.npos && blank > begin;
  if (comma != line.npos && comma > begin && !(has_blank && blank > fits / 2)) return comma + 1;
  return has_blank ? blank : line.find(' ', begin);
}

void add_line(std::string& text, std::string rest) {
  std::size_t begin = std::min(rest.find_first_not_of(" >"), rest.size());
  const std::string lead = rest.substr(0, begin) + "  ";
  while (characters(rest) > kPageWidth) {
    const std::size_t kept = kept_of(rest, begin);
    const std::size_t next = rest.find_first_not_of(' ', kept);
    if (kept == rest.npos || next == rest.npos) break;
    text += rest.substr(0, rest.find_last_not_of(' ', kept - 1) + 1) + "\n";
    rest = lead + rest.substr(next);
    begin = lead.size();
  }
  text += rest;
}

}  // namespace

std::string within_page(std::string_view text) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    add_line(result, std::string(text.substr(begin, end - begin)));
    result += '\n';
  }
  add_line(result, std::string(text.substr(begin)));
  return result;
}

}  // namespace syncsim
