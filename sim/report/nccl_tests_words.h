#pragma once
// What the forms of nccl-tests' output have in common: words, figures, names, versions.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace syncsim {

std::vector<std::string_view> words_of(std::string_view text);

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A time or a bandwidth.
std::optional<double> figure_in(std::string_view text);

// "all_reduce" of "./build/all_reduce_perf"; empty for what names no test.
std::string_view tested_collective(std::string_view word);

// 22703 -> "2.27.3", 2804 -> "2.8.4" (NCCL_VERSION of nccl.h); empty for what is none.
std::string library_version_of(std::int64_t code);

}  // namespace syncsim
