#include "sim/topology/import/nvidia_smi_lines.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/topology/import/nvidia_smi_words.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostWords = 2200;    // of a line that are looked at: two a column
constexpr std::size_t kLongestPrefix = 8;   // words
constexpr std::size_t kLookedAt = 1 << 20;  // bytes, for a prefix
constexpr std::array<std::string_view, 5> kTitles = {"CPU", "NUMA", "Affinity", "GPU", "ID"};

bool is_cell(std::string_view text) { return parse_cell(PastedWord{text}).has_value(); }
bool is_name(std::string_view text) { return is_device(PastedWord{text}); }
bool is_title(std::string_view text) {
  return is_name(text) || std::find(kTitles.begin(), kTitles.end(), text) != kTitles.end();
}

// What stands in one word before a gpu's name.
std::size_t glued_length(std::string_view word) {
  const std::size_t mark = word.find_last_of(":>]");
  return mark != word.npos && is_gpu(word.substr(mark + 1)) ? mark + 1 : 0;
}

struct Prefix {
  std::size_t words = 0;
  std::string glued;
};

std::optional<Prefix> find_prefix(std::string_view text) {
  PastedText lines(text.substr(0, kLookedAt));
  std::set<std::size_t> headers;  // words before them
  while (lines.next_line()) {
    for (std::size_t before = 0; before <= kLongestPrefix; ++before) {
      const PastedWord word = lines.next_word();
      if (word.text.empty()) break;
      const std::size_t glued = glued_length(word.text);
      if (!is_gpu(word.text) && glued == 0) continue;
      const bool is_row = is_cell(lines.next_word().text);
      if (is_row && glued > 0 && !headers.empty())
        return Prefix{before, std::string(word.text.substr(0, glued))};
      if (is_row && headers.contains(before)) return Prefix{before, ""};
      if (!is_row && glued == 0) headers.insert(before);
      break;
    }
  }
  return std::nullopt;
}

struct Line {
  std::vector<std::string_view> words;
  bool begins_flush = false;
  bool ends_flush = false;
};

// Finds where lines go on.
class Unwrapper {
 public:
  explicit Unwrapper(std::string_view text) : text_(text) {}

  std::vector<LineJoint> run() {
    while (text_.next_line()) {
      const std::size_t end_before = end_;
      const Line line = read();
      if (line.words.empty()) continue;
      if (starts_row(line))
        begin_row(line);
      else if (columns_ == 0 && names_.empty())
        begin_header(line);
      else if (goes_on(line))
        join(line, end_before);
      else
        is_open_ = false;
      ends_flush_ = line.ends_flush;
    }
    return std::move(joints_);
  }

 private:
  Line read() {
    Line line;
    for (PastedWord word = text_.next_word(); !word.text.empty() && line.words.size() < kMostWords;
         word = text_.next_word())
      line.words.push_back(word.text);
    const std::string_view whole = text_.line();
    line.begins_flush = !whole.starts_with(' ');
    line.ends_flush = !whole.ends_with(' ');
    end_ = text_.line_end();
    return line;
  }

  static std::string_view word(const Line& line, std::size_t index) {
    return index < line.words.size() ? line.words[index] : std::string_view();
  }

  bool starts_row(const Line& line) const {
    if (names_.empty() || !is_cell(word(line, 1))) return false;
    const std::string_view label = word(line, 0);
    return is_gpu(label) || is_named(label);
  }

  void begin_header(const Line& line) {
    if (!is_numbered_gpu(word(line, 0)) || is_cell(word(line, 1))) return;
    is_open_ = true;
    names_.assign(line.words.begin(), line.words.end());
  }

  void begin_row(const Line& line) {
    if (columns_ == 0)
      columns_ = static_cast<std::size_t>(std::find_if_not(names_.begin(), names_.end(), is_name) -
                                          names_.begin());
    is_open_ = true;
    cells_.assign(line.words.begin() + 1, line.words.end());
  }

  std::size_t cells() const {
    return static_cast<std::size_t>(std::find_if_not(cells_.begin(), cells_.end(), is_cell) -
                                    cells_.begin());
  }

  // What the words so far become when one goes on with the line.
  std::string glued(const std::vector<std::string>& before, const Line& line) const {
    if (before.empty() || !ends_flush_ || !line.begins_flush) return "";
    return before.back() + std::string(line.words.front());
  }

  bool goes_on(const Line& line) const {
    if (!is_open_) return false;
    const std::string_view first = line.words.front();
    if (columns_ == 0)
      return !is_named(first) &&
             (goes_on_with_header({first}, {word(line, 1)}, word(line, 2)) || cuts_a_name(line));
    const std::size_t count = cells();
    if (count < columns_ && count + 1 >= cells_.size())
      return is_cell(first) || is_cell(glued(cells_, line));
    return count == columns_ && (is_digit(first.front()) || first == "N/A");
  }

  bool is_named(std::string_view word) const {
    return is_name(word) && std::find(names_.begin(), names_.end(), word) != names_.end();
  }

  // "GPU1" and "0", "NI" and "C3", but not "GPU1" and "is".
  bool cuts_a_name(const Line& line) const {
    const std::string_view first = line.words.front();
    if (!is_title(glued(names_, line))) return false;
    const bool is_rest = is_digit(first.front()) || first.front() == '_';
    return !is_title(names_.back()) || (is_rest && !is_title(first));
  }

  bool cuts_a_word(const Line& line) const {
    const std::string_view first = line.words.front();
    if (columns_ == 0) return cuts_a_name(line);
    const std::string whole = glued(cells_, line);
    if (is_cell(cells_.back()) && is_digit(first.front()))
      return is_cell(whole) && first.size() <= 2;
    return !whole.empty() && !is_cell(cells_.back()) ? cells() + 1 < cells_.size() || is_cell(whole)
                                                     : is_cell(whole) && !is_cell(first);
  }

  void join(const Line& line, std::size_t end_before) {
    const bool cut = cuts_a_word(line);
    joints_.push_back({end_before, cut});
    std::vector<std::string>& words = columns_ == 0 ? names_ : cells_;
    auto next = line.words.begin();
    if (cut) words.back() += *next++;
    words.insert(words.end(), next, line.words.end());
  }

  PastedText text_;
  std::vector<LineJoint> joints_;
  std::vector<std::string> names_;  // words of the header
  std::vector<std::string> cells_;  // of the row, without its label
  std::size_t columns_ = 0;         // 0: the header may go on
  std::size_t end_ = 0;             // of the line before
  bool ends_flush_ = false;         // that line
  bool is_open_ = false;            // the header or row may go on
};

}  // namespace

PastedText smi_lines(std::string_view text) {
  const std::optional<Prefix> prefix = find_prefix(text);
  if (!prefix || (prefix->words == 0 && prefix->glued.empty()))
    return PastedText(text, Unwrapper(text).run());
  PastedText lines(text);
  lines.pass_over(prefix->words, prefix->glued);
  return lines;
}

bool has_smi_prefix(std::string_view text) {
  const std::optional<Prefix> prefix = find_prefix(text);
  return prefix && (prefix->words > 0 || !prefix->glued.empty());
}

}  // namespace syncsim
