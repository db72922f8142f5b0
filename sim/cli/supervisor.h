#pragma once
// Watches a command's long runs: draws a progress bar on stderr, where that is a terminal, and
// tells them to stop once Ctrl-C or SIGTERM came. A run that ends within half a second shows none.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/memory.h"
#include "sim/base/watch.h"
#include "sim/cli/progress_text.h"
#include "sim/cli/terminal_line.h"

namespace CLI {
class App;
}

namespace syncsim::cli {

// Options of every command that may take long.
struct LongRunOptions {
  bool no_progress = false;
  std::optional<std::string> memory;
};
void declare_long_run(CLI::App& app, LongRunOptions& options);
void declare_memory(CLI::App& app, LongRunOptions& options);  // --memory alone
// What --memory says, or else what this machine has free now.
MemoryLimit memory_limit(const LongRunOptions& options);

class Supervisor : public Watch {
 public:
  // From now on signals are noted. `stages`: what each point goes through.
  Supervisor(const LongRunOptions& options, std::vector<Stage> stages);

  // Whether a bar may be drawn: what only it needs can be spared otherwise.
  bool draws() const { return draws_; }
  void expect_points(std::size_t points) { points_ = points; }
  // The next point begins, or, where that was asked for, does not: false.
  bool begin_point();
  bool goes_on(const Progress& progress) override;
  // No bar from now on: results follow.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const Progress& progress, Clock::time_point now);

  std::vector<Stage> stages_;
  TerminalLine line_;
  bool draws_;
  Clock::time_point started_;
  Clock::time_point next_draw_;
  Clock::time_point point_began_;
  Clock::time_point stage_began_;
  std::optional<Stage> stage_;
  std::size_t point_ = 0;  // from 1
  std::size_t points_ = 1;
};

}  // namespace syncsim::cli
