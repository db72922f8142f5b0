#include "sim/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "sim/base/error.h"
#include "sim/base/quote.h"

namespace syncsim {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::pair<std::string_view, std::string_view> split_word(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = text.find_first_of(kBlanks);
  if (end == std::string_view::npos) return {text, ""};
  return {text.substr(0, end), trimmed(text.substr(end))};
}

std::vector<std::string_view> separated(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    result.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error != std::errc::invalid_argument && end == text.data() + text.size();
  if (whole && error == std::errc() && value >= least && value <= most) return value;
  throw InputError(in_quotes(text) + (whole ? " is out of range" : " is no whole number"),
                   "write one from " + std::to_string(least) + " to " + std::to_string(most));
}

std::vector<int> parse_lengths(std::string_view text, int least, int most, std::size_t count) {
  const std::vector<std::string_view> words = separated(text, 'x');
  std::vector<int> lengths;
  for (const std::string_view word : words)
    lengths.push_back(static_cast<int>(parse_integer(word, least, most)));
  if (lengths.size() > count)
    throw InputError(in_quotes(text) + " holds more than " + counted(count, "number"),
                     "write fewer");
  return lengths;
}

std::string counted(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string there_are(std::uint64_t count) {
  return (count == 1 ? "there is " : "there are ") + std::to_string(count);
}

double twelve_digits(double figure) { return std::stod(fmt::format("{:.12g}", figure)); }

}  // namespace syncsim
