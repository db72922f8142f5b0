#pragma once
// One line of a terminal, written over and over and wiped in the end. Without escape codes: blanks
// and carriage returns do on every terminal.

#include <cstddef>
#include <string>

namespace syncsim::cli {

class TerminalLine {
 public:
  explicit TerminalLine(int file) : file_(file) {}
  ~TerminalLine() { wipe(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  bool is_terminal() const;
  std::size_t width() const;  // columns; 80 where the terminal does not say
  void show(const std::string& text);
  void wipe();

 private:
  void write(const std::string& text) const;

  int file_;
  std::size_t shown_ = 0;  // characters
};

}  // namespace syncsim::cli
