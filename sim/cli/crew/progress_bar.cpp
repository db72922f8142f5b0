#include "sim/cli/crew/progress_bar.h"

#include <unistd.h>

namespace syncsim::cli {

using std::chrono::milliseconds;

ProgressBar::ProgressBar(bool draws)
    : line_(STDERR_FILENO),
      draws_(draws && line_.is_terminal()),
      started_(Clock::now()),
      next_draw_(started_ + milliseconds(500)) {}

void ProgressBar::look(SweepProgress progress) {
  const Clock::time_point now = Clock::now();
  if (!draws_ || now < next_draw_) return;
  progress.seconds = std::chrono::duration<double>(now - started_).count();
  line_.show(progress_text(progress, line_.width()));
  next_draw_ = now + milliseconds(100);
}

void ProgressBar::end() {
  line_.wipe();
  draws_ = false;
}

}  // namespace syncsim::cli
