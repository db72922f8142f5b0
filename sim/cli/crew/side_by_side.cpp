#include "sim/cli/crew/side_by_side.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <vector>

#include "sim/cli/crew/crew.h"
#include "sim/cli/crew/progress_bar.h"
#include "sim/cli/interrupt.h"

namespace syncsim::cli {
namespace {

class InterruptWatch : public Watch {
 public:
  bool goes_on(const Progress&) override { return interrupting_signal() == 0; }
};

// Counts what is done.
class Counter : public Desk {
 public:
  Counter(std::size_t count, bool draws) : count_(count), bar_(draws) {}

  void take(Outcome) override { ++done_; }
  void look() override { bar_.look({.done = done_, .points = count_}); }
  void give_up() override { interrupted_ = true; }
  void end() { bar_.end(); }
  bool interrupted() const { return interrupted_; }

 private:
  std::size_t count_;
  std::size_t done_ = 0;
  bool interrupted_ = false;
  ProgressBar bar_;
};

void run_tasks(std::size_t count, const std::function<void(std::size_t)>& task, std::size_t jobs,
               bool draws) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::vector<std::exception_ptr> failures(count);
  const Work work = [&](std::size_t number, Watch&) {
    try {
      task(number);
      return Outcome{number, Outcome::Kind::done};
    } catch (...) {
      failures[number] = std::current_exception();
      return Outcome{number, Outcome::Kind::refused};
    }
  };
  Counter counter(count, draws);
  thread_crew(std::min(jobs, count))->run(numbers, work, counter);
  counter.end();
  if (counter.interrupted()) throw Interrupted({Stage::simulating, 0, count, {}});
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace

Watch& interrupt_watch() {
  static InterruptWatch watch;
  return watch;
}

SideBySide on_threads(std::size_t jobs, bool draws) {
  note_interrupts();
  return [jobs, draws](std::size_t count, const std::function<void(std::size_t)>& task) {
    if (count > 0) run_tasks(count, task, jobs, draws);
  };
}

}  // namespace syncsim::cli
