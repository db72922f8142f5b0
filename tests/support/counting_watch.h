#pragma once
// A watch that keeps what it sees and says stop at the given look.

#include <vector>

#include "sim/base/watch.h"

namespace syncsim::testing {

struct CountingWatch : Watch {
  explicit CountingWatch(std::size_t most) : looks(most) {}
  bool goes_on(const Progress& progress) override {
    seen.push_back(progress);
    return seen.size() < looks;
  }
  std::size_t looks;
  std::vector<Progress> seen;
};

}  // namespace syncsim::testing
