#pragma once
// Reads numbers and ranks from the front of a line of NCCL's log (nccl_ring_log.h).

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include "sim/base/text.h"

namespace syncsim {

inline constexpr int kMostLogRanks = 1 << 24;  // of a communicator
inline constexpr std::string_view kBetween = " \t\r\n";

// Whether a number that ends before `c` is torn: another process wrote into the line.
inline bool tears(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == ':' ||
         c == '_' || c == '/';
}

// Reads from the front of a text.
struct Cursor {
  std::string_view rest;

  void skip_blanks() {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
  }
  bool take(std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  std::optional<int> number(int limit) {
    int value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || !is_digit(rest.front()) || value >= limit) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  }
};

struct Rank {
  int number = -1;  // none
  bool torn = false;
};

// "3" or "3[1b000]", with blanks before it.
inline Rank take_rank(Cursor& cursor) {
  cursor.skip_blanks();
  if (cursor.rest.empty() || !is_digit(cursor.rest.front())) return {};
  const std::optional<int> number = cursor.number(kMostLogRanks);
  if (number && cursor.take("["))
    cursor.rest.remove_prefix(std::min(cursor.rest.find(']'), cursor.rest.size() - 1) + 1);
  if (!number || (!cursor.rest.empty() && tears(cursor.rest.front()))) return {.torn = true};
  return {*number};
}

}  // namespace syncsim
