#include <algorithm>

#include "sim/cli/crew/bench.h"
#include "sim/cli/interrupt.h"

namespace syncsim::cli {
namespace {

class ThreadCrew : public Crew {
 public:
  explicit ThreadCrew(std::size_t threads) : threads_(threads) {}

  std::size_t hands() const override { return threads_; }

  void run(std::span<const std::size_t> numbers, const Work& work, Desk& desk) override {
    constexpr std::chrono::milliseconds kPatience{50};
    Bench bench(numbers);
    const Hands hands(std::min(threads_, numbers.size()), bench, work);
    while (!bench.is_over()) {
      for (Outcome& outcome : bench.outcomes(kPatience)) desk.take(std::move(outcome));
      desk.look();
    }
    if (interrupting_signal() != 0) desk.give_up();
  }

 private:
  std::size_t threads_;
};

}  // namespace

std::unique_ptr<Crew> thread_crew(std::size_t threads) {
  return std::make_unique<ThreadCrew>(threads);
}

}  // namespace syncsim::cli
