#pragma once
// Takes a sweep's outcomes to its rows, counts them, and tells people on stderr: on a terminal how
// far it is, after an interrupt how to go on, at last what was refused.

#include <string>

#include "sim/cli/crew/crew.h"
#include "sim/cli/crew/progress_bar.h"
#include "sim/cli/sweep/rows.h"

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

 private:
  bool is_whole() const { return progress_.done == progress_.points; }

  Rows& rows_;
  SweepProgress progress_;
  ProgressBar bar_;
  std::string file_;
  std::size_t broken_ = 0;
  bool gave_up_ = false;
};

}  // namespace syncsim::cli
