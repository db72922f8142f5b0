#include "sim/cli/terminal_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace syncsim::cli {

bool TerminalLine::is_terminal() const { return isatty(file_) == 1; }

std::size_t TerminalLine::width() const {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool known = ioctl(file_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

void TerminalLine::show(const std::string& text) {
  const std::size_t before = std::min(shown_, width() - 1);  // it may be narrower by now
  write("\r" + text + std::string(before - std::min(before, text.size()), ' '));
  shown_ = text.size();
}

void TerminalLine::wipe() {
  if (shown_ == 0) return;
  write("\r" + std::string(std::min(shown_, width() - 1), ' ') + "\r");
  shown_ = 0;
}

// A terminal that cannot be written to misses nothing that counts.
void TerminalLine::write(const std::string& text) const {
  [[maybe_unused]] const auto written = ::write(file_, text.data(), text.size());
}

}  // namespace syncsim::cli
