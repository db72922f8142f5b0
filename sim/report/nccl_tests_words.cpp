#include "sim/report/nccl_tests_words.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace syncsim {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trimmed(text)).empty()) {
    const auto [word, rest] = split_word(text);
    words.push_back(word);
    text = rest;
  }
  return words;
}

std::optional<double> figure_in(std::string_view text) {
  const auto number = number_in<double>(text);
  return number && std::isfinite(*number) && *number >= 0 ? number : std::nullopt;
}

std::string_view tested_collective(std::string_view word) {
  constexpr std::string_view kEnd = "_perf";
  if (!word.ends_with(kEnd)) return {};
  word.remove_suffix(kEnd.size());
  return word.substr(word.rfind('/') + 1);
}

std::string library_version_of(std::int64_t code) {
  constexpr std::int64_t kNewForm = 10'000;  // since 2.9
  if (code < 1000 || code >= 100 * kNewForm) return "";
  const std::int64_t major = code >= kNewForm ? kNewForm : 1000;
  return fmt::format("{}.{}.{}", code / major, code % major / 100, code % 100);
}

}  // namespace syncsim
