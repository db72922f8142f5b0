#include "sim/topology/edits/pattern.h"

#include <charconv>
#include <cstdint>
#include <vector>

#include "sim/base/text.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

// On a mismatch the last star takes one character more.
bool matches_stars(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::int64_t number_of(std::string_view digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Up to which characters of a text a pattern's beginning may reach: all ways at once, so that time
// is bounded by the product of both lengths.
class Reach {
 public:
  explicit Reach(std::string_view text) : text_(text), reached_(text.size() + 1) {
    reached_[0] = true;
  }

  bool whole() const { return reached_.back(); }

  void pass(char c) {
    for (std::size_t i = text_.size(); i > 0; --i)
      reached_[i] = reached_[i - 1] && text_[i - 1] == c;
    reached_[0] = false;
  }

  void pass_any() {
    for (std::size_t i = 1; i < reached_.size(); ++i) reached_[i] = reached_[i] || reached_[i - 1];
  }

  // Numbers are written without leading zeros.
  void pass_number(std::int64_t first, std::int64_t last) {
    std::vector<bool> next(reached_.size());
    for (std::size_t begin = 0; begin < text_.size(); ++begin) {
      if (!reached_[begin]) continue;
      const std::size_t longest = text_[begin] == '0' ? 1 : kMostDigits;
      for (std::size_t end = begin; end - begin < longest && end < text_.size(); ++end) {
        if (!is_digit(text_[end])) break;
        const std::int64_t number = number_of(text_.substr(begin, end + 1 - begin));
        if (number >= first && number <= last) next[end + 1] = true;
      }
    }
    reached_ = next;
  }

 private:
  static constexpr std::size_t kMostDigits = 18;

  std::string_view text_;
  std::vector<bool> reached_;
};

bool matches_ranges(std::string_view pattern, std::string_view text) {
  Reach reach(text);
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '*') {
      reach.pass_any();
    } else if (pattern[at] == '[') {
      const std::size_t dash = pattern.find('-', at);
      const std::size_t close = pattern.find(']', at);
      reach.pass_number(number_of(pattern.substr(at + 1, dash - at - 1)),
                        number_of(pattern.substr(dash + 1, close - dash - 1)));
      at = close;
    } else {
      reach.pass(pattern[at]);
    }
  }
  return reach.whole();
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  return pattern.find('[') == std::string_view::npos ? matches_stars(pattern, text)
                                                     : matches_ranges(pattern, text);
}

bool is_many(std::string_view pattern) {
  return pattern.find_first_of("*[") != std::string_view::npos;
}

void check_ranges(std::string_view pattern) {
  if (pattern.find_first_of("[]") == std::string_view::npos) return;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '[') inside = true;
    if (pattern[at] == ']') inside = false;
    if (inside || (pattern[at] != '-' && pattern[at] != '>')) continue;
    range_size(pattern.substr(begin, at - begin));
    begin = at + 1;
  }
  range_size(pattern.substr(begin));
}

}  // namespace syncsim
