#pragma once
// Small reading and writing of numbers and text.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncsim {

inline constexpr std::string_view kBlanks = " \t";

// Without blanks at either end.
std::string_view trimmed(std::string_view text);

// The first word, and the rest without leading blanks.
std::pair<std::string_view, std::string_view> split_word(std::string_view text);

// What stands between the separators, trimmed: "1, 2" -> "1", "2".
std::vector<std::string_view> separated(std::string_view text, char separator);

// Whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The whole of `text` as a number in [least, most]. Throws InputError (without a place).
std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

// "4x8": whole numbers in [least, most] with an x between, at most `count`. Throws InputError
// (without a place) that names the piece, or says that there are more.
std::vector<int> parse_lengths(std::string_view text, int least, int most, std::size_t count);

// "1 step", "2 steps", for people; of words that take an s.
std::string counted(std::uint64_t count, std::string_view word);

// "there is 1", "there are 2".
std::string there_are(std::uint64_t count);

// A figure for JSON: twelve digits say all that is known, more would show the rounding of binary
// fractions.
double twelve_digits(double figure);

}  // namespace syncsim
