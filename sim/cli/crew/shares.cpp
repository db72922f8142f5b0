#include <algorithm>
#include <utility>
#include <vector>

#include "sim/cli/crew/crew.h"

namespace syncsim::cli {
namespace {

// Keeps back what is too large.
class LargeAside : public Desk {
 public:
  explicit LargeAside(Desk& desk) : desk_(desk) {}

  void take(Outcome outcome) override {
    if (outcome.kind == Outcome::Kind::too_large)
      large_.push_back(outcome.number);
    else
      desk_.take(std::move(outcome));
  }
  void look() override { desk_.look(); }
  void give_up() override { desk_.give_up(); }

  std::vector<std::size_t> sorted() const {
    std::vector<std::size_t> numbers = large_;
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

 private:
  Desk& desk_;
  std::vector<std::size_t> large_;
};

}  // namespace

Work shared_out(LimitedWork work, const MemoryLimit& memory, std::size_t hands) {
  MemoryLimit share = memory;
  share.bytes /= hands;
  return
      [work = std::move(work), share = std::move(share), hands](std::size_t number, Watch& watch) {
        bool passed = false;
        MemoryLimit limit = share;
        limit.passed = &passed;
        Outcome outcome = work(number, limit, watch);
        if (hands > 1 && passed) outcome = {number, Outcome::Kind::too_large};
        return outcome;
      };
}

void run_all(Crew& crew, std::span<const std::size_t> numbers, const LimitedWork& work,
             const MemoryLimit& memory, Desk& desk) {
  LargeAside first(desk);
  crew.run(numbers, shared_out(work, memory, crew.hands()), first);
  const std::vector<std::size_t> large = first.sorted();
  if (!large.empty()) thread_crew(1)->run(large, shared_out(work, memory, 1), desk);
}

}  // namespace syncsim::cli
