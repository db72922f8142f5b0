#pragma once
// How far many points are, on stderr where that is a terminal, once it takes half a second.

#include <chrono>

#include "sim/cli/progress_text.h"
#include "sim/cli/terminal_line.h"

namespace syncsim::cli {

class ProgressBar {
 public:
  // `draws`: if it is a terminal.
  explicit ProgressBar(bool draws);

  // Draws when it is time to.
  void look(SweepProgress progress);
  // Gone, for good.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  TerminalLine line_;
  bool draws_;
  Clock::time_point started_;
  Clock::time_point next_draw_;
};

}  // namespace syncsim::cli
