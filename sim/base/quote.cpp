#include "sim/base/quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncsim {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the longest prefix of at most `most` bytes that cuts no UTF-8 character.
std::size_t whole_prefix(std::string_view text, std::size_t most) {
  while (most > 0 && continues_character(text[most])) --most;
  return most;
}

// Bytes of the UTF-8 character at the start of `text`, 0 where there is none that XML may hold.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues_character(text[i])) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  const bool no_character = first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE;
  return overlong || beyond || no_character ? 0 : length;
}

}  // namespace

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (is_control(c)) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_at(text.substr(i));
    if (length == 0)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    else
      result += one_line(text.substr(i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::size_t prefix_of(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  for (; bytes < text.size(); ++bytes)
    if (!continues_character(text[bytes]) && count-- == 0) break;
  return bytes;
}

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

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return "\"" + printable(text) + "\"";
  return "\"" + printable(text.substr(0, whole_prefix(text, kLongest))) + "...\"";
}

}  // namespace syncsim
