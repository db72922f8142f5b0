#include "sim/topology/import/pasted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kLongestCode = 32;  // bytes after the escape character
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Bytes of "[4m" or "[1;31m" at the start of `text`, 0 when it does not start so. After an escape
// character any letter may end it.
std::size_t colour_code(std::string_view text, bool escaped) {
  if (text.empty() || text.front() != '[') return 0;
  const std::size_t most = std::min(text.size(), kLongestCode);
  for (std::size_t i = 1; i < most; ++i) {
    if (is_digit(text[i]) || text[i] == ';' || (escaped && text[i] == '?')) continue;
    const bool letter = text[i] >= '@' && text[i] <= '~';
    return (escaped ? letter : text[i] == 'm') ? i + 1 : 0;
  }
  return 0;
}

// Bytes at the start of `text` that stand for nothing or for a blank.
std::size_t invisible(std::string_view text) {
  const char c = text.front();
  if (c == kEscape) return 1 + colour_code(text.substr(1), true);
  if (c == '[') return colour_code(text, false);
  if (text.starts_with(kNoBreakSpace)) return kNoBreakSpace.size();
  if (text.starts_with(kByteOrderMark)) return kByteOrderMark.size();
  if (c == '|' || c == '`') return 1;
  return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? 1 : 0;
}

std::string blanked(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = invisible(text.substr(i));
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(i), length, ' ');
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

}  // namespace

PastedText::PastedText(std::string_view text, const std::vector<LineJoint>& joints)
    : text_(blanked(text)) {
  for (const LineJoint& joint : joints) {
    std::size_t at = joint.offset;
    text_[at] = ' ';
    // The word's first part changes places with the break.
    for (; joint.cuts_a_word && at > 0 && text_[at - 1] != ' '; --at)
      std::swap(text_[at - 1], text_[at]);
    joints_.push_back(at);
    breaks_.push_back(joint.offset);
  }
}

void PastedText::pass_over(std::size_t words, std::string text) {
  passed_words_ = words;
  passed_text_ = std::move(text);
}

bool PastedText::next_line() {
  if (next_ >= text_.size()) return false;
  start_ = begin_ = next_;
  end_ = std::min(text_.find('\n', begin_), text_.size());
  next_ = end_ + 1;
  line_ = last_line_ + 1;
  last_line_ = line_ + static_cast<int>(std::lower_bound(joints_.begin(), joints_.end(), end_) -
                                        std::lower_bound(joints_.begin(), joints_.end(), start_));
  while (begin_ < end_ && (text_[begin_] == ' ' || text_[begin_] == '>')) ++begin_;
  rewind();
  pass_prefix();
  return true;
}

void PastedText::pass_prefix() {
  for (std::size_t word = 0; word < passed_words_; ++word)
    if (next_word().text.empty()) return rewind();
  at_ = std::min(text_.find_first_not_of(' ', at_), end_);
  if (line().substr(at_ - start_).starts_with(passed_text_)) at_ += passed_text_.size();
  begin_ = at_;
}

PastedWord PastedText::next_word() {
  while (at_ < end_ && text_[at_] == ' ') ++at_;
  const std::size_t first = at_;
  while (at_ < end_ && text_[at_] != ' ') ++at_;
  const auto after = std::upper_bound(joints_.begin(), joints_.end(), first);
  const auto joints = after - std::lower_bound(joints_.begin(), joints_.end(), start_);
  std::size_t column = first - start_ + 1;
  if (joints > 0) {
    const std::size_t line_break = breaks_[static_cast<std::size_t>(after - joints_.begin()) - 1];
    column = std::max(first, line_break + 1) - line_break;
  }
  return {std::string_view(text_).substr(first, at_ - first), line_ + static_cast<int>(joints),
          static_cast<int>(column)};
}

std::string_view PastedText::rest() const {
  return trimmed(std::string_view(text_).substr(at_, end_ - at_));
}

void PastedText::rewind() { at_ = begin_; }

std::string place_of(const std::string& file, int line, int column) {
  return fmt::format("{}:{}:{}", file, line, column);
}

std::string place_of(const std::string& file, const PastedWord& word) {
  return place_of(file, word.line, word.column);
}

}  // namespace syncsim
