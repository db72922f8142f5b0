#include "sim/topology/id_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// Literal text and the range that follows it.
struct Piece {
  std::string_view before;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Pattern {
  std::vector<Piece> pieces;
  std::string_view rest;  // after the last range
  std::int64_t size = 1;
};

InputError malformed(std::string_view text) {
  return {fmt::format(R"("{}" has a malformed range)", text),
          R"(write the first and last number in brackets, as in "gpu[0-3]")"};
}

InputError too_many(std::string_view text) {
  return {fmt::format(R"("{}" stands for more than {} nodes)", text, kMostNodes),
          fmt::format("one file may hold {}", kMostNodes)};
}

std::int64_t read_bound(std::string_view digits, std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) throw malformed(text);
  if (digits.size() > 1 && digits.front() == '0')
    throw InputError(fmt::format(R"("{}" has a range with leading zeros)", text),
                     R"(write numbers as in "gpu[0-3]")");
  std::int64_t bound = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), bound);
  if (result.ec == std::errc::result_out_of_range) throw too_many(text);
  return bound;
}

// `range` is what stands between the brackets.
Piece read_piece(std::string_view before, std::string_view range, std::string_view text) {
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos || before.find(']') != std::string_view::npos)
    throw malformed(text);
  const Piece piece{before, read_bound(range.substr(0, dash), text),
                    read_bound(range.substr(dash + 1), text)};
  if (piece.first > piece.last)
    throw InputError(fmt::format(R"("{}" has a range that runs backwards)", text),
                     fmt::format("write [{}-{}]", piece.last, piece.first));
  if (piece.last - piece.first >= kMostNodes) throw too_many(text);
  return piece;
}

Pattern read_pattern(std::string_view text) {
  if (text.size() > kLongestId)
    throw InputError(fmt::format("a node id of {} characters is too long", text.size()),
                     fmt::format("write at most {}", kLongestId));
  Pattern pattern{{}, text, 1};
  for (std::size_t open = text.find('['); open != std::string_view::npos;
       open = pattern.rest.find('[')) {
    const std::size_t close = pattern.rest.find(']', open);
    if (close == std::string_view::npos) throw malformed(text);
    const Piece piece = read_piece(pattern.rest.substr(0, open),
                                   pattern.rest.substr(open + 1, close - open - 1), text);
    pattern.size *= piece.last - piece.first + 1;
    if (pattern.size > kMostNodes) throw too_many(text);
    pattern.pieces.push_back(piece);
    pattern.rest.remove_prefix(close + 1);
  }
  if (pattern.rest.find(']') != std::string_view::npos) throw malformed(text);
  return pattern;
}

// Every id so far, followed by the piece's text and each of its numbers.
std::vector<std::string> extend(const std::vector<std::string>& ids, const Piece& piece) {
  std::vector<std::string> longer;
  longer.reserve(ids.size() * static_cast<std::size_t>(piece.last - piece.first + 1));
  for (const std::string& id : ids)
    for (std::int64_t number = piece.first; number <= piece.last; ++number)
      longer.push_back(fmt::format("{}{}{}", id, piece.before, number));
  return longer;
}

}  // namespace

std::int64_t range_size(std::string_view text) { return read_pattern(text).size; }

std::vector<std::string> expand_range(std::string_view text) {
  const Pattern pattern = read_pattern(text);
  std::vector<std::string> ids = {""};
  for (const Piece& piece : pattern.pieces) ids = extend(ids, piece);
  for (std::string& id : ids) id += pattern.rest;
  return ids;
}

}  // namespace syncsim
