#pragma once
// Lines and words of what people paste from a terminal. Passed over, so that columns stay those of
// the text: colour codes (also those whose escape character was lost: "[4m"), control characters,
// no-break spaces, a byte order mark, and the '>' of a quotation before a line.

#include <string>
#include <string_view>

namespace syncsim {

struct Word {
  std::string_view text;  // empty at the end of the line
  int line = 0;           // from 1
  int column = 0;         // from 1, in bytes
};

class PastedText {
 public:
  explicit PastedText(std::string_view text);

  // Goes on to the next line; false at the end.
  bool next_line();
  // The next word of the line. Views stay valid as long as this text.
  Word next_word();
  // What is left of the line, without blanks at either end.
  std::string_view rest() const;
  // Back to the first word of the line.
  void rewind();

 private:
  std::string text_;
  int line_ = 0;
  std::size_t start_ = 0;  // of the line
  std::size_t begin_ = 0;  // of its first word
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t next_ = 0;  // where the next line begins
};

// "topo.txt:12:3"
std::string place_of(const std::string& file, int line, int column);
std::string place_of(const std::string& file, const Word& word);

}  // namespace syncsim
