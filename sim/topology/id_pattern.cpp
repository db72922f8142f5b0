#include "sim/topology/id_pattern.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/base/text.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostDigits = 9;

// Ranges print numbers without leading zeros, so others are no numbers.
bool is_number(std::string_view digits) {
  return digits.size() <= kMostDigits && (digits.size() == 1 || digits.front() != '0');
}

}  // namespace

IdPattern::IdPattern(std::string_view id) : rest_(id) {
  for (std::size_t at = 0; at < rest_.size();) {
    if (!is_digit(rest_[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < rest_.size() && is_digit(rest_[end])) ++end;
    const std::string_view digits = rest_.substr(at, end - at);
    at = end;
    if (!is_number(digits)) continue;
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    pieces_.push_back({rest_.substr(0, end - digits.size()), number, number});
    rest_.remove_prefix(end);
    at = 0;
  }
}

std::string IdPattern::text() const {
  std::string text;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    text += is_range(i) ? fmt::format("{}[{}-{}]", piece.before, piece.first, piece.last)
                        : fmt::format("{}{}", piece.before, piece.first);
  }
  text += rest_;
  return text;
}

std::optional<IdPattern> IdPattern::followed_by(const IdPattern& next) const {
  if (pieces_.size() != next.pieces_.size() || rest_ != next.rest_) return std::nullopt;
  std::size_t at = 0;
  while (at < pieces_.size() && pieces_[at] == next.pieces_[at]) {
    if (is_range(at)) return std::nullopt;  // the last range counts fastest
    ++at;
  }
  if (at == pieces_.size() || pieces_[at].before != next.pieces_[at].before ||
      pieces_[at].last + 1 != next.pieces_[at].first)
    return std::nullopt;
  for (std::size_t i = at + 1; i < pieces_.size(); ++i)
    if (pieces_[i] != next.pieces_[i]) return std::nullopt;
  IdPattern both = *this;
  both.pieces_[at].last = next.pieces_[at].last;
  both.size_ = size_ + next.size_;
  if (both.size_ > kMostNodes || both.text().size() > kLongestId) return std::nullopt;
  return both;
}

std::vector<std::string> compressed(const std::vector<std::string_view>& ids) {
  std::vector<IdPattern> patterns;
  for (const std::string_view id : ids) {
    patterns.emplace_back(id);
    while (patterns.size() > 1) {
      const auto both = patterns[patterns.size() - 2].followed_by(patterns.back());
      if (!both) break;
      patterns.pop_back();
      patterns.back() = *both;
    }
  }
  std::vector<std::string> texts;
  for (const IdPattern& pattern : patterns) texts.push_back(pattern.text());
  return texts;
}

}  // namespace syncsim
