#pragma once
// Takes a sweep's outcomes to its rows, counts them, and tells people on stderr: on a terminal how
// far it is, after an interrupt how to go on, at last what was refused.

#include <chrono>
#include <string>
#include <vector>

#include "sim/cli/progress_text.h"
#include "sim/cli/sweep/crew.h"
#include "sim/cli/sweep/rows.h"
#include "sim/cli/terminal_line.h"

namespace syncsim::cli {

class SweepDesk : public Desk {
 public:
  // `progress`: what is done already. `draws`: on a terminal. `file`: the rows', or empty.
  SweepDesk(Rows& rows, const SweepProgress& progress, bool draws, std::string file);

  void take(Outcome outcome) override;
  void look() override;
  void give_up() override;
  // The rows are complete, or will be no more. Returns the exit code.
  int finish();

  // Points that were too large for a share of the memory, in ascending order.
  std::vector<std::size_t> too_large() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool is_whole() const { return progress_.done == progress_.points; }

  Rows& rows_;
  SweepProgress progress_;
  TerminalLine line_;
  bool draws_;
  Clock::time_point started_;
  Clock::time_point next_draw_;
  std::string file_;
  std::size_t broken_ = 0;
  bool gave_up_ = false;
  std::vector<std::size_t> too_large_;
};

}  // namespace syncsim::cli
