#include "sim/base/json_complaint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::string_view kWriteValue =
    "write a number, a string in double quotes, true, false, null, [...] or {...}";

// Found in nlohmann/json's message -> ours. The first that is found speaks.
struct Wording {
  std::string_view found;
  std::string_view wrong;
  std::string_view right;
};
constexpr std::array kLexerWordings = {
    Wording{"ill-formed UTF-8", "a byte is not UTF-8", "save the file as UTF-8"},
    Wording{"missing closing quote", "a string has no closing quote",
            "close it with a double quote"},
    Wording{"(LF) must be escaped", "the line ends inside a string",
            "close it, or write the line break as \\n"},
    Wording{"control character", "a string holds a control character",
            "escape it, as in \\t or \\u0007"},
    Wording{"surrogate", "half of a surrogate pair stands alone",
            "write both halves, as in \\ud83d\\ude00"},
    Wording{"invalid string", "unknown escape in a string",
            R"(write one of \" \\ \/ \b \f \n \r \t, or \u and four hexadecimal digits)"},
    Wording{"invalid number", "malformed number", "write it as in -3, 0.5 or 1e6"},
    Wording{"invalid BOM", "malformed byte order mark", "save the file as UTF-8 without one"},
};

// What nlohmann/json expected -> what to write.
struct Expectation {
  std::string_view expected;
  std::string_view right;
};
constexpr std::array kExpectations = {
    Expectation{"string literal", "write a key in double quotes here"},
    Expectation{"':'", "write ':' between a key and its value"},
    Expectation{"']'", "write ',' or ']' here"},
    Expectation{"'}'", "write ',' or '}' here"},
    Expectation{"end of input", "end the file after its one value"},
};

std::string_view right_for(std::string_view message) {
  for (const Expectation& row : kExpectations)
    if (message.ends_with(fmt::format("; expected {}", row.expected))) return row.right;
  return kWriteValue;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("+-._").find(c) != std::string_view::npos;
}

struct Token {
  std::size_t begin;
  std::size_t size;
};

// The string in quotes that ends at `end`: its opening quote is the last before it that no
// backslash escapes.
Token string_ending_at(std::string_view text, std::size_t end) {
  std::size_t begin = text.rfind('"', end - 1);
  while (begin > 0 && text[begin - 1] == '\\') begin = text.rfind('"', begin - 1);
  return {begin, end - begin + 1};
}

// The whole word around `end`, or that one character.
Token word_at(std::string_view text, std::size_t end) {
  if (!in_word(text[end])) return {end, 1};
  std::size_t begin = end;
  while (begin > 0 && in_word(text[begin - 1])) --begin;
  while (end + 1 < text.size() && in_word(text[end + 1])) ++end;
  return {begin, end - begin + 1};
}

Token token_at(std::string_view text, std::size_t end, std::string_view message) {
  const bool is_string = message.find("unexpected string literal") != message.npos;
  return is_string ? string_ending_at(text, end) : word_at(text, end);
}

char last_visible_before(std::string_view text, std::size_t offset) {
  const auto found = text.substr(0, offset).find_last_not_of(" \t\r\n");
  return found == std::string_view::npos ? '\0' : text[found];
}

// Strings as they stand, in their double quotes; all else in single ones.
std::string shown(std::string_view token) {
  constexpr std::size_t kLongest = 60;
  if (token.size() > 1 && token.front() == '"') return in_quotes(token.substr(1, token.size() - 2));
  if (token == "'") return "single quote";
  return fmt::format("'{}{}'", one_line(token.substr(0, kLongest)),
                     token.size() > kLongest ? "..." : "");
}

// A misspelt true, false or null is noticed at the character behind it: the word's last then.
std::size_t end_of_literal(std::string_view text, std::size_t end) {
  const bool behind_word = end > 0 && (end >= text.size() || !in_word(text[end])) &&
                           std::isalpha(static_cast<unsigned char>(text[end - 1])) != 0;
  if (!behind_word) return end;
  const Token token = word_at(text, end - 1);
  const std::string_view word = text.substr(token.begin, token.size);
  return word == "true" || word == "false" || word == "null" ? end : end - 1;
}

InputError unexpected_token(std::string_view text, std::size_t end, std::string_view message,
                            const std::string& name) {
  const Token token = token_at(text, end, message);
  const std::string place = line_and_column(text, token.begin, name);
  const char c = text[token.begin];
  if (c == '/') return {"comments are not JSON", "remove this one", place};
  if ((c == '}' || c == ']') && last_visible_before(text, token.begin) == ',')
    return {fmt::format("a comma stands before '{}'", c), "remove that comma", place};
  if (static_cast<unsigned char>(c) >= 0x80)
    return {"a character outside ASCII stands outside of strings", "write strings in double quotes",
            place};
  return {"unexpected " + shown(text.substr(token.begin, token.size)),
          std::string(right_for(message)), place};
}

}  // namespace

std::string line_and_column(std::string_view text, std::size_t offset, const std::string& name) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column =
      1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin), before.end(),
                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return fmt::format("{}:{}:{}", name, line, column);
}

InputError malformed_json(std::string_view text, std::size_t end, std::string_view message,
                          const std::string& name) {
  for (const Wording& row : kLexerWordings)
    if (message.find(row.found) != message.npos)
      return {std::string(row.wrong), std::string(row.right), line_and_column(text, end, name)};
  if (message.find("invalid literal") != message.npos) end = end_of_literal(text, end);
  if (end >= text.size())
    return {"the text ends too early", std::string(right_for(message)),
            line_and_column(text, text.size(), name)};
  return unexpected_token(text, end, message, name);
}

}  // namespace syncsim
