#include "sim/cli/supervisor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"

namespace syncsim::cli {
namespace {

using std::chrono::milliseconds;

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void declare_long_run(CLI::App& app, LongRunOptions& options) {
  app.add_flag("--no-progress", options.no_progress, "no progress bar, on a terminal either")
      ->disable_flag_override();
  declare_memory(app, options);
}

void declare_memory(CLI::App& app, LongRunOptions& options) {
  app.add_option("--memory", options.memory,
                 "refuse what would need more, e.g. \"8 GB\"; otherwise what is free");
}

MemoryLimit memory_limit(const LongRunOptions& options) {
  if (options.memory) {
    const auto bytes = static_cast<std::uint64_t>(
        from_option("--memory", [&] { return parse_bytes(*options.memory); }).count);
    return {bytes, fmt::format("--memory allows {}", rough_bytes(bytes))};
  }
  const std::uint64_t free = available_memory();
  return {free, fmt::format("this machine has {} free", rough_bytes(free))};
}

Supervisor::Supervisor(const LongRunOptions& options, std::vector<Stage> stages)
    : stages_(std::move(stages)),
      line_(STDERR_FILENO),
      draws_(!options.no_progress && line_.is_terminal()),
      started_(Clock::now()),
      next_draw_(started_ + milliseconds(500)),
      point_began_(started_) {
  note_interrupts();
}

bool Supervisor::begin_point() {
  ++point_;
  point_began_ = Clock::now();
  stage_.reset();
  return interrupting_signal() == 0;
}

bool Supervisor::goes_on(const Progress& progress) {
  if (draws_) {
    const Clock::time_point now = Clock::now();
    if (stage_ != progress.stage) stage_began_ = now;
    stage_ = progress.stage;
    if (now >= next_draw_) draw(progress, now);
  }
  return interrupting_signal() == 0;
}

void Supervisor::draw(const Progress& progress, Clock::time_point now) {
  const Elapsed elapsed{.progress = progress,
                        .stage_seconds = seconds_between(stage_began_, now),
                        .point_seconds = seconds_between(point_began_, now),
                        .finished_points = point_ - std::min<std::size_t>(point_, 1),
                        .finished_seconds = seconds_between(started_, point_began_),
                        .points = points_};
  line_.show(progress_text(
      {progress, point_, points_, elapsed.stage_seconds, seconds_left(elapsed, stages_)},
      line_.width()));
  next_draw_ = now + milliseconds(100);
}

void Supervisor::finish() {
  line_.wipe();
  draws_ = false;
}

}  // namespace syncsim::cli
