#pragma once
// Lines and words of what people paste from a terminal. Passed over, so that columns stay those of
// the text: colour codes (also those whose escape character was lost: "[4m"), control characters,
// no-break spaces, a byte order mark, the '>' of a quotation before a line, and the '|' and '`' of
// tables and code in Markdown.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

struct PastedWord {
  std::string_view text;  // empty at the end of the line
  int line = 0;           // from 1
  int column = 0;         // from 1, in bytes
};

// Where a line break is none: a blank, or nothing where it cuts a word.
struct LineJoint {
  std::size_t offset = 0;  // of the break in the text
  bool cuts_a_word = false;
};

class PastedText {
 public:
  explicit PastedText(std::string_view text, const std::vector<LineJoint>& joints = {});

  // So many words at the start of every line that has more, and this text before the next word.
  void pass_over(std::size_t words, std::string text);

  // Goes on to the next line; false at the end.
  bool next_line();
  // The next word of the line. Views stay valid as long as this text.
  PastedWord next_word();
  // The whole line, blanks at its ends too, and the offset of its break.
  std::string_view line() const { return std::string_view(text_).substr(start_, end_ - start_); }
  std::size_t line_end() const { return end_; }
  // What is left of the line, without blanks at either end.
  std::string_view rest() const;
  // Back to the first word of the line.
  void rewind();

 private:
  void pass_prefix();

  std::string text_;
  std::vector<std::size_t> joints_;  // offsets, ascending; before the word that a break cuts
  std::vector<std::size_t> breaks_;  // the same in the text as it was
  std::size_t passed_words_ = 0;
  std::string passed_text_;
  int line_ = 0;
  int last_line_ = 0;      // where it ends; later by its joints
  std::size_t start_ = 0;  // of the line
  std::size_t begin_ = 0;  // of its first word
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t next_ = 0;  // where the next line begins
};

// "topo.txt:12:3"
std::string place_of(const std::string& file, int line, int column);
std::string place_of(const std::string& file, const PastedWord& word);

}  // namespace syncsim
